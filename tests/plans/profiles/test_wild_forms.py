"""Forms of plans that public repositories showed and that the readers once misread."""

import pytest

from pytest_planguard.plans.judging.policy import policy_of
from pytest_planguard.plans.status import Status

from ...support.one_item import in_one_item

GROUPS = "# Tasks: Login\n\n## Fase 1: Backend\n\n- [x] 1.1 Crear el modelo\n- [ ] 1.2 Crear la vista\n"
HEADED = """\
# Tasks

## Backend

### Task 1: Create the service
- Write it

### Task 2: Create the client
- Write it
"""
LISTED = "# Tasks: Move to a CDN\n\n## Implementation Tasks\n\n1. **Research**\n   - Look around\n\n2. **Move it**\n"
TEAM_IDS = "# Tasks\n\n- [x] T-4: Improve the card\n- [ ] T-5: Describe it\n- [ ] P1: Wire it\n"
PROPOSAL = "# Proposal: Add a switcher\n\n## Summary\n\nA switcher.\n\n## Success Criteria\n\n- [ ] It switches\n"
SPANISH = """\
# Especificación: Instituciones

## Escenarios de Usuario y Pruebas

### Historia de Usuario 1 - Listar (Prioridad: P1)

**Escenarios de aceptación**:

1. **Dado** un usuario, **Cuando** entra, **Entonces** lista

## Requisitos

- **RF-001**: El sistema DEBE listar las instituciones.

## Criterios de éxito

- **CE-001**: Lista en un segundo.
"""
STORY = """\
# Story 4.2: Sort

Status: done

## Story

As a user, I want to sort.

## Acceptance Criteria

**AC1 — Always there:**
- **Given** the page
- **When** it loads
- **Then** a control is there

**AC2 — By label:**
- **Given** the control
- **Then** it sorts

## Tasks / Subtasks

- [x] **Task 1: Control** (AC: AC1, AC2)
"""
CHECKPOINTS = (
    "# Implementation Plan\n\n- [ ] 1. Build it\n  - _Requirements: 1.1_\n\n## 检查点\n\n- [x] 检查点1：完成\n"
)


@pytest.mark.parametrize(
    ("path", "text", "format_name", "tasks", "codes"),
    [
        ("specs/001/tasks.md", GROUPS, "openspec-tasks", 2, set()),
        ("openspec/changes/a/tasks.md", HEADED, "openspec-tasks", 2, {"task-form"}),
        ("openspec/changes/a/tasks.md", HEADED.replace("Task 1", "Task 1.1"), "openspec-tasks", 2, {"task-form"}),
        ("openspec/changes/a/tasks.md", LISTED, "openspec-tasks", 2, {"task-form"}),
        ("openspec/changes/a/tasks.md", TEAM_IDS, "openspec-tasks", 3, set()),
        ("openspec/changes/a/proposal.md", PROPOSAL, "openspec-proposal", 0, {"required-sections"}),
        ("specs/002/spec.md", SPANISH, "spec-kit-spec", 0, set()),
        ("stories/4-2.md", STORY, "bmad-story", 1, set()),
        (".kiro/specs/a/tasks.md", CHECKPOINTS, "kiro-tasks", 1, set()),
    ],
)
def test_a_form_is_read(path: str, text: str, format_name: str, tasks: int, codes: set[str]) -> None:
    """As what it is, with all its tasks, and with no finding but those that it deserves."""
    report = policy_of().judge({path: text})[path]
    assert report.plan is not None
    assert (report.plan.format, len(report.plan.tasks)) == (format_name, tasks)
    assert {finding.code for finding in report.findings} == codes


def test_a_list_without_any_id_is_said_to_be_one_once() -> None:
    """As info; where a neighbour has an id, each without one is named, as info too: no tool asks for ids."""
    path = "openspec/changes/a/tasks.md"
    bare = "# Tasks\n\n## 1. Model\n\n- [ ] Write it\n- [ ] Test it\n"
    [finding] = policy_of().judge({path: bare})[path].findings
    assert (finding.code, finding.severity, finding.message) == ("id-missing", "info", "none of the 2 tasks has an id")
    mixed = bare.replace("Write", "1.1 Write")
    [finding] = policy_of().judge({path: mixed})[path].findings
    assert (finding.code, finding.severity) == ("id-missing", "info")


def test_a_document_that_tasks_follow_is_not_what_they_work_on() -> None:
    """Two parallel tasks may read one file."""
    path = "specs/001/tasks.md"
    text = "# Tasks\n\n## Phase 1: Model\n\n- [ ] T001 [P] Write a.py per data-model.md\n"
    text += "- [ ] T002 [P] Write b.py {}\n"
    assert not policy_of().judge({path: text.format("as described in `data-model.md`")})[path].findings
    [finding] = policy_of().judge({path: text.format("and a.py")})[path].findings
    assert finding.code == "parallel-safe"


