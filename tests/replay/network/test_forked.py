"""What a forked child misses reaches the process that forked it."""

import os
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from pytest_planguard.errors import CassetteError
from pytest_planguard.replay.files.reader import read_cassette
from pytest_planguard.replay.matching.refusal import MissKind
from pytest_planguard.replay.network.guard import ChildReports
from pytest_planguard.replay.session.cassette import open_cassette
from pytest_planguard.wire.exchange import Message

from ...support.exchanges import chat, send, user, write
from ...support.lookalike import Lookalike

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no forks")


def forked(run: Callable[[], object]) -> None:
    """Run a function in a forked child, which swallows every error."""
    pid = os.fork()
    if not pid:
        with suppress(BaseException):
            run()
        os._exit(0)
    os.waitpid(pid, 0)


def test_reports_arrive_once() -> None:
    """Of children and grandchildren; the process itself reports nothing to itself."""
    reports = ChildReports()
    reports.send("a", "before any file")
    reports.open()
    reports.send("a", "from the process itself")
    forked(lambda: (reports.send("a", "x\ny", 1), reports.send("a", "x\ny", 1), forked(lambda: reports.send("a", "z"))))
    assert reports.received("a") == (("x\ny", 1), ("z",))
    assert reports.received("b") == ()
    assert not reports.in_child


def test_a_refused_connection_of_a_child_is_a_bypass(tmp_path: Path, lookalike: Lookalike) -> None:
    """As if it were the parent's own."""
    port = int(lookalike.origin.rpartition(":")[2])
    with open_cassette(write(tmp_path / "a.yaml", chat([user("one")], "first"))) as session:
        forked(lambda: socket.create_connection(("127.0.0.1", port)))
    assert [(b.host, b.port) for b in session.bypasses] == [("127.0.0.1", port)]


def test_a_miss_of_a_child_is_told(tmp_path: Path) -> None:
    """With the explanation that the child got, though it swallowed the error."""
    recorded = write(tmp_path / "a.yaml", chat([user("one")], "first"))
    with open_cassette(recorded, match="strict") as session:
        forked(lambda: send([user("another thing")]))
    (miss,) = session.misses
    assert miss.kind is MissKind.CHANGED
    assert miss.message.startswith("stale cassette: the request has changed")


def ask_at_once(prompts: list[str], url: str) -> list[str]:
    """Ask from as many forked children as there are prompts, each of which leaves its answer in a file."""
    children = []
    for prompt in prompts:
        read, write = os.pipe()
        pid = os.fork()
        if not pid:
            with suppress(BaseException):
                os.write(write, send([user(prompt)], url).encode())
            os._exit(0)
        os.close(write)
        children.append((pid, read))
    answers = []
    for pid, read in children:
        os.waitpid(pid, 0)
        answers.append(os.read(read, 1000).decode())
        os.close(read)
    return answers


@pytest.mark.slow
def test_children_are_recorded_and_replayed(tmp_path: Path, lookalike: Lookalike) -> None:
    """Equal requests share a queue of answers, as in threads; the file has all exchanges and a right end mark."""
    for prompt in ("own", "same", "last"):
        lookalike.script({"a": prompt}, {"a": prompt}, when=prompt)
    url, file = f"{lookalike.base_url}/chat/completions", tmp_path / "a.yaml"
    prompts = ["own", *["same"] * 4, "last"]
    with open_cassette(file, mode="all") as session:
        recorded = [send([user("own")], url), *ask_at_once(prompts[1:5], url), send([user("last")], url)]
        assert len(session.exchanges) == 6
    assert (session.misses, session.bypasses, session.notes) == ([], (), [])
    read = read_cassette(file)
    assert [exchange.answer_text for exchange in read.exchanges][-1] == recorded[-1]
    assert sorted(exchange.answer_text for exchange in read.exchanges) == sorted(recorded)
    assert not read.notes
    with open_cassette(file) as session:
        assert sorted(ask_at_once(prompts, url)) == sorted(recorded)
    assert (session.misses, session.bypasses, session.unplayed) == ([], (), ())


def test_a_child_that_is_not_waited_for_leaves_no_cassette(tmp_path: Path, lookalike: Lookalike) -> None:
    """Its request is on its way when the test ends, so the recording is not complete, and is kept beside."""
    lookalike.script({"a": 1}, {"a": 1})
    url, file = f"{lookalike.base_url}/chat/completions", tmp_path / "a.yaml"
    with open_cassette(file, mode="all") as session:
        send([user("own")], url)
        forked(lambda: session.expect(Message(url=f"{url}?key=secret")))
    assert [miss.message for miss in session.misses] == [
        (
            "the cassette is not complete: a forked child sent a request, and got no answer before the test ended\n"
            f"  sent:      POST {url}\n"
            "  to do:     wait in the test until the child ends"
        )
    ]
    assert not file.exists()
    assert session.left is not None


def test_a_child_that_outlives_the_test_sends_nothing(tmp_path: Path, lookalike: Lookalike) -> None:
    """It is refused before its request is sent."""
    lookalike.script({"a": 1}, {"a": 1})
    url, (read, write_end) = f"{lookalike.base_url}/chat/completions", os.pipe()
    with open_cassette(tmp_path / "a.yaml", mode="all"):
        send([user("own")], url)
        pid = os.fork()
        if not pid:
            os.read(read, 1)
            with suppress(CassetteError):
                send([user("late")], url)
            os._exit(0)
    os.write(write_end, b"x")
    os.waitpid(pid, 0)
    assert len(lookalike.received) == 1
