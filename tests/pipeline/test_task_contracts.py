"""The registry of tasks: one contract each, redlines for every task that has the field."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import BaseModel

from pytest_planguard import Severity, TaskContracts, UsageError, distinct, redline


class Expert(BaseModel):
    """An answer with a verdict."""

    verdict: str


class Levers(BaseModel):
    """An answer without one."""

    levers: list[str]


def codes(tasks: TaskContracts, task: str, answer: Any) -> list[tuple[str, Severity]]:
    """What is wrong with an answer of a task."""
    verdict = tasks.contract(task).check(json.dumps(answer))
    return [(finding.code, finding.severity) for finding in verdict.errors]


def test_each_task_has_its_own_constraints_and_the_redlines_of_its_fields() -> None:
    """The redline counts for tasks that have the field, and for those whose schema leaves it open."""
    tasks = TaskContracts("verdict:Do Not Execute")
    added = tasks.add("Expert", Expert)
    tasks.add("Levers", Levers, [distinct("levers")])
    tasks.add("Free", {"type": "object"})
    tasks.add("Shut", {"type": "object", "properties": {"note": {}}, "additionalProperties": False})
    assert tasks.tasks == ("Expert", "Levers", "Free", "Shut")
    assert (added, added.name) == (tasks.contract("Expert"), "Expert")
    redlined = [("excludes", Severity.FAIL)]
    assert codes(tasks, "Expert", {"verdict": "Do not execute."}) == redlined
    assert codes(tasks, "Free", {"verdict": "Do not execute."}) == redlined
    assert codes(tasks, "Expert", {"verdict": "Go"}) == []
    assert codes(tasks, "Levers", {"levers": ["a", "a"]}) == [("distinct", Severity.RETRY)]
    assert [len(tasks.contract(task).constraints) for task in tasks.tasks] == [1, 1, 1, 0]


def test_slips_are_refused_where_they_are_made() -> None:
    """A name that is taken, a name that nobody has, a redline without a value."""
    tasks = TaskContracts()
    tasks.add("Levers", Levers)
    with pytest.raises(UsageError, match=r"^a task 'Levers' exists already; choose another name$"):
        tasks.add("Levers", Expert)
    with pytest.raises(UsageError, match=r"^unknown task 'Lever'. Did you mean 'Levers'\? Known: Levers$"):
        tasks.contract("Lever")
    with pytest.raises(UsageError, match=r"^wrong condition to pause on: got 'verdict'"):
        TaskContracts("verdict")
    with pytest.raises(UsageError, match="has no field 'verdict'"):
        tasks.add("Other", Levers, redline("verdict:no"))
