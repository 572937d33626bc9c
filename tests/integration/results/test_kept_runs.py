"""Every session is kept as a run: the last one always, others by name."""

import pytest

from pytest_planguard.testing.example import Example, Run

from ...support.warm import WarmExample
from ..projects import header, project, row_lines, rows

TESTS = """
@pytest.mark.planguard(TICKET)
@pytest.mark.parametrize("number", range(3))
def test_numbered(planguard, number):
    planguard.score("length", number / 2)
    planguard.check(GOOD if number else BAD)
"""


@pytest.fixture(scope="module")
def saved() -> Run:
    """A session that was kept by name; it starts cold, since its header names what was imported."""
    return Example(project(TESTS).files).run_pytest("-q", "--planguard-save=main", "--planguard-match=strict")


def test_a_run_is_kept_by_name_and_as_the_last_one(saved: Run) -> None:
    """Both files hold the same rows, and each says its own name."""
    assert row_lines(saved.example) == row_lines(saved.example, "main")
    assert (header(saved.example)["name"], header(saved.example, "main")["name"]) == ("last", "main")
    assert saved.example.paths(".jsonl") == [".planguard/last.jsonl", ".planguard/runs/main.jsonl"]


def test_the_header_says_under_what_the_run_was_made(saved: Run) -> None:
    """Schema, id, time, match and record mode, and the versions that may explain a difference."""
    found = header(saved.example)
    assert (found["planguard"], found["schema"], found["match"], found["record"]) == ("run", 1, "strict", "none")
    assert (len(found["run"]), found["created"].endswith("+00:00"), found["commit"]) == (12, True, None)
    assert set(found["packages"]) == {"pytest-planguard", "pytest", "pydantic"}


def test_scores_of_the_test_itself_are_in_its_row(saved: Run) -> None:
    """What a test measures by itself is kept, also where it fails."""
    assert [row["scores"] for row in rows(saved.example)] == [{"length": n / 2} for n in range(3)]


def test_workers_tell_which_clients_they_loaded() -> None:
    """The process that controls a run never loads the tests, and still knows the versions of their clients."""
    tests = 'import sys, types\nsys.modules["openai"] = types.ModuleType("openai")\n' + TESTS
    split = project(tests).run_pytest("-q", "-n", "2", plugins=("planguard", "xdist"))
    assert "openai" in header(split.example)["packages"], split.output


def test_a_run_without_a_marked_test_is_not_kept(saved: Run) -> None:
    """It says so, and what had the name before is still there."""
    run = WarmExample(saved.example.files).run_pytest("-q", "--planguard-save=main", "-k", "none")
    assert "planguard: no marked test ran, so nothing was kept as 'main'" in run.stdout
    assert row_lines(run.example, "main") == row_lines(saved.example, "main")


def test_a_name_that_is_none_ends_the_run_before_any_test() -> None:
    """Whatever would leave the folder, or be taken for something else, is refused at once."""
    run = project(TESTS).run_pytest("-q", "--planguard-save=../up")
    assert run.returncode == 4
    assert "--planguard-save: '../up' is not a valid run name; use up to 80 letters" in run.output
