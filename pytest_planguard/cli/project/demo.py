"""`planguard demo`: a red test of an app with the classic bug, the fix, and a green test, without key or network."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import click

from ...errors import RunError, UsageError
from ...printable import one_line
from ...report.media.text_table import Style
from ..framework.output import in_color, say
from ..framework.shared_options import epilog
from .new_files import NewFile, text_of
from .stand_in import StandIn, scripted, ticket_answer

if TYPE_CHECKING:
    from collections.abc import Sequence


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
