"""What `planguard diff` says of the code of both sides: two versions of a contract, and what the last run has seen."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from pytest_planguard.cli.diff import code_changes
from pytest_planguard.cli.diff.code_changes import ask, checked_out, run_probe, with_lost_feedback
from pytest_planguard.errors import RunError
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.gate.gate import FailOn, gate
from pytest_planguard.runs.gate.tree_facts import Question
from pytest_planguard.runs.model.run import MISSING_FEEDBACK
from pytest_planguard.runs.store.revision import Revision

from ...support.commands import run as command
from ...support.git import git
from ...support.runs import bad, good, run

LOST = replace(good("a"), result="failed", misses=(f"{MISSING_FEEDBACK}: the retry feeds back no finding",))
BASE, HEAD = run("main", [good("a"), good("b")], commit="1"), run("HEAD", [good("a"), good("b")], commit="2")


def new_failures(last_commit: str | None, *, dirty: bool = False) -> tuple[str, ...]:
    """Why the gate fails where the last run of the tests has lost its feedback."""
    last = None if last_commit is None else run("last", [LOST, bad("b")], commit=last_commit, dirty=dirty)
    found = compare(BASE, with_lost_feedback(HEAD, last))
    return gate(found, [FailOn.NEW], date(2026, 5, 1)).reasons


def test_lost_feedback_is_a_new_failure_as_in_its_test() -> None:
    """Of the last run only that is taken: the cassettes say the rest."""
    assert new_failures("2") == ("1 new failure",)


def test_lost_feedback_counts_although_its_recording_is_stale() -> None:
    """A retry that drops its feedback always differs from the recorded one, so its row is stale as well."""
    stale = replace(LOST, stale=("request 2 differs from recorded interaction 2",))
    found = compare(BASE, with_lost_feedback(HEAD, run("last", [stale, good("b")], commit="2")))
    assert gate(found, [FailOn.NEW], date(2026, 5, 1)).reasons == ("1 new failure",)


def test_lost_feedback_of_one_variant_leaves_the_others() -> None:
    """They have the same case, and another row took their place: one was counted as removed."""
    small, large = good("a", variant="small"), good("a", variant="large")
    lost = replace(LOST, variant="small")
    head = with_lost_feedback(run("HEAD", [small, large], commit="2"), run("last", [lost, large], commit="2"))
    assert head.rows == (lost, large)
    found = {case.key: str(case.bucket) for case in compare(run("main", [small, large]), head).cases}
    assert found == {"a (large)": "unchanged", "a (small)": "new_failure"}


def test_lost_feedback_of_one_named_model_leaves_the_others() -> None:
    """The app may send one model for both names."""
    fast, smart = good("a", model="m", for_model="fast"), good("a", model="m", for_model="smart")
    lost = replace(LOST, model="m", for_model="fast")
    head = with_lost_feedback(run("HEAD", [fast, smart], commit="2"), run("last", [lost, smart], commit="2"))
    assert head.rows == (lost, smart)


@pytest.mark.parametrize(("commit", "dirty"), [(None, False), ("1", False), ("2", True)])
def test_a_run_of_other_code_says_nothing(commit: str | None, dirty: bool) -> None:
    """No run, one of another commit, and one of a changed tree."""
    assert new_failures(commit, dirty=dirty) == ()


OLD = """
from pydantic import BaseModel
from pytest_planguard import Contract

class Person(BaseModel):
    name: str
    age: int

PERSON = Contract(Person)
"""


@pytest.mark.slow
def test_two_versions_of_a_contract(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which recorded answers break, which fields change, and what is let through that was not."""
    monkeypatch.chdir(tmp_path)
    Path("old.py").write_text(OLD, encoding="utf-8")
    Path("new.py").write_text(OLD.replace("name: str", "name: str | None").replace("age: int", "age: bool"), "utf-8")
    Path("answers.jsonl").write_text('{"id": 1, "output": {"name": "Ada", "age": 36}}\n', encoding="utf-8")
    words = ("diff", "answers.jsonl", "answers.jsonl", "--base-contract", "old.py:PERSON", "-c", "new.py:PERSON")
    output = command(*words).output
    assert "Person: age: integer → boolean (breaking)" in output
    assert "Person: name: null is allowed, too (compatible)" in output
    assert "Person: 1 recorded answer breaks: " in output
    assert "contract Person: name: null is allowed, too" in output
    assert command(*words, "--fail-on", "weakened").exit_code == 1
    refused = command(*words, "--base-contract", "old.py:PERSON")
    assert (refused.exit_code, "Name as many, in the same order" in refused.stderr) == (2, True)


@pytest.fixture
def python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The path of the Python that a tree's process runs. Nothing is there yet."""
    monkeypatch.setattr(code_changes, "run_probe", run_probe)
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    return tmp_path / "python"


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("exit 0", "its process ended with exit code 0"),
        ("exit 3", "its process ended with exit code 3"),
        ("echo first >&2; echo last >&2; exit 3", "its process ended with exit code 3: last"),
        ('touch "$4"; exit 3', "its process ended with exit code 3"),
        ("sleep 60", "importing it took more than 0 s"),
        (None, "its process cannot be started: [Errno 2] No such file or directory: "),
    ],
)
def test_a_tree_without_an_answer_is_a_problem(
    script: str | None, why: str, python: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reason names how its process ended, with the last line that it printed."""
    monkeypatch.setattr(code_changes, "TIME_LIMIT_S", 0.02 if script == "sleep 60" else 60.0)
    if script is not None:
        python.write_text(f"#!/bin/sh\n{script.replace('sleep', 'exec sleep')}\n", encoding="utf-8")
        python.chmod(0o755)
    whole = f"{why}{str(python)!r}" if script is None else why
    assert ask(Question(collect=False), python.parent).problems == (whole,)


def test_an_answer_that_cannot_be_read_is_a_problem(python: Path) -> None:
    """A process may end well and still answer something else."""
    python.write_text('#!/bin/sh\necho nothing > "$4"\n', encoding="utf-8")
    python.chmod(0o755)
    (problem,) = ask(Question(collect=False), python.parent).problems
    assert problem.startswith("its process gave no answer: ")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with one commit of a file in a folder."""
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "a.py").write_text("A = 1\n", encoding="utf-8")
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "one")
    return tmp_path


@pytest.mark.slow
def test_a_revision_is_checked_out_and_removed_again(repository: Path) -> None:
    """At the position of the project in its repository; afterwards neither git nor the disk knows the tree."""
    revision = Revision(repository, "main")
    (repository / "app" / "a.py").write_text("A = 2\n", encoding="utf-8")
    with checked_out(revision, repository / "app") as tree:
        assert (tree.name, (tree / "a.py").read_text(encoding="utf-8")) == ("app", "A = 1\n")
        assert len(git(repository, "worktree", "list").splitlines()) == 2
    assert len(git(repository, "worktree", "list").splitlines()) == 1
    assert not tree.exists()
    (repository / ".git" / "worktrees").write_text("", encoding="utf-8")
    with pytest.raises(RunError) as refused, checked_out(revision, repository):
        pass
    assert str(refused.value) == f"git cannot check {revision} out: is there room, and may .git be written?"
