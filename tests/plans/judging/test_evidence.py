"""The document beside it makes a reading surer, and a document is not judged more mildly the worse it is."""

import pytest

from pytest_planguard.contract.finding import Severity
from pytest_planguard.plans.judging.judge_files import check_text
from pytest_planguard.plans.judging.policy import policy_of

SPEC = (
    "# Feature Specification: Login\n\n## User Scenarios & Testing\n\n{}\n## Requirements\n\n- **FR-001**: It MUST.\n"
)
STORY = "### User Story {} - Sign in (Priority: P1)\n\n1. **Given** a, **When** b, **Then** c\n"
TASKS = "# Tasks: Login\n\n## Phase 3: {}\n\n- [ ] T001 [US1] Ask in src/a.py\n- [ ] T002 [US4] Show in src/b.py\n"
KIRO = "# Requirements Document\n\n## Overview\n\nX.\n\n## Requirements\n\n"
WANTED = "### Requirement {}\n\n**User Story:** As a user, I want {}.\n\n"
CRITERIA = f"{WANTED}#### Acceptance Criteria\n\n1. WHEN a THEN it SHALL b\n"


def found(texts: dict[str, str], path: str) -> list[tuple[str, Severity]]:
    """Code and severity of what one file of a folder breaks."""
    return [(one.code, one.severity) for one in policy_of().judge(texts)[path].findings]


@pytest.mark.parametrize("folder", ["specs/001-login", "specs/006-json-template-engine"])
@pytest.mark.parametrize("phase", ["Rest", "User Story 4"])
def test_a_story_that_a_whole_spec_lacks_is_an_error(folder: str, phase: str) -> None:
    """The stories beside it count from 1, so they were all read. A feature may be about templates."""
    tasks, whole = f"{folder}/tasks.md", SPEC.format("\n".join(map(STORY.format, "12")))
    assert found({tasks: TASKS.format(phase), f"{folder}/spec.md": whole}, tasks) == [
        ("trace-backward", Severity.RETRY)
    ]
    gap = SPEC.format("\n".join(map(STORY.format, "13")))
    remark = [] if phase == "User Story 4" else [("trace-backward", Severity.INFO)]
    assert found({tasks: TASKS.format(phase), f"{folder}/spec.md": gap}, tasks) == remark


def test_criteria_that_whole_requirements_lack_are_errors_however_many() -> None:
    """Half of the citations lead nowhere, and the requirements and their criteria were all read."""
    spec = KIRO + "\n".join(CRITERIA.format(number, "it") for number in (1, 2, 3))
    cited = ("1.1, 1.6", "2.1, 2.6", "3.1, 3.6")
    tasks = "".join(f"- [ ] {n}. Write it\n  - _Requirements: {one}_\n" for n, one in enumerate(cited, 1))
    texts = {".kiro/specs/a/tasks.md": f"# Implementation Plan\n\n{tasks}", ".kiro/specs/a/requirements.md": spec}
    assert found(texts, ".kiro/specs/a/tasks.md") == [("trace-backward", Severity.RETRY)] * 3


@pytest.mark.parametrize(("other", "severity"), [("more", Severity.RETRY), ("it", Severity.INFO)])
def test_a_number_of_two_requirements_is_an_error_if_they_differ(other: str, severity: Severity) -> None:
    """The same text twice may be a copy."""
    path, named = ".kiro/specs/a/requirements.md", ((1, "that"), (2, "it"), (2, other))
    assert ("req-unique", severity) in found({path: KIRO + "\n".join(CRITERIA.format(*one) for one in named)}, path)


def test_notes_of_done_work_are_no_tasks() -> None:
    """Neither a list of achievements below a label, nor a note that a task was done."""
    text = (
        "# Tasks: Login\n\n## Phase 1: Setup\n\n- [x] T001 Write src/a.py\n- [ ] T002 Write src/b.py\n\n"
        "**Improvements completed**:\n- [X] Split the module\n- [X] Removed the store\n\n"
        "## Phase 1 details\n\n- ✅ **T001**: written\n\n**Total Tasks**: 2\n"
    )
    report = check_text(text, path="specs/001-login/tasks.md")
    assert report.plan is not None
    assert [task.id for task in report.plan.tasks] == ["T001", "T002"]
    assert report.findings == ()


def test_a_plan_inside_the_code_of_a_plan_is_none() -> None:
    """A fence inside a quoted template closes the outer one for Markdown."""
    quoted = "# [Feature] Plan\n\n### Task 1.2: [Next Task]\n\n```bash\nrun\n```\n\n### Task 1.2: [Next Task]\n"
    text = (
        "# Prompts Plan\n\n**Goal:** Make prompts configurable.\n\n### Task 1: Write the template\n\n"
        f'```python\nTEMPLATE = """\n{quoted}"""\n```\n\n### Task 2: Read the template\n\nRead it.\n'
    )
    assert check_text(text, path="docs/plans/2026-01-01-a.md").ok


@pytest.mark.parametrize("fence", ["```", "~~~", "~~~~"])
def test_any_fence_may_surround_a_plan(fence: str) -> None:
    """It is a finding of the file, and the plan is read."""
    report = check_text(f"{fence}markdown\n{TASKS.format('Rest')}{fence}\n", path="specs/a/tasks.md")
    assert report.plan is not None
    assert len(report.plan.tasks) == 2
    assert [one.code for one in report.findings] == ["fence"]


def test_a_number_that_two_tasks_share_is_an_error_and_a_list_that_counts_again_is_none() -> None:
    """A review of the tasks lists their numbers again; one number that repeats is a slip."""
    plan = "# Login Plan\n\n**Goal:** Sign in.\n\n{}"
    tasks = [f"### Task {{}}: {title}\n\nDo it.\n\n" for title in ("Ask", "Keep", "Show", "End")]
    slip = plan.format("".join(tasks)).format(1, 2, 2, 4)
    report = check_text(slip, path="docs/plans/2026-01-01-login.md")
    assert [(one.code, one.severity) for one in report.findings] == [("id-unique", Severity.RETRY)]
    again = plan.format("".join([*tasks, *tasks])).format(1, 2, 3, 4, 1, 2, 3, 4)
    report = check_text(again, path="docs/plans/2026-01-01-login.md")
    assert {one.severity for one in report.findings if one.code == "id-unique"} == {Severity.INFO}
