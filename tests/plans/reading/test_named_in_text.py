"""What running text names: lists of ids, what waits for what, and words that several formats share."""

from __future__ import annotations

import pytest

from pytest_planguard.plans.judging.judge_files import check_text
from pytest_planguard.plans.plan import EVERY
from pytest_planguard.plans.reading.named_in_text import ids_after, listed_ids, stated_dependencies
from pytest_planguard.plans.reading.section_names import names_section

from ...support.one_item import in_one_item

NUMBER = r"\d+(?:\.\d+)*"
T_ID = r"T\d{3}"


@pytest.mark.parametrize(
    ("text", "pattern", "ids"),
    [
        ("1.2, 1.3 and 2.1_", NUMBER, ["1.2", "1.3", "2.1"]),
        ("Requirements 1.2; 3", NUMBER, ["1.2", "3"]),
        ("1.3, Integration Test Findings 2, 4 & 5", NUMBER, ["1.3"]),
        ("Derived 1.1", NUMBER, []),
        ("other-spec/11.2", NUMBER, []),
        ("#4, related to Epic 7 completion", NUMBER, ["4"]),
        ("1-3", r"\d+", ["1", "2", "3"]),
        ("**T001** (schema), `T002`", T_ID, ["T001", "T002"]),
        ("T003-T005, then T009", T_ID, ["T003", "T004", "T005"]),
    ],
)
def test_a_list_ends_at_the_first_other_word(text: str, pattern: str, ids: list[str]) -> None:
    """What numbers something else is no citation."""
    assert [name for name, _ in listed_ids(text, 0, pattern)] == ids


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("T005 depends on T003 and T004", [("T005", "T003"), ("T005", "T004")]),
        ("**T005** is blocked by T003.", [("T005", "T003")]),
        ("T010-T011 can start after T009", [("T010", "T009"), ("T011", "T009")]),
        ("T001 blocks T002, T003", [("T002", "T001"), ("T003", "T001")]),
        ("T001 must be completed before T002", [("T002", "T001")]),
        ("T005 does not depend on T003", []),
        ("T005 has no dependencies; T006 depends on T005", [("T006", "T005")]),
        ("T005 and T006 can run together", []),
    ],
)
def test_clauses_state_what_waits_for_what(text: str, stated: list[tuple[str, str]]) -> None:
    """Both directions, lists and ranges; a clause that denies it states nothing."""
    assert [(waiting, first) for (waiting, _), (first, _) in stated_dependencies(text, T_ID)] == stated


PLAN = (
    "# Tasks: x\n\n## Phase 1: Setup\n\n- [ ] T001 Write a.py\n\n## Phase 2: Core\n\n- [ ] T002 Write b.py\n\n"
    "## {}\n\n{}\n"
)


@pytest.mark.parametrize(
    ("heading", "line", "code", "message"),
    [
        ("Dependencies", "- T002 depends on T009", "dep-exists", 'T002 depends on "T009", which does not exist'),
        ("依赖关系", "- T002 depends on T009", "dep-exists", 'T002 depends on "T009", which does not exist'),
        (
            "Dependencies & Execution Order",
            "- T001 depends on T002\n- T002 depends on T001",
            "dep-cycle",
            "dependency cycle T001 -> T002 -> T001 (lines 13, 14)",
        ),
        (
            "Dependencies",
            "- **Core (Phase 2)**: depends on Phase 1\n- Phase 1 waits for Phase 2",
            "dep-cycle",
            "dependency cycle Phase 1 -> Phase 2 -> Phase 1 (lines 14, 13)",
        ),
        (
            "Dependencies",
            "- Phase 2 depends on Phase 7",
            "dep-exists",
            'Phase 2 depends on "Phase 7", which does not exist',
        ),
        (
            "Phase Order",
            "- Phase 1 depends on Phase 2",
            "phase-order",
            "Phase 1 depends on Phase 2, which comes after it",
        ),
    ],
)
def test_sections_on_dependencies_are_read(heading: str, line: str, code: str, message: str) -> None:
    """Tasks and phases, in the sections that mean dependencies in any language."""
    report = check_text(PLAN.format(heading, line), path="tasks.md")
    assert (code, message) in [(finding.code, finding.message) for finding in report.findings]


def test_what_is_stated_twice_is_one_dependency() -> None:
    """A section that repeats what the task itself says adds nothing."""
    text = PLAN.format("Dependencies", "- T002 depends on T001").replace("b.py", "b.py (depends on T001)")
    report = check_text(text, path="tasks.md")
    assert report.plan is not None
    assert [edge.text for edge in report.plan.tasks[1].edges] == ["T001"]
    assert report.findings == ()


@pytest.mark.parametrize(
    ("heading", "meaning", "named"),
    [
        ("User Scenarios & Testing *(mandatory)*", "User Scenarios", True),
        ("2. Functional Requirements", "Requirements", True),
        ("사용자 시나리오 및 테스트", "User Scenarios", True),
        ("成功标准", "Success Criteria", True),
        ("🎯 Acceptance Criteria (AC)", "Acceptance Criteria", True),
        ("Story 1.2: Refresh", "Story", True),
        ("QA: acceptance criteria coverage", "Acceptance Criteria", False),
        ("Requirements Traceability", "Requirements", False),
        ("History", "Story", False),
    ],
)
def test_headings_are_matched_by_meaning(heading: str, meaning: str, named: bool) -> None:
    """Whole words and synonyms, in several languages; a heading about a thing does not name a section of it."""
    assert names_section(heading, meaning) is named


