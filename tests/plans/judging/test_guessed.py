"""Formats that were only guessed from the text: what is not sure is a remark, and the verdict says so."""

from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.contract.finding import Severity
from pytest_planguard.plans.judging.judge_files import PlanReport
from pytest_planguard.plans.judging.policy import policy_of
from pytest_planguard.report.plan_text import plan_headline

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
    assert weights(report) == {}
    assert [one.code for one in report.unsure] == ["unread-tasks"]
    assert (report.ok, report.verdict) == (True, "read_in_part")
    assert plan_headline(report) == (
        "spec-kit-tasks plan, read in part: 1 task, 0 dependencies, 0 requirements; not read: lines 9, 10, 1 remark"
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
        ("specs/a/tasks.md", "- [ ] T001 A\n- [ ] T002 B\n- [ ] T001 A\n", "id-unique", "info"),
        (
            "specs/a/tasks.md",
            "## Phase 1: X\n\n- [ ] T001 A\n- [ ] T002 B\n\n## Phase 2: Y\n\n- [ ] T001 C\n- [ ] T002 D\n",
            "id-unique",
            "info",
        ),
        ("specs/a/tasks.md", "- [ ] T001 A\n- [ ] T002 B (depends on T009)\n\n## About T009\n", "dep-exists", "info"),
        ("docs/plans/a.md", "# Plan\n\n### Task 1: A\n\nText.\n\n### Task 2: B\n\nText.\n", "goal-nonempty", "info"),
        (".kiro/specs/a/tasks.md", "- [ ] 1. A\n- [ ] 1. B\n", "id-unique", "retry"),
        ("openspec/changes/a/specs/b/spec.md", "### Requirement: A\n\nIt SHALL.\n", "delta-section", "retry"),
    ],
)
def test_a_guess_keeps_the_weight_of_what_is_wrong_on_any_reading(
    path: str, text: str, code: str, severity: str
) -> None:
    """Circles, ids that stand nowhere and single ids that repeat fail; what a project's habit explains is a remark."""
    assert {one.severity for one in judged(text, path).findings if one.code == code} == {Severity(severity)}


def test_the_path_of_a_tool_names_its_format_as_far_as_the_form_is_the_tools_own() -> None:
    """At Kiro's own path an empty list fails; numbered headings there may be what the project calls its tasks."""
    empty = judged("# Implementation Plan\n\n_Requirements: 1.2_\n", ".kiro/specs/a/tasks.md")
    assert weights(empty)["has-tasks"] is Severity.RETRY
    other = judged("# Implementation Plan\n\n_Requirements: 1.2_\n\n* 1 - Write it\n", ".kiro/specs/a/tasks.md")
    assert weights(other) == {}
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


LINES = (
    "- [ ] T001 Write a.py",
    "- [x] T002 Write b.py (depends on T001)",
    "- [ ] T002 Write c.py",
    "- [ ] T004 Write d.py (depends on T099)",
    "- [ ] T005 Write e.py (depends on T005)",
    "- [?] T006 Write f.py",
    "- [ ] Write g.py",
    "- [ ] T08 Write h.py",
    "Owner: TBD",
)
"""Tasks of spec-kit, most of them with something wrong."""


@given(st.lists(st.sampled_from(LINES), min_size=1, max_size=30))
def test_on_a_guess_with_an_unread_list_nothing_weighs_more_than_a_remark(lines: list[str]) -> None:
    """Who did not read the list does not judge the rest; with the name of the format the list is the finding."""
    text = "\n".join(["# Tasks: X", "", "## Phase 1: Y", "", *lines, "", "## Rollout", "", "- [ ] Switch it on"])
    guessed, named = judged(text, "specs/a/tasks.md"), judged(text, "specs/a/tasks.md", "spec-kit-tasks")
    if any(one.code == "unread-tasks" for one in guessed.findings):
        assert weights(guessed) == {}
        assert guessed.verdict == "read_in_part"
    if any(one.code == "unread-tasks" for one in named.findings):
        assert weights(named)["unread-tasks"] is Severity.RETRY
        assert not {"dep-exists", "ref-exists", "count-matches"} & weights(named).keys()  # what the list may cause


@given(st.lists(st.sampled_from(LINES), min_size=1, max_size=30))
def test_the_name_of_the_format_never_makes_a_finding_weigh_less(lines: list[str]) -> None:
    """Both readings find the same at the same places."""
    text = "\n".join(["# Tasks: X", "", "## Phase 1: Y", "", *lines])
    guessed, named = judged(text, "specs/a/tasks.md"), judged(text, "specs/a/tasks.md", "spec-kit-tasks")
    weighed = {(one.code, one.span, one.message): one.severity.rank for one in named.findings}
    assert all(weighed.get((one.code, one.span, one.message), 3) >= one.severity.rank for one in guessed.findings)


def test_a_weight_of_the_users_own_wins_over_what_is_sure() -> None:
    """A remark fails where somebody says so, and a breach warns."""
    text = "# Plan\n\n### Task 1: A\n\nText.\n\n### Task 2: B\n\nText.\n"
    assert weights(judged(text, "docs/plans/a.md")) == {}
    assert weights(judged(text, "docs/plans/a.md", "goal-nonempty=retry")) == {"goal-nonempty": Severity.RETRY}