def test_a_phase_of_two_stories_serves_both() -> None:
    """A story that the heading of a phase names is cited."""
    scenario = "**Acceptance Scenarios**:\n\n1. **Given** a, **When** b, **Then** c\n\n"
    spec = "# Feature Specification: x\n\n## User Scenarios\n\n### User Story 1 - a\n\n" + scenario
    spec += f"### User Story 2 - b\n\n{scenario}## Requirements\n\n- **FR-001**: It MUST.\n\n"
    spec += "## Success Criteria\n\n- **SC-001**: One second.\n"
    tasks = "# Tasks\n\n## Phase 3: User Story 1 + US2\n\n- [ ] T001 [US1] Write a.py\n"
    reports = policy_of().judge({"specs/a/spec.md": spec, "specs/a/tasks.md": tasks})
    assert [finding.code for report in reports.values() for finding in report.findings] == []
    alone = {"specs/a/spec.md": spec, "specs/a/tasks.md": tasks.replace(" + US2", "")}
    reports = policy_of().judge(alone)
    assert [finding.message for finding in reports["specs/a/spec.md"].findings] == ["no task cites US2"]


SLICES = "# Mailbox — Implementation Plan\n\n**Goal:** A mailbox.\n\n## Slice 1: Reader\n\n- [ ] **1a.** Test it\n\n"
SLICES += "## Slice 2: Writer\n\n1. Write it\n"
SPEC = "# Feature Specification: x\n\n## User Scenarios\n\n## Requirements\n\n{}\n\n"
SPEC += "## Success Criteria\n\n- **SC-001**: a\n"
REQUIREMENT = "## ADDED Requirements\n\n### Requirement: Access\n{}\n\n#### Scenario: a\n- **WHEN** b\n- **THEN** c\n"
WITH_CRITERIA = (
    "# Story 1.1: Sort\n\nStatus: review\n\n## Story\n\nAs a user.\n\n## Acceptance Criteria\n\n### AC1: One\n\n"
)
WITH_CRITERIA += "- a\n- b\n\n### AC2: Two\n\n## Tasks\n\n- [ ] Task 1: All of it (AC: {})\n"


@in_one_item
@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("specs/a/tasks.md", "# Tasks\n\n## Phase 1: Types\n\n- [ ] M004 [P] Write a.py\n- [ ] M005 Write b.py\n"),
        ("specs/a/tasks.md", "# Tasks\n\n## Phase 1: a\n\n- [ ] T001 Write a.py\n- [x] SKIP: T002 (b) - see T002\n"),
        ("specs/a/tasks.md", "# Tasks\n\n## Phase 1: a\n\n- [ ] T167 Write a.py\n- [ ] T167-1 Write b.py\n"),
        ("specs/a/spec.md", SPEC.format("- FR-001: The site MUST have pages.")),
        ("specs/a/spec.md", SPEC.format("- **FR-001**: It MUST say [DATE] in the mail.")),
        ("openspec/changes/a/specs/b/spec.md", REQUIREMENT.format("系统SHALL通过接口提供访问。")),
        ("openspec/changes/a/tasks.md", "## TODO\n\n- [ ] 1.1 Write it\n"),
        ("docs/stories/1.1.md", WITH_CRITERIA.format("all")),
        ("docs/stories/1.1.md", WITH_CRITERIA.format("tutti")),
        ("docs/stories/1.1.md", WITH_CRITERIA.format("1, AC2")),
        (
            "docs/plans/a.md",
            "# A Plan\n\n**目标：** 写。\n\n### Task 0.1: Write it\n\n- [ ] **Step 1.5:** Do\n\nTask 1.5 is small.\n",
        ),
        (
            "docs/plans/a.md",
            "# A\n\n**Goal:** b.\n\n### Task 1: c\n\n### Task 2: d\n\n**Depends on:** Task 1\n\nThere is no Task 9.\n",
        ),
        ("docs/plans/a.md", "# Architecture\n\n**Goal:** A tool.\n\n## Layout\n\nOne package.\n"),
    ],
)
def test_a_sound_form_has_no_finding(path: str, text: str) -> None:
    """Ids with other letters, skipped tasks, plain requirements, criteria as headings, goals in Chinese, designs."""
    assert [finding.message for finding in policy_of().judge({path: text})[path].findings] == []


def test_slices_are_tasks_and_their_boxes_steps() -> None:
    """Numbers that begin again in each slice are not the same id twice."""
    report = policy_of().judge({"docs/plans/a.md": SLICES})["docs/plans/a.md"]
    assert report.plan is not None
    assert [(task.id, task.parent) for task in report.plan.tasks] == [("1", None), (None, "1"), ("2", None)]
    assert {finding.code for finding in report.findings} == {"header-format"}


