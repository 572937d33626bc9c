"""Checking a plan of twice the tasks takes twice the steps: counted, and not timed."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

import pytest

from pytest_planguard.plans.judging.judge_files import check_text
from pytest_planguard.plans.plan_graph import graph_of


def steps(text: str, name: str) -> int:
    """Return how many functions are called to check a plan and to draw its graph's waves."""
    called = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal called
        called += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        report = check_text(text, path=name)
        assert report.plan is not None
        assert graph_of(report.plan).longest_chain
    finally:
        sys.setprofile(before)
    return called


def markdown(tasks: int) -> str:
    """Return a task list in which each task waits for the one before it."""
    lines = (f"- [ ] T{n:04} Do it in src/a{n}.py (depends on T{n - 1:04})\n" for n in range(2, tasks + 1))
    return "# Tasks: Login\n\n## Phase 1: Setup\n\n- [ ] T0001 Begin in src/a1.py\n" + "".join(lines)


def data(tasks: int) -> str:
    """Return the same for Task Master."""
    fields = {"description": "d", "details": "d", "testStrategy": "t", "priority": "low", "subtasks": []}
    made = [
        {"id": n, "title": f"Do {n}", "status": "pending", "dependencies": [n - 1] * (n > 1), **fields}
        for n in range(1, tasks + 1)
    ]
    return json.dumps({"master": {"tasks": made}})


@pytest.mark.parametrize(("made", "name"), [(markdown, "tasks.md"), (data, "tasks.json")])
def test_twice_the_tasks_take_twice_the_steps(made: Callable[[int], str], name: str) -> None:
    """Source row 79: no rule, reader or graph looks at all tasks for each of them."""
    steps(made(10), name)  # what is loaded once
    small, large = steps(made(100), name), steps(made(200), name)
    assert large < 2.2 * small
