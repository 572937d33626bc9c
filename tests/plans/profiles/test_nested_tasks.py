"""Indented boxes with an id in spec-kit's tasks.md are tasks with a parent."""

import pytest

from pytest_planguard import plan_graph
from pytest_planguard.plans.judging.judge_files import check_text
from pytest_planguard.plans.judging.policy import policy_of

HEAD = "# Tasks: X\n\n## Phase 1: Setup\n\n"


def findings(items: str) -> list[tuple[str, int, str]]:
    """Code, line in the list, and message of every finding."""
    report = policy_of(["spec-kit"]).judge({"tasks.md": HEAD + items})["tasks.md"]
    return [(one.code, one.span.line - 4 if one.span else 0, one.message) for one in report.findings]


def test_an_id_that_repeats_inside_its_parent_is_found() -> None:
    """The second box is the one at fault."""
    items = "- [ ] T001 Create src/app.py\n  - [ ] T001 Write src/n.py\n"
    assert findings(items) == [("id-unique", 2, "the id T001 is used 2 times, first (line 5)")]


def test_a_reference_to_a_nested_task_is_resolved() -> None:
    """At every depth, and in every form of an id."""
    items = (
        "- [ ] T001 Create src/app.py\n  - [ ] T002 Write src/n.py\n    - [ ] [P] T003 Write src/m.py\n"
        "- [ ] T004 Test src/n.py (depends on T002, T003)\n"
    )
    assert [code for code, _, _ in findings(items)] == ["task-form"]  # the label before the id


def test_dependencies_and_files_are_those_of_the_nearest_task() -> None:
    """A child's text is not its parent's, and a parent's later text is not the child's."""
    items = (
        "- [ ] T001 Create src/a.py\n  - [ ] T002 Write src/b.py (depends on T009)\n    - in src/c.py\n"
        "  - also src/d.py (depends on T008)\n"
    )
    assert [message for code, _, message in findings(items) if code == "dep-exists"] == [
        'T002 depends on "T009", which does not exist',
        'T001 depends on "T008", which does not exist',
    ]
    plan = check_text(HEAD + items, format="spec-kit-tasks").plan
    assert plan is not None
    assert {task.id: [file.name for file in task.files] for task in plan.tasks} == {
        "T001": ["src/a.py", "src/d.py"],
        "T002": ["src/b.py", "src/c.py"],
    }


def test_a_parent_is_done_after_its_children() -> None:
    """A done parent with an open child is a finding; the graph makes the parent wait."""
    items = "- [x] T001 Create src/app.py\n  - [ ] T002 Write src/n.py\n- [ ] T003 Test it (depends on T002)\n"
    assert findings(items)[0][0] == "status-consistent"
    assert plan_graph(HEAD + items, "spec-kit-tasks").waves[0] == ("T002",)


@pytest.mark.parametrize(
    "inner",
    [
        "  - [ ] T002\n",  # only names a task
        "  - [ ] T002-T003 pass\n",
        "  - [ ] T002 and T003 are merged\n",
        "  - T002 is needed\n",  # no box
        "  - [ ] Write it\n",  # no id
        "  - [✓] T001 Written\n",  # notes what was done
    ],
)
def test_other_inner_items_are_text_of_their_task(inner: str) -> None:
    """They add no task."""
    items = f"- [ ] T001 Create src/app.py\n{inner}- [ ] T002 Write it\n- [ ] T003 Test it\n"
    plan = check_text(HEAD + items, format="spec-kit-tasks").plan
    assert plan is not None
    assert [task.id for task in plan.tasks] == ["T001", "T002", "T003"]


def test_a_nested_task_below_an_item_without_an_id_has_no_parent() -> None:
    """An item that only groups tasks is no task."""
    items = "- **Models**\n  - [ ] T001 Write src/a.py\n  - [ ] T002 Write src/b.py (depends on T001)\n"
    plan = check_text(HEAD + items, format="spec-kit-tasks").plan
    assert plan is not None
    assert [(task.id, task.parent, len(task.edges)) for task in plan.tasks] == [("T001", None, 0), ("T002", None, 1)]
