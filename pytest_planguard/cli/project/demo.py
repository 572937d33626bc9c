"""`planguard demo`: a red test of an app with the classic bug, the fix, and a green test, without key or network.

A stand-in for a model on the loopback address answers in OpenAI's format: with a fixed list of answers, one for each
turn, or as the demo's model, which writes a wrong ticket until a request names the problems.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

import click

from ...errors import RunError, UsageError
from ...printable import one_line
from ...report.plain_text import Style
from ..commands import epilog
from ..output import in_color, say
from .ci import NewFile, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Answering = Callable[[list[dict[str, Any]]], str]


HOST = "127.0.0.1"
LONGEST = 10_000_000
"""Maximum number of bytes of a request. A longer one is rejected."""
BAD = {"title": "Printer on fire", "priority": "urgent", "steps": ["Cut the power"]}
GOOD = {"title": "Printer on fire", "priority": "high", "steps": ["Cut the power", "Call the fire brigade"]}
NAMED = ("priority", "steps")
"""Fields that a retry must name before the demo's stand-in writes the good ticket."""


def ticket_answer(messages: list[dict[str, Any]]) -> str:
    """Return the good ticket if a retry names both problems of the bad one, else the bad one."""
    retry = str(messages[-1].get("content", "")) if len(messages) > 2 else ""
    return json.dumps(GOOD if all(word in retry for word in NAMED) else BAD)


def scripted(answers: Sequence[str]) -> Answering:
    """Return a stand-in that gives these answers in order and repeats the last, separately for each conversation.

    The messages up to the first user message, which has the task, identify a conversation.
    """
    given: Counter[str] = Counter()
    lock = threading.Lock()

    def answer(messages: list[dict[str, Any]]) -> str:
        with lock:
            task = next((at for at, message in enumerate(messages, 1) if message.get("role") == "user"), 2)
            conversation = json.dumps(messages[:task], sort_keys=True)
            number = given[conversation]
            given[conversation] += 1
        return answers[min(number, len(answers) - 1)]

    return answer


class StandIn:
    """A running stand-in: a context manager that ends with its server."""

    def __init__(self, answer: Answering) -> None:
        self._server = ThreadingHTTPServer((HOST, 0), _handler(answer))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def base_url(self) -> str:
        """The address for `OPENAI_BASE_URL`, such as 'http://127.0.0.1:40123/v1'."""
        return f"http://{HOST}:{self._server.server_address[1]}/v1"


def _handler(answer: Answering) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # head and body are two writes, and the second would wait 40 ms for an ACK

        def do_POST(self) -> None:
            status, body = self._answered()
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the base class
            """Print nothing, because the demo has its own output."""

        def _answered(self) -> tuple[int, dict[str, object]]:
            length = self.headers.get("Content-Length", "")
            if not length.isdigit() or int(length) > LONGEST:
                self.close_connection = True
                return 413, _error(f"a request has a length up to {LONGEST:,} bytes, got {length or 'none'}")
            data = self.rfile.read(int(length))
            if not self.path.endswith("/chat/completions"):
                return 404, _error(f"the stand-in answers /v1/chat/completions alone, got {self.path}")
            return _completed(data, answer)

    return Handler


def _completed(data: bytes, answer: Answering) -> tuple[int, dict[str, object]]:
    try:
        asked = json.loads(data)
        messages = asked["messages"]
    except (ValueError, KeyError, TypeError):
        return 400, _error("expected a JSON object with messages")
    if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
        return 400, _error("messages must be a list of objects")
    if asked.get("stream"):
        return 400, _error("the stand-in does not stream: leave stream out")
    return 200, _completion(answer(messages), str(asked.get("model", "stand-in")), len(messages))


def _completion(text: str, model: str, turns: int) -> dict[str, object]:
    words = len(text.split())
    return {
        "id": "chatcmpl-stand-in",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 20 * turns, "completion_tokens": words, "total_tokens": 20 * turns + words},
    }


def _error(message: str) -> dict[str, object]:
    return {"error": {"message": message, "type": "invalid_request_error"}}