def test_a_story_without_a_section_of_tasks_has_headed_tasks() -> None:
    """The missing section is said; the tasks are there."""
    text = (
        "# Story 1.1: Sort\n\n## Acceptance Criteria\n\n1. a\n\n## Spécification\n\n### T1 : Écrire\n\n### T2 : Lire\n"
    )
    report = policy_of().judge({"docs/stories/1.1.md": text})["docs/stories/1.1.md"]
    assert report.plan is not None
    assert [task.id for task in report.plan.tasks] == ["T1", "T2"]
    assert [finding.message for finding in report.findings] == ['the section "Tasks" is missing']


def test_a_plan_of_nothing_but_boxes_is_read() -> None:
    """Tasks without a header are named once, with their number; a list of checks is none."""
    text = (
        "# Refresh\n\n**Goal:** b.\n\n## Breakdown\n\n- [ ] Write it\n- [ ] Test it\n\n## Validation\n\n- [ ] It runs\n"
    )
    report = policy_of().judge({"docs/plans/a.md": text})["docs/plans/a.md"]
    assert report.plan is not None
    assert len(report.plan.tasks) == 2
    assert "no task has a header; 2 checkboxes are read as tasks" in [finding.message for finding in report.findings]


def test_a_dash_before_a_title_makes_no_range() -> None:
    """`Task A2 — T3 …` is task A2."""
    text = "# A\n\n**Goal:** b.\n\n### Task A2 — T3 is called\n\n### Task A3 — c\n\n**Depends on:** A2\n"
    report = policy_of().judge({"docs/plans/a.md": text})["docs/plans/a.md"]
    assert {finding.code for finding in report.findings} == {"header-format"}


def test_requirements_of_kiro_in_french() -> None:
    """Exigences and their criteria are requirements."""
    text = "# Document d'exigences\n\n## Introduction\n\na\n\n## Exigences\n\n### Exigence 1\n\n"
    text += "#### Critères d'acceptation\n\n1. QUAND a, LE système DOIT b\n"
    path = ".kiro/specs/a/requirements.md"
    report = policy_of().judge({path: text})[path]
    assert report.plan is not None
    assert [one.id for one in report.plan.requirements] == ["1", "1.1"]
    assert report.findings == ()


@in_one_item
@pytest.mark.parametrize(
    ("path", "text", "absent"),
    [
        ("docs/plans/a.md", "### Task 1: A\n\n- [ ] **1.1 Write it.** B\n\nAs in Task 1.1.\n", "ref-exists"),
        (
            "openspec/changes/a/tasks.md",
            "## 4a. X\n\n- [ ] 4a.1 A\n- [ ] 4a.2 B\n\n## 5. Y\n\n- [ ] 5.1 C\n",
            "id-missing",
        ),
        (
            "openspec/changes/a/tasks.md",
            "## 1. X\n\n- [ ] 1.1 A\n\n## Verification (Gate 5)\n\n- [ ] Green\n",
            "id-missing",
        ),
        ("specs/a/tasks.md", "## Phase 1: X\n\n- [ ] A1 Write it\n- [ ] B1 Test it\n", "id-missing"),
        ("specs/a/tasks.md", "## Phase 1: X\n\n- [ ] A1 Write it\n- [ ] B1 Test it\n", "id-format"),
        ("docs/plans/a.md", "### Task 1: A\n\nText.\n\n## Done when\n\n- [ ] It runs\n", "unread-tasks"),
        ("docs/plans/a.md", "### Task 0: A\n\nText.\n\n### Task 1: B\n\nText.\n", "id-format"),
        ("docs/plans/a.md", "**Goal:** X\n\n## PR 1.1 — A\n\n- [ ] X\n\n## PR 1.2 — B\n\n- [ ] Y\n", "id-missing"),
        ("openspec/changes/a/proposal.md", "# Proposal: A\n\n## Intent\n\nX.\n\n## Scope\n\nY.\n", "required-sections"),
        (
            "specs/a/tasks.md",
            "- [ ] T001 [P] Write README.md in api/README.md\n- [ ] T002 [P] Write README.md in web/README.md\n",
            "parallel-safe",
        ),
        ("docs/stories/1.md", "# Story 1.1: A\n\n**Status:** 📋 **BACKLOG**\n\n## Tasks\n\n- [ ] A\n", "status-enum"),
        (
            "docs/plans/a.md",
            "**Goal:** X\n\n### Task 1: A\n\nText.\n\n- nenhum TBD\n- 无 TBD/TODO\n",
            "no-placeholders",
        ),
        ("docs/plans/a.md", "### Task 3.2: A\n\nText.\n\nSee Task 3.2a.\n", "ref-exists"),
        ("specs/a/tasks.md", "- [ ] T001 A\n\n## Checklist hoàn thành\n\n- [ ] B\n", "unread-tasks"),
        ("specs/a/tasks.md", "- [ ] T001 [P] `index.js` in a/\n- [ ] T002 [P] `index.js` in b/\n", "parallel-safe"),
        ("specs/a/tasks.md", "- [ ] T001 A\n- [ ] T002 B\n\nThe check (T002a) runs last.\n", "ref-exists"),
        (
            "specs/a/tasks.md",
            "- [ ] T001 [P] Write a.py (data-model.md)\n- [ ] T002 [P] Write b.py (data-model.md)\n",
            "parallel-safe",
        ),
        (
            "specs/a/tasks.md",
            (
                "- [ ] T001 [P] A\n- [ ] T002 [P] B\n- [ ] T003 C\n\n## Dependencies\n\n"
                "- T001 and T002 run together except where T003 depends on T002, and T002 needs T001\n"
            ),
            "dep-self",
        ),
        ("docs/stories/1.md", "# Story 1.1: A\n\n## Story Statement\n\nX.\n\n## Tasks\n\n- [ ] A\n", "box-mark"),
        (
            "specs/a/tasks.md",
            "- [ ] T001 [P] A\n- [ ] T002 [P] B\n\n## Dependencies\n\n- T001 (requirements.txt), T002 - parallel\n",
            "parallel-independent",
        ),
    ],
)
def test_a_projects_own_way_of_writing_is_no_finding(path: str, text: str, absent: str) -> None:
    """Steps with numbers, checks without ids, lettered ids, other words for a task: each was read as a fault."""
    report = policy_of().judge({path: text})[path]
    assert report.plan is not None
    assert absent not in {finding.code for finding in report.findings}


