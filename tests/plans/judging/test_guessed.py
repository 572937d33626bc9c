"""Formats that were only guessed from the text: what could not be read is a warning, and the verdict says so."""

from typing import cast

import pytest

from pytest_planguard.contract.severity import Severity
from pytest_planguard.plans.judging.judge_files import PlanReport
from pytest_planguard.plans.policy import policy_of
from pytest_planguard.report.answer.plan_text import plan_headline

LEFT_OUT = """\
# Tasks: Login

## Phase 1: Setup

- [ ] T001 Write a.py

## Cleanup

- [ ] Remove the old form
- [ ] Remove the old route
"""
"""The boxes under Cleanup have no ids, so that spec-kit has no place for them."""


def judged(text: str, path: str, *words: str) -> PlanReport:
    """Judge one text in the place of a file."""
    return policy_of(words).judge({path: text})[path]


def weights(report: PlanReport) -> dict[str, Severity]:
    """Return the findings that are more than a remark, by code."""
    return {one.code: one.severity for one in report.findings if one.severity is not Severity.INFO}


def test_a_list_that_was_left_out_of_a_guess_makes_the_plan_read_in_part() -> None:
    """Not valid and not invalid: the headline states what was read, and which lines were not."""
    report = judged(LEFT_OUT, "specs/a/tasks.md")
    assert weights(report) == {"unread-tasks": Severity.WARN}
    assert (report.ok, report.verdict) == (True, "read_in_part")
    assert plan_headline(report) == (
        "spec-kit-tasks plan, read in part: 1 task, 0 dependencies, 0 requirements; not read: lines 9, 10, 1 warning"
    )


@pytest.mark.parametrize("words", [("spec-kit",), ("spec-kit-tasks",)])
def test_where_the_format_is_named_the_same_list_is_a_breach(words: tuple[str, ...]) -> None:
    """Somebody says how the plan is written, so that a list beside it is wrong."""
    report = judged(LEFT_OUT, "specs/a/tasks.md", *words)
    assert weights(report) == {"unread-tasks": Severity.RETRY}
    assert report.verdict == "invalid"


def test_what_is_typed_about_a_rule_has_the_last_word() -> None:
    """A guess weighs less only where nobody gave the rule a weight."""
    assert judged(LEFT_OUT, "specs/a/tasks.md", "unread-tasks=retry").verdict == "invalid"
    assert judged(LEFT_OUT, "specs/a/tasks.md", "unread-tasks=off").verdict == "valid"


@pytest.mark.parametrize(
    ("path", "text", "code", "severity"),
    [
        ("specs/a/tasks.md", "- [ ] T001 A (depends on T002)\n- [ ] T002 B (depends on T001)\n", "dep-cycle", "retry"),
        ("specs/a/tasks.md", "- [ ] T001 A\n- [ ] T002 B (depends on T009)\n", "dep-exists", "retry"),
        ("specs/a/tasks.md", "- [ ] T001 A\n- [ ] T002 B\n- [ ] T001 C\n", "id-unique", "retry"),
        ("specs/a/tasks.md", "- [ ] T001 A\n- [ ] T002 B\n- [ ] T001 A\n", "id-unique", "warn"),
        (
            "specs/a/tasks.md",
            "## Phase 1: X\n\n- [ ] T001 A\n- [ ] T002 B\n\n## Phase 2: Y\n\n- [ ] T001 C\n- [ ] T002 D\n",
            "id-unique",
            "warn",
        ),
        ("specs/a/tasks.md", "- [ ] T001 A\n- [ ] T002 B (depends on T009)\n\n## About T009\n", "dep-exists", "warn"),
        ("docs/plans/a.md", "# Plan\n\n### Task 1: A\n\nText.\n\n### Task 2: B\n\nText.\n", "goal-nonempty", "warn"),
        (".kiro/specs/a/tasks.md", "- [ ] 1. A\n- [ ] 1. B\n", "id-unique", "retry"),
        ("openspec/changes/a/specs/b/spec.md", "### Requirement: A\n\nIt SHALL.\n", "delta-section", "retry"),
    ],
)
def test_a_guess_keeps_the_weight_of_what_is_wrong_on_any_reading(
    path: str, text: str, code: str, severity: str
) -> None:
    """Circles, ids that stand nowhere and single ids that repeat fail; what a project's habit explains warns."""
    assert weights(judged(text, path))[code] is Severity(severity)


def test_the_path_of_a_tool_names_its_format_as_far_as_the_form_is_the_tools_own() -> None:
    """At Kiro's own path an empty list fails; numbered headings there may be what the project calls its tasks."""
    empty = judged("# Implementation Plan\n\n_Requirements: 1.2_\n", ".kiro/specs/a/tasks.md")
    assert weights(empty)["has-tasks"] is Severity.RETRY
    other = judged("# Implementation Plan\n\n_Requirements: 1.2_\n\n* 1 - Write it\n", ".kiro/specs/a/tasks.md")
    assert weights(other)["has-tasks"] is Severity.WARN
    assert other.verdict == "read_in_part"


def test_a_text_that_speaks_weakly_for_a_format_and_has_nothing_of_it_is_no_plan() -> None:
    """A design with a goal at a place where plans stand is no plan without tasks; with a list of tasks it is one."""
    page = "# Cache\n\n**Goal:** Faster.\n\n## Implementation plan\n\nSoon.\n"
    assert judged(page, "docs/plans/cache.md").plan is None
    assert judged(f"{page}\n### Task 1: Write it\n", "docs/plans/cache.md").plan is not None


def test_json_with_the_tools_own_fields_is_no_guess() -> None:
    """Fields that only one tool writes tell the format as surely as its name."""
    text = '{"tasks": [{"id": 1, "title": "A", "status": "?", "priority": "low", "dependencies": [], "details": ""}]}'
    report = judged(text, "tasks.json")
    assert cast("object", report.plan) is not None
    assert weights(report) == {"status-enum": Severity.RETRY}
