"""`planguard plan fix`: the diff, the question and the result, and the stream that each of them goes to."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ..support.commands import run

TASKS = "# Tasks: x\n\n- [ ] T001 Write a.py\n- [ ] T002 Write b.py\n\n**Total Tasks**: 7\n"
FIXED = TASKS.replace("7", "2")
LINES = (
    "--- tasks.md",
    "+++ tasks.md (fixed)",
    "@@ -3,4 +3,4 @@",
    " - [ ] T001 Write a.py",
    " - [ ] T002 Write b.py",
    " ",
    "-**Total Tasks**: 7",
    "+**Total Tasks**: 2",
    "",
    "",
)
DIFF = "\n".join(LINES)
UNWRITTEN = "1 file can be fixed; nothing was written. Add --yes to write.\n\n"
QUESTION = "Write 1 file? [y/N]: "
WARNED = "read            1 plan\nplans           1 of 1 keep the rules\nfound in plans  1 count-matches\n"
CLEAN = "read   1 plan\nplans  1 of 1 keep the rules\n"


@pytest.fixture
def tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A plan with a wrong total, in the working folder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "tasks.md"
    path.write_text(TASKS, encoding="utf-8")
    return path


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal on standard input, so that the command asks."""
    monkeypatch.setattr("pytest_planguard.cli.plan_command.os.isatty", lambda number: number == 0)


@pytest.mark.parametrize(
    ("options", "said", "figures", "content"),
    [
        ((), f"{DIFF}{UNWRITTEN}", WARNED, TASKS),
        (("--yes",), f"{DIFF}fixed 1 file\n\n", CLEAN, FIXED),
    ],
)
def test_a_form_for_programs_has_standard_output_to_itself(
    options: tuple[str, ...], said: str, figures: str, content: str, tasks: Path
) -> None:
    """The diff and the result go to standard error. As text they are above the figures, and standard error is empty."""
    apart = run("plan", "fix", "tasks.md", "--format", "errors", *options)
    assert (apart.exit_code, apart.stdout, apart.stderr) == (0, figures, said)
    assert tasks.read_text(encoding="utf-8") == content
    tasks.write_text(TASKS, encoding="utf-8")
    together = run("plan", "fix", "tasks.md", "-q", *options)
    assert (together.exit_code, together.stdout, together.stderr) == (0, said + figures, "")


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize(
    ("typed", "said", "figures", "content"),
    [
        ("y", "fixed 1 file\n\n", CLEAN, FIXED),
        ("n", UNWRITTEN, WARNED, TASKS),
    ],
)
def test_at_a_terminal_the_answer_decides(typed: str, said: str, figures: str, content: str, tasks: Path) -> None:
    """Only yes writes, and the question is asked where the diff is shown."""
    apart = run("plan", "fix", "tasks.md", "--format", "errors", stdin=f"{typed}\n")
    assert (apart.stdout, apart.stderr) == (figures, f"{DIFF}{QUESTION}{typed}\n{said}")
    assert tasks.read_text(encoding="utf-8") == content


def test_nothing_to_fix_is_said_where_a_diff_would_be(tasks: Path) -> None:
    """A program that reads standard output finds only the form that it asked for."""
    tasks.write_text(FIXED, encoding="utf-8")
    assert run("plan", "fix", "tasks.md", "-q").stdout == f"nothing to fix\n\n{CLEAN}"
    apart = run("plan", "fix", "tasks.md", "--format", "json")
    assert (json.loads(apart.stdout)["summary"]["plans"], apart.stderr) == (1, "nothing to fix\n\n")


@pytest.mark.parametrize("options", [("-q",), ("--format", "errors")])
def test_a_doubtful_total_is_proposed_on_standard_error(options: tuple[str, ...], tasks: Path) -> None:
    """In every form: a task without an id may be no task."""
    tasks.write_text(TASKS.replace("T002 Write", "Write"), encoding="utf-8")
    done = run("plan", "fix", "tasks.md", "--yes", *options)
    proposed = "tasks.md: proposed, not written: line 6: 7 -> 2; count the tasks yourself\n"
    assert (done.stderr.startswith(proposed), "proposed" in done.stdout) == (True, False)


def test_files_that_are_no_plan_stop_nothing(tasks: Path) -> None:
    """A page, another kind of file and a folder come first: the plan behind them is fixed all the same."""
    (tasks.parent / "a-page.md").write_text("# Notes\n\nNothing here.\n", encoding="utf-8")
    (tasks.parent / "b.yaml").write_text("interactions: []\nversion: 1\n", encoding="utf-8")
    assert run("plan", "fix", ".", "--yes").stdout.startswith(f"{DIFF}fixed 1 file\n\n")
    assert tasks.read_text(encoding="utf-8") == FIXED


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda path: path.write_text(f"{TASKS}\nmore\n", encoding="utf-8"), "it has changed meanwhile"),
        (lambda path: path.unlink(), "it is not a regular file"),
    ],
)
def test_a_file_that_changes_before_the_answer_is_not_written(
    change: Callable[[Path], object], why: str, tasks: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody saves or removes it while the question is open; what is written is counted."""

    def agreed(_: str, *, err: bool) -> bool:
        change(tasks)
        return not err

    monkeypatch.setattr("pytest_planguard.cli.plan_command.agreed", agreed)
    (tasks.parent / "z").mkdir()
    (tasks.parent / "z" / "tasks.md").write_text(TASKS, encoding="utf-8")
    done = run("plan", "fix", "tasks.md", "z/tasks.md", "-q")
    assert f"\ntasks.md: not written: {why}\nfixed 1 file\n\n" in done.stdout
