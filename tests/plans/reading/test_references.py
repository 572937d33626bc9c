"""Lists of ids, and dependencies that running text states."""

import pytest

from pytest_planguard.plans.judging.judge_files import check_text
from pytest_planguard.plans.reading.dependency_text import stated_dependencies
from pytest_planguard.plans.reading.id_lists import listed_ids
from pytest_planguard.plans.reading.section_names import names_section

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
    assert [one.id for one in listed_ids(text, 0, pattern)] == ids


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
    assert [(one.waiting.id, one.first.id) for one in stated_dependencies(text, T_ID)] == stated


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
            "Phase 1 depends on Phase 2, which stands after it",
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
