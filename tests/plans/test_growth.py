"""Checking a plan of twice the tasks takes twice the steps: counted, and not timed."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_planguard import Contract, plan_rules
from pytest_planguard.document.answer import Document
from pytest_planguard.plans.judging.judge_files import check_text, plan_graph
from pytest_planguard.plans.judging.policy import policy_of
from pytest_planguard.plans.plan_graph import graph_of
from pytest_planguard.plans.reading.outline import Source
from pytest_planguard.plans.reading.task_forms import is_checklist

from ..support.cost import assert_growth, no_hang
from ..support.one_item import in_one_item


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


TASKS = "# Tasks: Login\n\n## Phase 1: Setup\n\n- [ ] T001 Begin in src/a.py\n"
DELTA = "openspec/changes/x/specs/a/spec.md"


def _renames(number: int) -> str:
    removed = "".join(f"- `### Requirement: Old {n}`\n" for n in range(number))
    renamed = "".join(f"- FROM: `### Requirement: A {n}`\n- TO: `### Requirement: B {n}`\n" for n in range(number))
    return f"## REMOVED Requirements\n\n{removed}\n## RENAMED Requirements\n\n{renamed}"


def _tokens(number: int) -> str:
    steps = [
        {"step_id": f"s{n}", "name": "n", "preconditions": ["a"], "effects": ["a"], "dependencies": []}
        for n in range(number)
    ]
    return json.dumps({"plan_id": "x", "initial_state": [], "goal_state": ["a"], "steps": steps})


def _criteria(number: int) -> str:
    criteria, tasks = "1. It works very well\n" * number, "- [ ] Task: Do it as asked (AC: all)\n" * number
    return f"# Story 1.2: Login\n\n## Acceptance Criteria\n\n{criteria}\n## Tasks\n\n{tasks}"


GROWING: dict[str, tuple[str, Callable[[int], str], int]] = {
    # Markdown of one block is parsed twice from 50,000 characters on, so the smaller document already has that size.
    "mentions in one paragraph": ("tasks.md", lambda n: TASKS + "\n## Notes\n\n" + "see T001 before\n" * n, 3_500),
    "placeholders in one paragraph": ("tasks.md", lambda n: TASKS + "\n## Notes\n\n" + "note TBD here\n" * n, 4_000),
    "placeholders in one table": (
        "tasks.md",
        lambda n: TASKS + "\n| a | b |\n|---|---|\n" + "| TBD | x |\n" * n,
        5_000,
    ),
    "placeholders in one row": (
        "tasks.md",
        lambda n: TASKS + "\n" + "".join("|" + cell * n + "\n" for cell in (" Score |", "---|", " TBD |")),
        3_000,
    ),
    "questions without an end": ("tasks.md", lambda n: TASKS + "[NEEDS CLARIFICATION: " * n, 2_500),
    "quotes without an end": ("tasks.md", lambda n: TASKS + "“a " * n + "TBD", 5_000),
    "files in one task": (
        "tasks.md",
        lambda n: TASKS + "- [ ] T002 in " + " ".join(f"b{i}.py" for i in range(n)),
        1_000,
    ),
    "files in many items": (
        "plan.md",
        lambda n: "### Task 1: A\n\n**Files:**\n" + "".join(f"- Modify: `src/a{i}.py`\n" for i in range(n)),
        2_000,
    ),
    "markers in one line": ("plan.md", lambda n: "### Task 1: A\n\n" + "**Depends on:** Task " * n, 1_000),
    "renames": (DELTA, _renames, 500),
    "blanks in a requirement": (DELTA, lambda n: f"## ADDED Requirements\n\n### Requirement: a{' ' * n}b\n", 20_000),
    "tokens that all steps share": ("plan.json", _tokens, 500),
}


@pytest.mark.slow
@in_one_item
@pytest.mark.parametrize("name", GROWING)
def test_four_times_the_plan_takes_no_more_than_eight_times_as_long(name: str) -> None:
    """Each was quadratic once: sixteen times as long."""
    path, made, size = GROWING[name]
    assert_growth(lambda n: check_text(made(n), path=path), size, 4 * size, below=8)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["Files: `a.py` ", "Touches a.py\n"])
def test_labels_of_a_described_format_each_read_their_own_list(text: str, tmp_path: Path) -> None:
    """Each label once read the rest of its line, or of its paragraph."""
    tasks = "{level: 3, pattern: 'Step {id}: {title}', id: 'S[0-9]+', files: ['Files:', touches]}"
    (tmp_path / "plan.yaml").write_text(f"format: steps\ntasks: {tasks}\n", encoding="utf-8")
    contract = Contract(None, rules=plan_rules(tmp_path / "plan.yaml"))
    assert_growth(lambda n: contract.check("# Plan\n\n### Step S1: A\n\n" + text * n), 500, 2_000, below=8)


def test_a_checklist_is_found_without_a_look_at_every_heading() -> None:
    """Headings of one small level do not enclose each other, so only the last one says what a box belongs to."""

    def work(size: int) -> None:
        source = Source(Document(text := "# Plan\n\n" + "### Some work\n\n" * size, text, 0, "markdown", text))
        last = len(source.outline) - 1
        assert not any(is_checklist(source.outline, last) for _ in range(200 * size))

    assert_growth(work, 200, 800, below=8)


@pytest.mark.slow
def test_the_critical_path_of_a_list_is_found_in_linear_time() -> None:
    """Each task of a list waits for the one before it through a gap, and the gaps form a chain."""

    def path(tasks: int) -> None:
        text = TASKS + "".join(f"- [ ] T{n:05} Write src/a{n}.py\n" for n in range(2, tasks))
        assert len(plan_graph(text, "spec-kit-tasks").critical_path) == tasks - 1

    assert_growth(path, 500, 2_000, below=8)


def test_blanks_in_a_comment_that_switches_rules_off_take_linear_time() -> None:
    """Three runs that may each take the same blanks once needed cubic time."""
    with no_hang():
        policy_of().judge({"tasks.yaml": "a: 1  # planguard-disable-file" + " " * 100_000 + "!\n"})
        policy_of().judge({"tasks.yaml": "a: 1  # planguard-disable-file id-gap -- x" + " " * 100_000 + "!\n"})


def test_criteria_that_tasks_cite_all_together_are_limited() -> None:
    """300 tasks that each serve 300 criteria name 90,000: more than any real story, so it is not read."""
    report = check_text(_criteria(300), path="story.md", format="bmad-story")
    assert [finding.code for finding in report.findings] == ["too_large"]
    assert check_text(_criteria(50), path="story.md", format="bmad-story").plan is not None