EXAMPLES = """
  planguard demo                                        in a new folder below the temporary one
  planguard demo --into first-steps                     in a folder of that name, which must be new or empty
  planguard demo -- pytest --planguard-record=missing   your own project: the stand-in answers in a model's place
  planguard demo --answer bad.json --answer good.json -- pytest --planguard-record=missing
"""
EXIT_CODES = {
    0: "the demo worked as described; with a COMMAND its own exit code",
    2: "the command itself is wrong: the folder holds something, an answer cannot be read",
    3: "the demo did not work as described, or a file cannot be written",
}
RED, GREEN = "red", "green"
"""The names of the demo's two kept runs."""
PAGE = "demo.html"
QUIET = ("-q", "--tb=short", "-p", "no:cacheprovider", "-p", "planguard")
ALONE = MappingProxyType({"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""})
"""The demo shows one plugin. No other installed plugin may print or warn in between."""
NOTHING: Mapping[str, str] = MappingProxyType({})


@click.command(
    epilog=epilog(EXAMPLES, EXIT_CODES),
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
)
@click.option(
    "--into",
    metavar="FOLDER",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write the project here; a folder that holds anything is refused.  [default: a new temporary folder]",
)
@click.option(
    "--answer",
    "answers",
    metavar="FILE",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="With a COMMAND: what the stand-in answers first, second, …; the last one again and again.",
)
@click.argument("command", metavar="[-- COMMAND…]", nargs=-1, type=click.UNPROCESSED)
def demo(into: Path | None, answers: tuple[Path, ...], command: tuple[str, ...]) -> None:
    """Show a test of a retry loop turn red, then green: no key, no network, one command.

    A stand-in on 127.0.0.1 takes the place of the model. With a COMMAND it does so for your own project:
    OPENAI_BASE_URL and OPENAI_API_KEY are set while COMMAND runs in this folder, and nothing else happens.
    """
    if command and into is not None:
        raise click.UsageError("--into is for the demo's own project: leave out --into, or the command.")
    if answers and not command:
        raise click.UsageError("--answer needs a command: planguard demo --answer FILE -- pytest …")
    if command:
        raise SystemExit(_with_stand_in(command, answers))
    folder = _folder(into)
    for name, text in FILES.items():
        NewFile(folder / name, text).write()
    _play(folder)


def _with_stand_in(command: Sequence[str], answers: Sequence[Path]) -> int:
    """Run the user's command with the stand-in in place of a model, and return its exit code."""
    try:
        texts = [path.read_text(encoding="utf-8") for path in answers]
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"--answer: cannot be read: got {error}; name a text file") from error
    with StandIn(scripted(texts) if texts else ticket_answer) as stand_in:
        return _run(command, Path(), stand_in.base_url)


def _folder(into: Path | None) -> Path:
    """Return an empty folder. Raises UsageError if it is not empty, RunError if it can't be created."""
    try:
        if into is None:
            return Path(tempfile.mkdtemp(prefix="planguard-demo-"))
        into.mkdir(parents=True, exist_ok=True)
        first = next(into.iterdir(), None)
    except OSError as error:
        raise RunError(f"{into}: cannot be written: got {error}; name another folder with --into") from error
    if first is not None:
        held = one_line(first.name, 80)
        raise UsageError(f"--into {into}: the folder is not empty: got {held!r}; name a new or empty one")
    return into


def _play(folder: Path) -> None:
    """Run the three steps, each with its words. The folder is named first, so that a stopped demo can be inspected."""
    say(f"The demo is a small project in {folder}: app.py has a retry loop, test_app.py one marked test.")
    with StandIn(ticket_answer) as stand_in:
        say(f"A stand-in on {stand_in.base_url} answers in a model's place.")
        _step(1, "Record the conversation. The test turns red: the retry does not say what was wrong.")
        _expect(1, _pytest(folder, stand_in.base_url, "--planguard-record=missing", f"--planguard-save={RED}"), folder)
        _step(2, "Say what was wrong, and record again. The test turns green.")
        say(f"   app.py\n   - {BUG}\n   + {FIX}\n")
        (folder / "app.py").write_text(APP.replace(BUG, FIX), encoding="utf-8", newline="\n")
        _expect(0, _pytest(folder, stand_in.base_url, "--planguard-record=stale", f"--planguard-save={GREEN}"), folder)
    _step(3, "Replay. The stand-in is gone: from now on the cassette answers, offline.")
    # Port 9 discards, and nothing listens on it: a request that is not replayed fails at once.
    _expect(0, _pytest(folder, "http://127.0.0.1:9/v1"), folder)
    # Show the two runs side by side as a page, which exit codes 0 and 3 both produce.
    words = [sys.executable, "-m", "pytest_planguard", "diff", RED, GREEN, "-o", PAGE]
    subprocess.run(words, cwd=folder, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    say(_ending(folder))


def _step(number: int, words: str) -> None:
    say(Style(in_color()).strong(f"\n{number} of 3. {words}\n"), painted=True)


def _pytest(folder: Path, base_url: str, *options: str) -> int:
    say(f"$ {shlex.join(['pytest', *options])}")
    return _run(["pytest", *QUIET, *options], folder, base_url, ALONE)


def _run(command: Sequence[str], folder: Path, base_url: str, more: Mapping[str, str] = NOTHING) -> int:
    """Run a command with the stand-in as its model. `pytest` is the one in this environment."""
    given = {"OPENAI_BASE_URL": base_url, "OPENAI_API_KEY": "stand-in", **more}
    words = [sys.executable, "-m", "pytest", *command[1:]] if command[0] == "pytest" else list(command)
    sys.stdout.flush()  # print everything so far above the output of the command
    try:
        return subprocess.run(words, cwd=folder, env={**os.environ, **given}, check=False).returncode
    except OSError as error:
        raise UsageError(f"{one_line(command[0], 80)}: cannot be run: got {error}; name a command") from error


def _expect(code: int, got: int, folder: Path) -> None:
    if got != code:
        raise RunError(f"the demo did not work as described: pytest ended with {got}, not {code}; look into {folder}")


def _ending(folder: Path) -> str:
    (cassette,) = (folder / "cassettes").rglob("*.yaml")
    page = folder / PAGE
    return "\n".join(
        [
            "",
            "Red, then green. What to look at:",
            f"  {folder / 'app.py'}: the app, and what was changed",
            f"  {cassette}: the recorded conversation",
            *([f"  {page}: both runs side by side, for a browser"] if page.is_file() else []),
            "",
            f"next: cd {shlex.quote(str(folder))}, change app.py, and run pytest",
            "      for your own project: planguard init",
        ]
    )


APP = text_of("app")
BUG = '"That was not valid, try again."'
FIX = 'f"That was not valid: {error}"'
FILES = {
    "app.py": APP,
    "test_app.py": text_of("test_app"),
    "pytest.ini": "[pytest]\n",
    ".gitignore": "*.part*\n.planguard/\n",
}