def headed(levels: str) -> str:
    """Return a plan of headed tasks of which each is written with so many signs."""
    tasks = [f"{'#' * int(level)} Task {at}: Part {at}\n\nText.\n" for at, level in enumerate(levels, 1)]
    return "\n".join(["# Plan\n\n**Goal:** Faster.\n", *tasks])


@pytest.mark.parametrize(
    ("levels", "shown"),
    [("3333333332", 1), ("333333332", 0), ("3333333322", 0), ("2222222222", 0)],
    ids=["one of ten", "one of nine", "two of ten", "all"],
)
def test_a_deviation_of_one_in_ten_is_a_slip_and_more_are_a_habit(levels: str, shown: int) -> None:
    """Ten elements show how a project writes, and fewer do not."""
    report = judged(headed(levels), "docs/plans/a.md")
    assert sum(one.code == "header-format" and one.severity is Severity.WARN for one in report.findings) == shown


STORY = """\
# Story 1.1: Login

Status: in-progress

## Story

As a user, I want to log in.

## Acceptance Criteria

1. A form.
2. A token.
3. A log.
4. A test.
5. A page.
{more}
## Tasks

- [ ] Task 1: Form (AC: 1)
- [ ] Task 2: Token (AC: 2)
- [ ] Task 3: Log (AC: 3)
- [ ] Task 4: Test (AC: 4)
- [ ] Task 5: Page (AC: {last})
"""


@pytest.mark.parametrize(
    ("more", "last", "shown"),
    [
        ("", "9", {"trace-backward", "trace-forward"}),
        ("\n**Quality:**\n6. Fast.\n", "6", set()),  # Markdown takes the sixth for words of the paragraph
        ("", "9, 10, 11", {"trace-forward"}),  # many that lead nowhere count something else
    ],
    ids=["a slip", "criteria in a paragraph", "many"],
)
def test_a_citation_that_leads_nowhere_is_sure_where_all_criteria_were_read(
    more: str, last: str, shown: set[str]
) -> None:
    """A number beyond the list may be that of a criterion which stands in another form."""
    report = judged(STORY.format(more=more, last=last), "docs/stories/1.1.story.md")
    assert set(weights(report)) == shown


def test_a_template_is_judged_only_where_its_format_is_named() -> None:
    """Nothing in it is meant."""
    text = "- [ ] T001 A (depends on T002)\n- [ ] T002 B (depends on T001)\n"
    assert weights(judged(text, "specs/_template/tasks.md")) == {}
    assert weights(judged(text, "specs/_template/tasks.md", "spec-kit-tasks")) == {"dep-cycle": Severity.RETRY}


def test_a_dependency_in_prose_elsewhere_is_no_sure_ground() -> None:
    """The words "except where T001 depends on T002" say the opposite of what they look like."""
    text = "- [ ] T001 A\n- [ ] T002 B (depends on T001)\n\n## Dependencies\n\n- T001 depends on T002\n"
    report = judged(text, "specs/a/tasks.md")
    assert [(one.code, one.severity) for one in report.findings] == [("dep-cycle", Severity.INFO)]


def test_a_bare_number_in_a_subtask_is_a_sibling_though_a_task_has_the_number_too() -> None:
    """Task Master looks for its next task so: `2` inside subtask 1.1 is 1.2, and the circle stops both for good."""
    subtask = '{{"id": {}, "title": "S", "status": "pending", "description": "", "dependencies": {}}}'
    task = '{{"id": {}, "title": "T", "status": "pending", "description": "", "priority": "low", "dependencies": [],'
    subtasks = ", ".join(subtask.format(n, needs) for n, needs in ((1, "[2]"), (2, "[1]"), (3, "[3]"), (4, "[5, 1]")))
    others = ", ".join(f'{task.format(number)} "subtasks": []}}' for number in (2, 3, 5))
    text = f'{{"tasks": [{task.format(1)} "subtasks": [{subtasks}]}}, {others}]}}'
    found = [(one.code, one.severity, one.message) for one in judged(text, "tasks.json").findings]
    assert found == [
        ("dep-cycle", Severity.RETRY, "dependency cycle 1.1 -> 1.2 -> 1.1 (lines 1, 1)"),
        ("dep-self", Severity.RETRY, "1.3 depends on itself"),
    ]


@pytest.mark.parametrize(
    ("step", "severity"),
    [
        ("- [ ] Write the tests", "warn"),
        ("- [ ] Write the tests (deferred)", "info"),
        ("- [ ] Write the tests (separate story)", "info"),
        ("- [ ] Write the tests (Task 14)", "info"),
        ("- [ ] Rollback: delete the table", "info"),
        ("- [-] Write the tests", "info"),
    ],
)
def test_a_done_task_with_an_open_step_is_sure_where_the_step_was_not_dropped(step: str, severity: str) -> None:
    """What the words of a step give up is not left open."""
    done = "- [x] Task {}: Form\n  - [x] Write it\n"
    text = f"# Story 1.1: X\n\n## Tasks / Subtasks\n\n{done.format(1)}{done.format(2)}{done.format(3)}  {step}\n"
    report = judged(text, "docs/stories/1.1.story.md")
    assert [str(one.severity) for one in report.findings if one.code == "status-consistent"] == [severity]


