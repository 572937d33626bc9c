"""What `planguard diff` says of the code of both sides: two versions of a contract, and what the last run has seen."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from pytest_planguard.cli.diff.code_changes import with_lost_feedback
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.gate.gate import FailOn, gate
from pytest_planguard.runs.model.run import MISSING_FEEDBACK

from ...support.commands import run as command
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
