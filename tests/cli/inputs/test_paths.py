"""Paths that are not there, or not what is asked for: what was seen, and what to name in its place."""

from pathlib import Path

import pytest

from ...support.commands import run


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a file, and a folder with a recording."""
    (tmp_path / "ticket.yaml").write_text("title: x\n", encoding="utf-8")
    (tmp_path / "rec").mkdir()
    (tmp_path / "rec" / "a.yaml").write_text("interactions: []\n", encoding="utf-8")
    (tmp_path / "empty").mkdir()
    (tmp_path / "answers.jsonl").write_text("{}\n{}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", ["check", "lint", "cassette recover", "show", "plan check"])
def test_a_missing_path_is_answered_with_the_nearest_name(command: str) -> None:
    """Every command that takes a path says the same, and does not run."""
    found = run(*command.split(), "tiket.yaml")
    assert (found.exit_code, found.stdout) == (2, "")
    assert "'tiket.yaml' does not exist. Did you mean 'ticket.yaml'?" in found.stderr


def test_without_a_near_name_the_folder_that_was_looked_in_is_told(here: Path) -> None:
    """Often the command runs in another folder than was thought; a folder that is missing too is no crash."""
    told = " ".join(run("check", "qqqq").stderr.split())
    assert f"'qqqq' does not exist. Looked in {here}." in told
    assert "'no/where.yaml' does not exist. Looked in" in run("check", "no/where.yaml").stderr


def test_show_offers_the_files_of_a_folder() -> None:
    """One recording is shown at a time: the first ones are named; a folder without any is said to be one."""
    found = run("show", "rec")
    assert found.exit_code == 2
    assert "'rec' is a folder. Name one file of it: rec/a.yaml." in found.stderr.replace("\\", "/")
    assert "'empty' is a folder. No .yaml file is in it." in run("show", "empty").stderr


def test_show_sends_a_file_of_answers_to_check() -> None:
    """It is no half-written recording, and nothing is to be restored."""
    found = run("show", "answers.jsonl")
    assert (found.exit_code, "planguard check" in found.stderr, "half-written" in found.stderr) == (2, True, False)


def test_standard_input_is_no_missing_file() -> None:
    """A dash is taken where a command reads from standard input, whatever files there are."""
    assert "does not exist" not in run("lint", "-", stdin="$RETRY_INFO $VALIDATION_ERRORS").output


@pytest.mark.parametrize("given", ["n" * 300, "loop/x", "", "no\0name"], ids=["long", "loop", "empty", "null"])
def test_a_path_that_cannot_be_looked_up_is_not_there(given: str, here: Path) -> None:
    """No defect, and not the working folder either, which an unset variable of a shell would stand for."""
    (here / "loop").symlink_to("loop")
    found = run("check", given)
    assert (found.exit_code, found.stdout) == (2, "")
    assert f"{given!r} does not exist." in " ".join(found.stderr.split())


def test_names_of_files_reach_no_terminal_as_commands(here: Path) -> None:
    """A folder may come from anywhere: its names are shown with their control characters as escapes."""
    (here / "rec" / "a\x1b[31m.yaml").write_text("interactions: []\n", encoding="utf-8")
    found = run("show", "rec")
    assert ("\\x1b[31m" in found.stderr, "\x1b" in found.stderr) == (True, False)
