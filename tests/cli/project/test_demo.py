"""`planguard demo`: red, then green, without a key or a network; nothing is overwritten."""

import http.client
import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from pytest_planguard.cli.project.demo import APP, BAD, BUG, FILES, FIX, GOOD, StandIn, scripted, ticket_answer

from ...docs.pages import ROOT, blocks
from ...support.commands import run
from ...support.warm import inner_environment, run_module

ASKED = [{"role": "system", "content": "Write a ticket."}, {"role": "user", "content": "fire"}]


def run_step(
    words: list[str], cwd: Path, env: dict[str, str] | None = None, **_: object
) -> subprocess.CompletedProcess[bytes]:
    """Run a step of the demo in a process that has its modules already; `make first-minutes` starts Python."""
    done = run_module(words[2:], cwd.absolute(), inner_environment(**(env or {})))
    print(done.stdout.decode() if env else "", end="")
    return done


@pytest.fixture
def warm(monkeypatch: pytest.MonkeyPatch) -> None:
    """The steps of the demo run warm."""
    monkeypatch.setattr("pytest_planguard.cli.project.demo.subprocess.run", run_step)


def demo(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own: it starts others."""
    command = [sys.executable, "-m", "pytest_planguard", "demo", *arguments]
    env = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI", "PYTEST"))}
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.slow
@pytest.mark.usefixtures("warm")
def test_the_demo_turns_red_then_green_and_names_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is below the folder, the fix is in place, the page has both runs, and pytest goes on offline."""
    monkeypatch.chdir(tmp_path)
    done = run("demo", "--into", "first")
    told = done.stdout
    assert done.exit_code == 0, told + done.stderr
    places = [told.index(words) for words in (
        "planguard: Ticket: missing on the way to attempt 2: priority, steps", "1 failed", f"   - {BUG}\n   + {FIX}\n",
        "--planguard-record=stale", "1 passed", "3 of 3. Replay. The stand-in is gone", "Red, then green. What to ",
    )]  # fmt: skip
    assert places == sorted(places)
    assert [path.name for path in tmp_path.iterdir()] == ["first"]
    assert (tmp_path / "first/app.py").read_text() == APP.replace(BUG, FIX)
    page = (tmp_path / "first/demo.html").read_text()
    assert "priority" in page
    assert "1 fixed" in page
    assert "unproven" not in told
    again = run("demo", "--into", "first")
    assert (again.exit_code, again.stdout) == (2, "")
    assert "the folder is not empty: got " in again.stderr


@pytest.mark.slow
def test_a_command_of_ones_own_runs_with_the_stand_in(tmp_path: Path) -> None:
    """Its model answers what the files say, its exit code is kept, and nothing is written."""
    (tmp_path / "one.txt").write_text("first")
    (tmp_path / "two.txt").write_text("second")
    ask = (
        "import json, os, urllib.request as u\n"
        "def ask(): return json.load(u.urlopen(u.Request(os.environ['OPENAI_BASE_URL'] + '/chat/completions', "
        "json.dumps({'messages': [{'role': 'user', 'content': 'x'}]}).encode())))['choices'][0]['message']['content']\n"
        "print(ask(), ask(), ask()); raise SystemExit(7)"
    )
    done = demo("--answer", "one.txt", "--answer", "two.txt", "--", sys.executable, "-c", ask, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (7, "first second second\n"), done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.txt", "two.txt"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--into", "held"), "--into held: the folder is not empty: got 'mine.txt'; name a new or empty one"),
        (("--into", "x", "--", "pytest"), "--into is for the demo's own project: leave out --into, or the command."),
        (("--answer", "held/mine.txt"), "--answer needs a command: planguard demo --answer FILE -- pytest …"),
        (("--", "no-such-command"), "no-such-command: cannot be run: got "),
    ],
)
def test_a_wrong_use_is_one_message(here: Path, arguments: tuple[str, ...], message: str) -> None:
    """Exit code 2, and what is there stays as it is."""
    (here / "held").mkdir()
    (here / "held/mine.txt").write_text("mine")
    done = run("demo", *arguments)
    assert (done.exit_code, message in done.stderr) == (2, True), done.stderr
    assert sorted(path.as_posix() for path in here.rglob("*")) == sorted(
        (here / name).as_posix() for name in ("held", "held/mine.txt")
    )