@pytest.mark.parametrize(
    ("name", "line", "cited"),
    [
        ("kiro-tasks", "  - _Requirements: 1.3, Integration Findings 2, 4_", ["1.3"]),
        ("kiro-tasks", "  - _Depends: x/11.2_", []),
    ],
)
def test_citations_stop_at_other_words(name: str, line: str, cited: list[str]) -> None:
    """Numbers of findings, and ids of another spec, are no requirements of this one."""
    plan = check_text(f"# Implementation Plan\n\n- [ ] 1. Write a\n{line}\n", path="tasks.md", format=name).plan
    assert plan is not None
    assert [ref.name for ref in plan.tasks[0].cites] == cited
    assert plan.tasks[0].edges == ()


TEXT = "It depends on T1, T2 and T3; T4"


@pytest.mark.parametrize(
    ("end", "ids"),
    [
        ("T1", []),
        (", T2", ["T1"]),
        ("T2", ["T1"]),
        (" and", ["T1", "T2"]),
        ("T3", ["T1", "T2"]),
        ("; T4", ["T1", "T2", "T3"]),
        ("T4", ["T1", "T2", "T3"]),
    ],
)
def test_ids_that_begin_before_the_end_of_the_clause(end: str, ids: list[str]) -> None:
    """One that begins where the clause ends is not of it."""
    start = TEXT.index("on ") + 2
    assert [name for name, _ in ids_after(TEXT, start, TEXT.index(end), r"T\d+")] == ids


ALL = [
    "All",
    "every",
    "tutti",
    "tutte",
    "todos",
    "todas",
    "tous",
    "toutes",
    "alle",
    "все",
    "全部",
    "所有",
    "すべて",
    "모두",
]
KIRO = "# Implementation Plan\n\n- [ ] 1. Write the parser\n  - {detail}\n- [ ] 2. Test the parser\n"
STORY = """# Story 1.1: Parser

Status: draft

## Acceptance Criteria

1. It reads a file.
2. It names the line of an error.

## Tasks / Subtasks

- [ ] Task 1: Write the parser (AC: {word})
"""
SPEC_KIT = (
    "# Tasks: Parser\n\n## Phase 1: Setup\n\n- [ ] T001 Write the parser\n- [ ] T002 Test the parser ({words} T001)\n"
)
OPENSPEC = "## 1. Parser\n\n- [ ] 1.1 Write the parser\n- [ ] 1.2 Test the parser ({words} 1.1)\n"
SUPERPOWERS = """# Parser Implementation Plan

**Goal:** Read files.

### Task 1: Write the parser

- [ ] **Step 1: Write it**

### Task 2: Test the parser

**{label}:** Task 1

- [ ] **Step 1: Test it**
"""


def edges(text: str, name: str) -> list[str]:
    """What the tasks of a plan wait for."""
    plan = check_text(text, path="plan.md", format=name).plan
    assert plan is not None
    return [edge.text for task in plan.tasks for edge in task.edges]


def cited(text: str, name: str) -> list[str]:
    """What the tasks of a plan cite."""
    plan = check_text(text, path="plan.md", format=name).plan
    assert plan is not None
    return [ref.name for task in plan.tasks for ref in task.cites]


@in_one_item
@pytest.mark.parametrize("word", ALL)
def test_every_requirement_is_cited_in_each_language(word: str) -> None:
    """By a task of Kiro and by one of a story alike."""
    assert cited(KIRO.format(detail=f"_Requirements: {word}_"), "kiro-tasks") == [EVERY]
    assert cited(STORY.format(word=word), "bmad-story") == ["1", "2"]


@pytest.mark.parametrize(
    "words", ["depends on", "depends upon", "requires", "blocked by", "is blocked by", "waits for", "waits on"]
)
def test_a_task_says_in_its_own_words_what_it_waits_for(words: str) -> None:
    """In a list of spec-kit and of OpenSpec alike."""
    assert edges(SPEC_KIT.format(words=words), "spec-kit-tasks") == ["T001"]
    assert edges(OPENSPEC.format(words=words), "openspec-tasks") == ["1.1"]


@pytest.mark.parametrize("words", ["does not depend on", "need not wait for", "is no prerequisite of"])
def test_a_task_that_waits_for_nothing_may_say_so(words: str) -> None:
    """The base form of a verb is the one that is denied."""
    assert edges(SPEC_KIT.format(words=words), "spec-kit-tasks") == []
    assert edges(OPENSPEC.format(words=words), "openspec-tasks") == []


@pytest.mark.parametrize(
    "label", ["Dependencies", "Dependency", "Depends", "Depends on", "Blocked by", "Prerequisite", "Prerequisites"]
)
def test_a_label_names_what_a_task_waits_for(label: str) -> None:
    """In spec-kit, Kiro and superpowers alike."""
    assert edges(SPEC_KIT.format(words=f"{label}:"), "spec-kit-tasks") == ["T001"]
    assert edges(KIRO.format(detail=f"_{label}: 2_"), "kiro-tasks") == ["2"]
    assert edges(SUPERPOWERS.format(label=label), "superpowers") == ["1"]