def test_a_task_that_cites_all_requirements_is_said_beside_those_that_none_cites_by_number() -> None:
    """The blanket citation of a last task makes the finding a remark, with the reason in its message."""
    texts = {
        ".kiro/specs/a/requirements.md": (
            "# Requirements\n\n## Introduction\n\nX.\n\n## Requirements\n\n### Requirement 1\n\n"
            "#### Acceptance Criteria\n\n1. It SHALL a.\n2. It SHALL b.\n3. It SHALL c.\n"
        ),
        ".kiro/specs/a/tasks.md": (
            "- [ ] 1. A\n  - _Requirements: 1.1, 1.2_\n- [ ] 2. Test it\n  - _Requirements: All_\n"
        ),
    }
    found = policy_of().judge(texts)[".kiro/specs/a/requirements.md"].findings
    assert [(one.message, one.severity.value) for one in found] == [
        ("no task cites 1.3; one cites all of them", "info")
    ]


def codes(path: str, text: str) -> list[str]:
    """The code of each finding."""
    return [finding.code for finding in policy_of().judge({path: text})[path].findings]


def test_a_heading_of_kiro_is_quoted_at_its_own_level() -> None:
    """It is shown as it was written."""
    text = "# Implementation Plan\n\n### 1. Parser\n\n- _Requirements: 1.1_\n"
    report = policy_of(["kiro"]).judge({"tasks.md": text}, ["tasks.md"])["tasks.md"]
    assert [one.actual for one in report.findings if one.code == "task-form"] == ["### 1. Parser"]


@pytest.mark.parametrize("line", ["Status codes are kept as before.", "Status of the login is shown."])
def test_a_sentence_about_a_status_is_no_status_of_a_story(line: str) -> None:
    """A status has a colon, or is in bold."""
    assert "status-enum" not in codes("s.md", STORY.replace("Status: done", line))
    for written in ("Status: doing", "**Status** doing", "**Status:** doing", "**Status: doing**"):
        report = policy_of().judge({"s.md": STORY.replace("Status: done", written)})["s.md"]
        assert [one.actual for one in report.findings if one.code == "status-enum"] == ['"doing"'], written


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("Status in progress", Status.ACTIVE),
        ("Status Done (2026-01-31)", Status.DONE),
        ("Status done  \nOwner: Ada", Status.DONE),
    ],
)
def test_a_known_status_needs_no_colon(line: str, status: Status) -> None:
    """In any spelling, and with a note or a line break of Markdown behind it."""
    report = policy_of().judge({"s.md": STORY.replace("Status: done", line)})["s.md"]
    assert report.plan is not None
    assert report.plan.status is status


def test_a_total_that_is_a_truth_value_is_no_number() -> None:
    """`true` equals 1 in Python."""
    text = "_meta: {artifact_type: tasks}\ntasks: {}\nsummary: {total_tasks: true}\nphases: []\n"
    assert "count-matches" not in codes("tasks.yaml", text)
