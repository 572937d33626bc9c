"""The command as a whole: quick help, and never a traceback."""

import errno
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from pytest_planguard import __version__
from pytest_planguard.cli import main as cli
from pytest_planguard.cli.commands import every_command
from pytest_planguard.errors import CassetteError, UsageError

from ..support.commands import run
from ..support.one_item import in_one_item

HEAVY = ("pydantic", "vcr", "yaml", "rich", "jsonschema_rs", "markdown_it", "pytest")


def test_help_names_every_command_and_shows_examples() -> None:
    """`planguard --help` lists the commands, each with a line, and commands to copy."""
    result = run("--help")
    assert result.exit_code == 0
    assert re.search(r"check +Judge cassettes, answers and documents without running the app\.", result.output)
    assert "planguard check cassettes/" in result.output


@pytest.mark.parametrize("arguments", [["--help"], ["--version"]])
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    """Help and version answer without loading a parser, a recorder, pydantic or rich."""
    code = (
        "import sys; from pytest_planguard.cli.main import planguard\n"
        f"try: planguard({arguments!r})\nexcept SystemExit: pass\n"
        f"print([m for m in {HEAVY!r} if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr.strip() == "[]"


@in_one_item
@pytest.mark.parametrize("name", [name for name, _ in every_command(cli.planguard)])
def test_every_command_of_the_table_loads(name: str) -> None:
    """Each name in the table leads to a command that has its own help with examples."""
    result = run(*name.split(), "--help")
    assert result.exit_code == 0
    assert "Examples:" in result.output


def test_version() -> None:
    """The version is one line."""
    assert run("--version").output == f"planguard {__version__}\n"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("chek", "Error: No such command 'chek'. Did you mean 'check'?\n"),
        (
            "zzz",
            (
                "Error: No such command 'zzz'. "
                "There are: cassette, check, ci, demo, diff, explain, gate, init, lint, plan, report, review, "
                "search, show, strength.\n"
            ),
        ),
    ],
)
def test_an_unknown_command_is_answered_with_what_there_is(name: str, said: str) -> None:
    """A typing error gets the nearest name, anything else all names; exit code 2."""
    result = run(name)
    assert result.exit_code == 2
    assert result.stderr.endswith(said)


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (UsageError("no such constraint"), 2, "planguard: no such constraint\n"),
        (CassetteError("a.yaml is empty"), 3, "planguard: a.yaml is empty\n"),
    ],
)
def test_own_errors_become_one_line(monkeypatch: pytest.MonkeyPatch, error: Exception, code: int, said: str) -> None:
    """An error that planguard raises on purpose is its message and an exit code, nothing else."""
    result = run("check", command=_raising(monkeypatch, error))
    assert (result.exit_code, result.stdout, result.stderr) == (code, "", said)


def test_a_file_that_cannot_be_read_is_no_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder in the place of a file, a missing permission, a full disk: the file and the reason."""
    result = run("check", command=_raising(monkeypatch, IsADirectoryError(21, "Is a directory", "specs")))
    assert (result.exit_code, result.stderr) == (3, "planguard: specs: Is a directory\n")


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
@pytest.mark.parametrize(("file", "what"), [("runs/a.json", "runs/a.json"), (Path("a"), "a"), (None, "the output")])
def test_a_full_disk_is_told_with_the_file(
    number: int, file: str | Path | None, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command may write several files; only the output has no name. A quota is a full disk, too."""
    result = run("check", command=_raising(monkeypatch, OSError(number, "No space left on device", file)))
    said = f"planguard: {what} was not written: No space left on device. Free some space.\n"
    assert (result.exit_code, result.stderr) == (3, said)


def test_an_error_of_the_system_without_a_file_is_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody could say what to repair."""
    result = run("check", command=_raising(monkeypatch, OSError(errno.EIO, "Input/output error")))
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr.startswith(
        f"planguard: this is a defect of planguard {__version__}: OSError: [Errno 5] Input/output error. "
    )


def test_ctrl_c_stops_with_the_exit_code_of_shells(monkeypatch: pytest.MonkeyPatch) -> None:
    """One word, no traceback."""
    result = run("check", command=_raising(monkeypatch, KeyboardInterrupt()))
    assert (result.exit_code, result.stdout, result.stderr) == (130, "", "planguard: stopped\n")


def test_a_long_message_of_a_defect_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """To its first 200 characters."""
    result = run("check", command=_raising(monkeypatch, ValueError("x " * 50 + "A" * 200)))
    assert f"ValueError: {'x ' * 50}{'A' * 100}. " in result.stderr


def test_a_defect_is_one_line_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever breaks inside, a person reads one line that says how to see more."""
    result = run("check", command=_raising(monkeypatch, KeyError("gone\nwrong")))
    assert result.exit_code == 3
    assert result.stderr == (
        f"planguard: this is a defect of planguard {__version__}: KeyError: 'gone\\nwrong'. "
        "`planguard --debug …` prints where; please report it with the file that was read.\n"
    )


def test_debug_prints_where_a_defect_arose(monkeypatch: pytest.MonkeyPatch) -> None:
    """With --debug the traceback stands above the line."""
    result = run("--debug", "check", command=_raising(monkeypatch, KeyError("gone")))
    assert "Traceback (most recent call last)" in result.stderr
    assert "KeyError: 'gone'" in result.stderr


def _raising(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> click.Group:
    """The group, with a command `check` that raises."""

    def fail() -> None:
        raise error

    monkeypatch.setattr(cli.LazyGroup, "get_command", lambda self, ctx, name: click.Command(name, callback=fail))
    return cli.planguard


@pytest.mark.slow
def test_a_closed_standard_output_is_no_defect(tmp_path: Path) -> None:
    """As with `>&-` in a hook: nothing is printed, and the exit code says the result."""
    (tmp_path / "app.py").write_text("from pydantic import BaseModel\nclass T(BaseModel):\n    a: int\n")
    for text, code in (('{"a": 1}', 0), ('{"a": "x"}', 1)):
        (tmp_path / "a.json").write_text(text)
        line = f"{shlex.quote(sys.executable)} -m pytest_planguard check a.json -c app.py:T >&-"
        done = subprocess.run(["sh", "-c", line], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stderr) == (code, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
def test_a_full_disk_is_no_defect() -> None:
    """The output could not be written, and the message says how to go on."""
    command = [sys.executable, "-m", "pytest_planguard", "explain"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    assert (done.returncode, "defect" in done.stderr) == (3, False), done.stderr
    assert "the output was not written: No space left on device. Free some space." in done.stderr
