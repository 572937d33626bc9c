"""`planguard cassette serve`: cassettes answer the requests of any client, in a process of their own."""

import errno
import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ...support.commands import run
from ...support.exchanges import chat, user, write
from ...support.lookalike import Lookalike

pytestmark = pytest.mark.slow


@contextmanager
def served(*arguments: str, **env: str) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """The base URL of a serving process, and the process, which is told to end after the block."""
    code = "from pytest_planguard.cli.main import main; main()"
    command = [sys.executable, "-c", code, "cassette", "serve", *arguments]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **env}
    )
    assert process.stdout is not None
    lines = [process.stdout.readline()]
    while lines[-1] and not lines[-1].startswith("export OPENAI_BASE_URL="):
        lines.append(process.stdout.readline())
    found = re.fullmatch(r"export OPENAI_BASE_URL='(http://127\.0\.0\.1:\d+/[\w-]+/\d)'\n", lines[-1])
    assert found is not None, (lines, process.stderr and process.stderr.read())
    try:
        yield found[1], process
    finally:
        process.send_signal(signal.SIGINT)


def ask(base: str, text: str) -> tuple[int, str]:
    """Status and body of one chat."""
    body = json.dumps({"model": "m", "messages": [user(text)]}).encode()
    try:
        with urllib.request.urlopen(
            urllib.request.Request(f"{base}/chat/completions", body, {"content-type": "application/json"})
        ) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def test_recordings_answer(tmp_path: Path) -> None:
    """Several files as one; what none of them answers is refused, printed, and told by the exit code."""
    one = write(tmp_path / "one.yaml", chat([user("one")], "first"))
    two = write(tmp_path / "two.yaml", chat([user("two")], "second"))
    with served(str(one), str(two)) as (base, process):
        assert json.loads(ask(base, "two")[1])["choices"][0]["message"]["content"] == "second"
        assert json.loads(ask(base, "one")[1])["choices"][0]["message"]["content"] == "first"
    assert process.communicate(timeout=60)[1] == ""
    assert process.returncode == 0
    with served(str(one), "--match", "strict") as (base, process):
        status, text = ask(base, "something else")
    errors = process.communicate(timeout=60)[1]
    assert (status, process.returncode) == (424, 1)
    assert errors == json.loads(text)["error"]["message"] + "\n"
    assert errors.startswith("stale cassette: the request has changed since it was recorded.")


def test_a_client_is_recorded(tmp_path: Path, lookalike: Lookalike) -> None:
    """Into a new file, which answers from then on with the upstream gone."""
    lookalike.script({"a": 1}, {"a": 1})
    file = tmp_path / "new.yaml"
    with served(str(file), "--record", OPENAI_BASE_URL=lookalike.base_url) as (base, process):
        live = ask(base, "one")
    assert process.communicate(timeout=60)[1] == ""
    assert (live[0], process.returncode) == (200, 0)
    lookalike.stop()
    with served(str(file)) as (base, process):
        again = ask(base, "one")
    process.communicate(timeout=60)
    assert (again[0], json.loads(again[1])) == (200, json.loads(live[1]))


def test_wrong_use_is_explained(tmp_path: Path) -> None:
    """A file that is not there, one that is there already, a variable without an address."""
    there = write(tmp_path / "one.yaml", chat([user("one")], "first"))
    missing = run("cassette", "serve", str(tmp_path / "no.yaml"))
    assert missing.exit_code == 2
    assert f"{tmp_path / 'no.yaml'}: there is no such cassette; name one, or add --record to make it" in missing.stderr
    again = run("cassette", "serve", str(there), "--record")
    assert again.exit_code == 2
    assert f"--record: got {there}; name one file that does not exist yet" in again.stderr
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        busy = run("cassette", "serve", str(there), "--port", str(port))
    assert (busy.exit_code, busy.stdout) == (2, "")
    assert (
        busy.stderr == f"planguard: --port {port}: {os.strerror(errno.EADDRINUSE)}; leave it out to take a free one\n"
    )
    wrong = run("cassette", "serve", str(there), "--variable", "A=b")
    assert wrong.exit_code == 2
    assert "got 'A=b'; write NAME=https://HOST/PATH, or NAME alone" in wrong.stderr


def test_the_end_may_come_at_once(tmp_path: Path) -> None:
    """Whoever reads the address may be done with it before the process has gone on."""
    recorded = write(tmp_path / "one.yaml", chat([user("one")], "first"))
    for _ in range(3):
        with served(str(recorded)) as (_, process):
            pass
        assert process.communicate(timeout=60)[1] == ""
        assert process.returncode == 0
