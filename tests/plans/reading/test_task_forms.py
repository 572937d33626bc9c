"""Tasks in other forms than a format's own are read, each with its deviation, or named as unread."""

import pytest

from pytest_planguard.plans.judging.judge_files import PlanReport, check_text
from pytest_planguard.plans.reading.task_forms import headed_task
from pytest_planguard.plans.status import Status


def judged(text: str, name: str) -> PlanReport:
    """The report of a text as a plan of one format."""
    return check_text(text, path="tasks.md", format=name)


def codes(report: PlanReport) -> list[tuple[str, int]]:
    """Code and line of every finding."""
    return [(finding.code, finding.span.line if finding.span else 0) for finding in report.findings]


@pytest.mark.parametrize(
    ("text", "task_id", "done"),
    [
        ("T004: Write the parser", "T004", False),
        ("[T004] Write the parser", "T004", False),
        ("- [x] T019 Write the parser", "T019", True),
        ("✅ Task 2: Parser", "2", True),
        ("TASK-001 Parser", "TASK-001", False),
        ("Task A1.2 - Parser", "A1.2", False),
        ("任务 3:解析器", "3", False),
        ("Aufgabe 7: Parser", "7", False),
        ("T024-A: Parser", "T024-A", False),
        ("T063.1 Parser", "T063.1", False),
    ],
)
def test_a_heading_names_a_task(text: str, task_id: str, *, done: bool) -> None:
    """Marks, brackets, signs and other languages are looked through; ids keep their suffixes."""
    task = headed_task(text)
    assert task is not None
    assert (task.id, task.done) == (task_id, done)
    assert text[task.offset :].startswith(task_id)


@pytest.mark.parametrize(
    "text", ["3. Parser", "T001-T005: Setup", "Phase 2: Parser", "Tasks", "Task overview", "T1 line"]
)
def test_other_headings_name_none(text: str) -> None:
    """Numbered sections, ranges and headings about tasks are no tasks."""
    assert headed_task(text) is None


SPEC_KIT = "# Tasks: x\n\n## Phase 1: Setup\n\n- [ ] T001 Write a.py\n{}\n- [ ] T003 Write c.py\n"


@pytest.mark.parametrize(
    ("line", "task_id", "code"),
    [
        ("- [ ] [T002] [P] Write b.py", "T002", "task-form"),
        ("- [ ] [P] [T002] Write b.py", "T002", "task-form"),
        ("- T002 Write b.py", "T002", "task-form"),
        ("- [✓] T002 Write b.py", "T002", "box-mark"),
        ("- [] T002 Write b.py", "T002", "box-mark"),
        ("- ☐ T002 Write b.py", "T002", "box-mark"),
        ("- [ ] Write b.py", None, "id-missing"),
        ("- [ ] TASK-002 Write b.py", "TASK-002", "id-format"),
    ],
)
def test_spec_kit_tasks_in_other_forms(line: str, task_id: str | None, code: str) -> None:
    """Each is a task, and the finding stands on its line."""
    report = judged(SPEC_KIT.format(line), "spec-kit")
    assert report.plan is not None
    assert [task.id for task in report.plan.tasks] == ["T001", task_id, "T003"]
    assert codes(report) == [(code, 6)]


def test_headed_tasks_of_spec_kit_hold_what_stands_below_them() -> None:
    """Boxes below a headed task are its steps, and its dependencies count."""
    text = "# Tasks: x\n\n### ✅ T001: Write a.py\n\n- [ ] one step\n\n### T002: Write b.py\n\nDepends on T009.\n"
    report = judged(text, "spec-kit")
    assert report.plan is not None
    assert [(task.id, task.status) for task in report.plan.tasks] == [("T001", Status.DONE), ("T002", Status.TODO)]
    assert ("dep-exists", 9) in codes(report)
    assert "unread-tasks" not in {code for code, _ in codes(report)}


def test_a_remark_on_tasks_is_no_task() -> None:
    """An item that speaks of tasks which boxes list repeats none of them."""
    text = (
        SPEC_KIT.format("- [ ] T002 Write b.py")
        + "\n## Notes\n\n- T001 and T002 can run together\n- T003 depends on T001\n"
    )
    report = judged(text, "spec-kit")
    assert report.plan is not None
    assert len(report.plan.tasks) == 3


def test_a_list_that_was_not_read_withholds_valid_and_a_checklist_does_not() -> None:
    """Boxes in a section of their own look like tasks; below "Definition of Done" they are checks."""
    report = judged(SPEC_KIT.format("") + "\n## Rollout\n\n- [ ] Switch it on\n- [ ] Watch it\n", "spec-kit")
    assert not report.ok
    assert [finding.message for finding in report.findings if finding.severity.bad] == [
        "2 checkboxes under 'Rollout' were not read as tasks"
    ]
    assert judged(SPEC_KIT.format("") + "\n## Definition of Done\n\n- [ ] Tests pass\n", "spec-kit").ok


def test_a_table_of_tasks_is_named_as_unread() -> None:
    """A table has no place in the format; its rows are counted."""
    text = SPEC_KIT.format("") + "\n| Task | What |\n|---|---|\n| T004 | Write d.py |\n| T005 | Write e.py |\n"
    assert "a table with 2 rows of tasks was not read" in [
        finding.message for finding in judged(text, "spec-kit").findings
    ]


@pytest.mark.parametrize(
    ("line", "code"), [("- 1.2 Write b", "task-form"), ("- [?] 1.2 Write b", "box-mark"), ("- [ ] 1.2", "task-text")]
)
def test_openspec_tasks_in_other_forms(line: str, code: str) -> None:
    """An item without a box is a task where its number is one of its group."""
    report = judged(f"## 1. Store\n\n- [ ] 1.1 Write a\n{line}\n", "openspec-tasks")
    assert report.plan is not None
    assert [task.id for task in report.plan.tasks] == ["1.1", "1.2"]
    assert codes(report) == [(code, 4)]


@pytest.mark.parametrize(
    ("line", "ids", "code"),
    [
        ("- [ ] Write b", ["1", None], "id-missing"),
        ("2. [ ] Write b", ["1", "2"], "task-form"),
        ("- [done] 2. Write b", ["1", "2"], "box-mark"),
    ],
)
def test_kiro_tasks_in_other_forms(line: str, ids: list[str | None], code: str) -> None:
    """A box without a number among numbered ones is a task without an id."""
    report = judged(f"# Implementation Plan\n\n- [ ] 1. Write a\n{line}\n", "kiro-tasks")
    assert report.plan is not None
    assert [task.id for task in report.plan.tasks] == ids
    assert codes(report) == [(code, 4)]


def test_headed_tasks_of_kiro_own_the_boxes_below_them() -> None:
    """Where no box has a number, numbered headings are the tasks and the boxes their steps."""
    report = judged("# Plan\n\n### 任务 1:解析\n\n- [ ] one\n- [ ] two\n\n### 2. Tests\n\n- [x] three\n", "kiro-tasks")
    assert report.plan is not None
    assert [(task.id, task.parent) for task in report.plan.tasks] == [
        *(("1", None), (None, "1"), (None, "1")),
        *(("2", None), (None, "2")),
    ]
    assert report.ok
