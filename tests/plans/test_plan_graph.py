"""The order of work that a plan states."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard import UsageError, plan_graph
from pytest_planguard.plans.plan import Edge, Place, Plan, Ref, Task
from pytest_planguard.plans.plan_graph import graph_of

LISTED = """# Tasks: Login

## Phase 1: Setup

- [ ] T001 Create the package in src/__init__.py
- [ ] T002 [P] Write the store in src/store.py
- [ ] T003 [P] Write the form in src/form.py
- [ ] T004 Join them in src/app.py

## Phase 2: User Story 1

- [ ] T005 [US1] Write the page in src/page.py
"""


def tasks(edges: dict[str, str], **files: str) -> Plan:
    """Return a plan of data: task to the names that it waits for, and to the files that it works on."""
    made = (
        Task(name, name, edges=tuple(Edge(to, to) for to in waits.split()), files=_refs(files.get(name, "")))
        for name, waits in edges.items()
    )
    return Plan("task-list", tasks=tuple(made), find=lambda _: {})


def _refs(names: str) -> tuple[Ref, ...]:
    return tuple(map(Ref, names.split()))


def test_waves_and_the_critical_path_follow_the_dependencies() -> None:
    """Waves by the longest way from a task that waits for nothing."""
    graph = graph_of(tasks({"a": "", "b": "a", "c": "a", "d": "b c", "e": ""}))
    assert graph.waves == (("a", "e"), ("b", "c"), ("d",))
    assert graph.critical_path == ("a", "b", "d")
    assert graph.longest_chain == 3
    assert graph.unreachable == graph.unknown == graph.cycles == graph.conflicts == ()


def test_what_never_begins_is_named_with_what_waits_for_it() -> None:
    """Circles, a task that waits for itself, an unknown name, and all behind them."""
    graph = graph_of(tasks({"a": "c", "b": "a", "c": "b", "d": "a", "e": "gone", "f": "f", "g": ""}))
    assert graph.cycles == (("f", "f"), ("a", "c", "b", "a"))
    assert graph.unknown == ("gone",)
    assert graph.unreachable == ("a", "b", "c", "d", "e", "f")
    assert graph.waves == (("g",),)


def test_tasks_of_one_file_conflict_unless_they_wait_for_each_other() -> None:
    """Also where other tasks stand between them."""
    edges = {"a": "", "b": "a", "c": "b", "d": ""}
    graph = graph_of(tasks(edges, a="x.py", c="x.py y.py", d="y.py"))
    assert [(conflict.file, conflict.tasks) for conflict in graph.conflicts] == [("y.py", ("c", "d"))]


def test_a_list_that_marks_parallel_tasks_is_worked_through_in_its_order() -> None:
    """Marked neighbours share a wave; the next phase begins after the last one."""
    graph = plan_graph(LISTED)
    assert graph.waves == (("T001",), ("T002", "T003"), ("T004",), ("T005",))
    assert graph.critical_path == ("T001", "T002", "T004", "T005")


def test_what_is_stated_wins_over_the_order_of_the_list() -> None:
    """A task that waits for a later one moves behind it."""
    graph = plan_graph(LISTED.replace("[P] Write the store in src/store.py", "Write the store (depends on T004)"))
    assert graph.cycles == ()
    wave_of = {name: at for at, wave in enumerate(graph.waves) for name in wave}
    assert wave_of["T004"] < wave_of["T002"] < wave_of["T005"]


def test_a_task_that_never_begins_holds_up_no_task_that_only_follows_it() -> None:
    """Only what is stated keeps a task from beginning."""
    graph = plan_graph(LISTED.replace("src/store.py", "src/store.py (depends on T099)"))
    assert graph.unreachable == ("T002",)
    assert graph.unknown == ("T099",)
    assert graph.waves == (("T001",), ("T003",), ("T004",), ("T005",))


def test_a_task_ends_after_its_subtasks_and_they_begin_after_what_it_waits_for() -> None:
    """A subtask that no dependency names is a part of its task."""
    plan = Plan(
        "task-list",
        tasks=(
            Task("1", "1"),
            Task("2", "2", edges=(Edge("1", "1"),)),
            Task("2.1", "2.1", parent="2"),
            Task("2.2", "2.2", parent="2", edges=(Edge("2.3", "2.3"),)),
            Task("2.3", "2.3", parent="2"),
            Task("3", "3", edges=(Edge("2", "2"),)),
        ),
        find=lambda _: {},
    )
    graph = graph_of(plan)
    assert graph.waves == (("1",), ("2.3",), ("2.2",), ("2",), ("3",))
    assert next(task.folded for task in graph.tasks if task.name == "2") == 1


def test_ids_that_repeat_are_told_apart() -> None:
    """Each task has a name of its own."""
    plan = Plan("task-list", tasks=(Task("1", "1"), Task("1", "1", place=Place(("tasks", 1)))), find=lambda _: {})
    assert len({task.name for task in graph_of(plan).tasks}) == 2


def test_a_text_that_is_no_plan_has_no_graph() -> None:
    """It is an error of use, with the path."""
    with pytest.raises(UsageError, match=r"^notes\.md has no task graph: this is not a plan in a known format"):
        plan_graph("# Notes\n\nNothing to do.\n", path="notes.md")


@given(st.lists(st.sets(st.integers(0, 12), max_size=4), max_size=10), st.booleans())
def test_every_task_is_in_one_wave_behind_what_it_waits_for_or_never_begins(
    waits: list[set[int]], listed: bool
) -> None:
    """Laws of the graph of any plan."""
    made = (Task(str(n), str(n), edges=tuple(Edge(str(t), str(t)) for t in sorted(to))) for n, to in enumerate(waits))
    graph = graph_of(Plan("task-list", tasks=tuple(made), find=None if listed else lambda _: {}))
    wave_of = {name: at for at, wave in enumerate(graph.waves) for name in wave}
    assert sorted([*wave_of, *graph.unreachable], key=int) == [str(n) for n in range(len(waits))]
    for name, wave in wave_of.items():
        assert all(wave_of[str(target)] < wave for target in waits[int(name)])
    assert len(graph.critical_path) == graph.longest_chain
    assert all(wave_of[second] == wave_of[first] + 1 for first, second in pairwise(graph.critical_path))
    for cycle in graph.cycles:
        assert all(int(second) in waits[int(first)] for first, second in pairwise(cycle))