def test_a_project_that_never_ticks_steps_has_a_habit() -> None:
    """Most done tasks have open steps: a remark for each."""
    text = "# Story 1.1: X\n\n## Tasks / Subtasks\n\n" + "- [x] Task 1: Form\n  - [ ] Write it\n" * 3
    report = judged(text, "docs/stories/1.1.story.md")
    assert {str(one.severity) for one in report.findings if one.code == "status-consistent"} == {"info"}


@pytest.mark.parametrize(
    ("first", "second", "severity"),
    [
        ("Write it in src/a.py", "Test it in src/a.py", "warn"),
        ("Write it in src/a.py", "Verify it in src/a.py", "info"),
        ("Write it in src/a.py", "Write a.py of the other folder", "info"),
        ("Create src/index.ts in apps/web", "Create src/index.ts in apps/api", "info"),
    ],
)
def test_parallel_tasks_meet_for_sure_where_each_changes_one_file_of_a_whole_path(
    first: str, second: str, severity: str
) -> None:
    """A file may only be looked at, and a bare name or a path below a folder may be another file."""
    text = f"# Tasks: X\n\n## Phase 1: Y\n\n- [ ] T001 [P] {first}\n- [ ] T002 [P] {second}\n"
    findings = judged(text, "specs/a/tasks.md").findings
    assert [str(one.severity) for one in findings if one.code == "parallel-safe"] == [severity]


def folder(cites: str, criteria: str = "1. It SHALL.\n2. It SHALL.\n3. It SHALL.\n") -> dict[str, PlanReport]:
    """Judge requirements of Kiro with a list of tasks that cites them."""
    head = "# Requirements Document\n\n## Introduction\n\nX.\n\n## Requirements\n\n### Requirement 1\n\n"
    texts = {
        ".kiro/specs/a/requirements.md": f"{head}#### Acceptance Criteria\n\n{criteria}",
        ".kiro/specs/a/tasks.md": f"# Implementation Plan\n\n{cites}",
    }
    return policy_of().judge(texts)


def cited(*numbers: str) -> str:
    """Return a list of tasks, each of which cites one requirement."""
    return "".join(f"- [ ] {at}. Write it\n  - _Requirements: {one}_\n" for at, one in enumerate(numbers, 1))


@pytest.mark.parametrize(
    ("numbers", "severity"),
    [
        (("1.1", "1.2", "1.3", "1.1", "1.9"), "retry"),
        (("1.1", "1.2", "1.9", "1.9", "1.9", *["1.3"] * 15), "retry"),
        (("1.1", "1.2", "1.3", "1.1", "1.9", "1.2.4", *["1.3"] * 9), "info"),
        (("1.1", "1.8", "1.9"), "info"),
    ],
    ids=["a slip", "three times", "another scheme", "many"],
)
def test_a_number_that_leads_nowhere_is_sure_as_a_slip(numbers: tuple[str, ...], severity: str) -> None:
    """If most lead nowhere, they are those of a list that the reader does not know; else all criteria were read."""
    findings = folder(cited(*numbers))[".kiro/specs/a/tasks.md"].findings
    assert {str(one.severity) for one in findings if one.code == "trace-backward"} == {severity}


@pytest.mark.parametrize(
    ("more", "severity"),
    [("", "warn"), ("  - _Validates: All requirements_\n", "info"), ("  - Covers 1.3, too\n", "info")],
)
def test_a_requirement_that_other_words_may_cite_is_not_left_out_for_sure(more: str, severity: str) -> None:
    """Each number that stands in the tasks may be a citation."""
    findings = folder(cited("1.1", "1.2") + more)[".kiro/specs/a/requirements.md"].findings
    assert [str(one.severity) for one in findings if one.code == "trace-forward"] == [severity]


def test_shall_is_asked_of_english_alone() -> None:
    """Other languages have words of their own."""
    text = "## ADDED Requirements\n\n### Requirement: A\n\n{}\n\n#### Scenario: B\n\n- **WHEN** a\n- **THEN** b\n"
    for words, severity in (("It lists the rooms.", "warn"), ("Kullanıcılar mekanları ekleyebilmelidir.", "info")):
        report = judged(text.format(words), "openspec/changes/a/specs/b/spec.md")
        assert [(one.code, str(one.severity)) for one in report.findings] == [("req-normative", severity)]


def test_a_renamed_requirement_may_have_backticks_in_its_name() -> None:
    """Only those around the whole name are marks."""
    sides = "- FROM: ### Requirement: The `a` pack\n- TO: ### Requirement: The `b` pack\n"
    report = judged(f"## RENAMED Requirements\n\n{sides}", "openspec/changes/a/specs/b/spec.md")
    assert report.findings == ()
