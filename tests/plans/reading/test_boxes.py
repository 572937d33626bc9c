"""Checkboxes in every form that models write: read as tasks, with the form as a finding at its place."""

import pytest

from pytest_planguard.plans.judging.judge_files import check_text
from pytest_planguard.plans.model.status import Status
from pytest_planguard.plans.reading.boxes import box_of

OPENSPEC = "openspec/changes/a/tasks.md"
SPEC_KIT = "specs/a/tasks.md"


@pytest.mark.parametrize(
    ("box", "status"),
    [("[]", Status.TODO), ("[✓]", Status.DONE), ("[✔️]", Status.DONE), ("[?]", Status.TODO), ("[done]", Status.DONE)],
)
def test_a_box_of_another_form_is_a_task_with_a_finding(box: str, status: Status) -> None:
    """No task is left out for its box; the finding stands at the box."""
    text = f"## 1. Group\n\n- [ ] 1.1 Do the first thing\n- {box} 1.2 Do the second thing\n"
    report = check_text(text, path=OPENSPEC, format="openspec-tasks")
    assert report.plan is not None
    assert [(task.id, task.status) for task in report.plan.tasks] == [("1.1", Status.TODO), ("1.2", status)]
    (finding,) = report.findings
    assert (finding.code, str(finding.severity)) == ("box-mark", "warn")
    assert finding.message == f"the checkbox {box} is in no standard form"
    assert finding.span is not None
    assert (finding.span.line, finding.span.column, finding.span.end_column) == (4, 3, 3 + len(box))


def test_a_box_without_a_blank_after_it_is_a_task() -> None:
    """The id begins right after the box."""
    report = check_text("## 1. Group\n\n- [ ] 1.1 Do it\n- [x]1.2 Do more\n", path=OPENSPEC)
    assert report.plan is not None
    assert [task.id for task in report.plan.tasks] == ["1.1", "1.2"]
    assert [finding.code for finding in report.findings] == ["box-mark"]


@pytest.mark.parametrize(
    "text", ["[x](https://example.org)", "[x]: a", "[P] T001", "[US1] a", "[1] a", "[a] b", "[", "a"]
)
def test_links_labels_and_citations_are_no_boxes(text: str) -> None:
    """They stand in brackets too."""
    assert box_of(text) is None


def test_ids_of_spec_kit_keep_their_suffixes() -> None:
    """T063.1 is another task than T063, and a dependency on it is one on it."""
    text = "# Tasks: x\n\n- [ ] T063 a\n- [ ] T063.1 b\n- [ ] T024-A c (depends on T063.1, T063)\n- [ ] T024-B d\n"
    report = check_text(text, path=SPEC_KIT)
    assert report.plan is not None
    assert [task.id for task in report.plan.tasks] == ["T063", "T063.1", "T024-A", "T024-B"]
    assert [edge.text for edge in report.plan.tasks[2].edges] == ["T063.1", "T063"]
    assert "id-unique" not in {finding.code for finding in report.findings}