def post(base_url: str, body: object, path: str = "/chat/completions") -> tuple[int, dict]:
    """Status and body of an answer."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(base_url + path, data)) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


def test_the_stand_in_mends_what_a_retry_names() -> None:
    """Both problems named: the good ticket; one, none, or the first prompt that names the fields: the bad one."""
    retry = [*ASKED, {"role": "assistant", "content": "{}"}]
    with StandIn(ticket_answer) as stand_in:
        for said, answer in (
            ("Try again.", BAD), ("priority is wrong", BAD), ("priority: one of …; steps: two or more", GOOD),
        ):  # fmt: skip
            status, body = post(stand_in.base_url, {"messages": [*retry, {"role": "user", "content": said}]})
            assert (status, json.loads(body["choices"][0]["message"]["content"])) == (200, answer)
    assert json.loads(ticket_answer([{"role": "user", "content": "priority and steps"}])) == BAD


def test_each_conversation_has_its_own_answers() -> None:
    """One that is asked in between takes none of another."""
    answer = scripted(["1", "2"])
    other = [ASKED[0], {"role": "user", "content": "flood"}]
    assert [answer(ASKED), answer(other), answer(ASKED), answer(ASKED), answer(other)] == ["1", "1", "2", "2", "2"]


def test_a_conversation_needs_no_system_message() -> None:
    """The first user message is the task: what follows it is the same conversation."""
    answer = scripted(["a", "b"])
    for system in ([], [{"role": "system", "content": "s"}]):
        first = [*system, {"role": "user", "content": "task"}]
        retry = [*first, {"role": "assistant", "content": "a"}, {"role": "user", "content": "again"}]
        assert [answer(first), answer(retry)] == ["a", "b"]


@pytest.mark.parametrize(
    ("body", "path", "status", "message"),
    [
        (b"no json", "/chat/completions", 400, "expected a JSON object with messages"),
        ([], "/chat/completions", 400, "expected a JSON object with messages"),
        ({"messages": "hi"}, "/chat/completions", 400, "messages must be a list of objects"),
        (
            {"messages": ASKED, "stream": True},
            "/chat/completions",
            400,
            "the stand-in does not stream: leave stream out",
        ),
        ({}, "/responses", 404, "the stand-in answers /v1/chat/completions alone, got /v1/responses"),
    ],
)
def test_what_the_stand_in_cannot_answer_is_told(body: object, path: str, status: int, message: str) -> None:
    """In the shape in which clients show it."""
    with StandIn(ticket_answer) as stand_in:
        code, answer = post(stand_in.base_url, body, path)
    assert (code, answer["error"]["message"]) == (status, message)


def test_an_answer_of_the_stand_in_is_a_whole_completion() -> None:
    """Clients check its type and length, and read the usage."""
    body = json.dumps({"model": "m", "messages": ASKED}).encode()
    with StandIn(scripted(["one two three"])) as stand_in:
        request = urllib.request.Request(f"{stand_in.base_url}/chat/completions", body)
        with urllib.request.urlopen(request) as response:
            data, headers = response.read(), response.headers
        _, unnamed = post(stand_in.base_url, {"messages": ASKED})
    assert (headers["Content-Type"], headers["Content-Length"]) == ("application/json", str(len(data)))
    assert json.loads(data) == {
        "id": "chatcmpl-stand-in",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": "one two three"}, "finish_reason": "stop"}
        ],
        "usage": {"prompt_tokens": 40, "completion_tokens": 3, "total_tokens": 43},
    }
    assert unnamed["model"] == "stand-in"


def test_a_request_that_is_too_long_or_has_no_length_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before its body is read, and the connection ends; the greatest length itself is allowed."""
    with StandIn(ticket_answer) as stand_in:
        for length in ("10000001", "-1", "many", None):
            status, answer, closed = announced(stand_in, length, b"")
            said = f"a request has a length up to 10,000,000 bytes, got {length or 'none'}"
            assert (status, closed) == (413, True)
            assert answer == {"error": {"message": said, "type": "invalid_request_error"}}
        monkeypatch.setattr("pytest_planguard.cli.project.demo.LONGEST", 2)
        assert [announced(stand_in, str(len(body)), body)[0] for body in (b"[]", b"[ ]")] == [400, 413]


def announced(stand_in: StandIn, length: str | None, body: bytes) -> tuple[int, dict, bool]:
    """Return status and body of the answer to a request of this length, and whether a refusal ends the connection."""
    connection = http.client.HTTPConnection(stand_in.base_url.split("/")[2], timeout=5)
    connection.putrequest("POST", "/v1/chat/completions")
    if length is not None:
        connection.putheader("Content-Length", length)
    connection.endheaders(body)
    response = connection.getresponse()
    answer = json.load(response)
    closed = response.status == 413 and connection.sock is not None and connection.sock.recv(1) == b""
    connection.close()
    return response.status, answer, closed


def test_the_demo_is_the_example_of_the_readme() -> None:
    """The same ticket, prompt and task; the call alone differs, since the demo needs no client installed."""
    files = {
        b.value("file"): b.text for b in blocks(ROOT / "README.md") if b.value("file") and "replace" not in b.words
    }
    (fixed,) = (block.text for block in blocks(ROOT / "README.md") if "replace" in block.words)
    for part in ("class Ticket(BaseModel):", '"content": "Write a ticket as JSON', BUG):
        (line,) = (line for line in files["app.py"].splitlines() if part in line)
        assert line in FILES["app.py"]
    assert FIX in fixed
    assert code_lines(files["test_app.py"]) == code_lines(FILES["test_app.py"])


def code_lines(text: str) -> list[str]:
    """The lines that are not empty, sorted: the two differ in how their imports are grouped."""
    return sorted(line for line in text.splitlines() if line)
