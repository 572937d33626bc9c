"""A plan's report as text."""

from __future__ import annotations

import re

from pytest_planguard.contract.finding import Severity
from pytest_planguard.plans.judging.judge_files import PlanReport, check_text
from pytest_planguard.report.plan_text import plan_headline, render_plan, worst_first

from ...support.plans import text_of

TASKS = text_of("spec-kit-tasks")[1]
BROKEN = TASKS.replace("] T002 [P]", "] T001 [P]").replace("(depends on T003-T004)", "(depends on T003, T040)")


def test_the_headline_counts_findings_and_warnings() -> None:
    """What passes is said to be valid, also with warnings; what could be read as no format is only a plan."""
    assert plan_headline(check_text(TASKS, path="a.md")) == (
        "valid spec-kit-tasks plan: 5 tasks, 2 dependencies, 0 requirements"
    )
    broken = check_text(BROKEN, path="a.md", severity={"dep-exists": "warn"})
    assert plan_headline(broken) == "not a valid spec-kit-tasks plan: 1 finding, 1 warning"
    assert plan_headline(check_text("{", path="a.json")) == "not a valid plan: 1 finding"


def test_grave_findings_come_first_and_remarks_only_where_everything_is_asked_for() -> None:
    """By severity, and in the order of the text within each."""
    report = check_text(f"{BROKEN}\nSee T041.\n", path="a.md", severity={"id-unique": "warn", "ref-exists": "info"})
    assert [finding.severity for finding in worst_first(report.findings)] == [
        Severity.RETRY,
        Severity.WARN,
        Severity.INFO,
    ]
    assert re.findall(r"\[([a-z-]+)\]$", render_plan(report), re.MULTILINE) == ["dep-exists", "id-unique"]
    assert "[ref-exists]" in render_plan(report, everything=True)


def test_many_findings_are_counted_and_listed_only_where_everything_is_asked_for() -> None:
    """A plan with a thousand findings does not fill the screen."""
    lines = "".join(f"- [ ] T{number:03} Do it (depends on T999)\n" for number in range(100, 160))
    report = check_text(f"# Tasks: x\n\n## Phase 1: y\n\n{lines}", path="a.md")
    assert "and 52 more (dep-exists)" in render_plan(report)
    assert render_plan(report, everything=True).count("[dep-exists]") == 60


def test_hostile_text_is_shown_not_obeyed() -> None:
    """Control characters of the plan never reach the terminal, whatever is asked for."""
    report: PlanReport = check_text(BROKEN.replace("the linter", "\x1b[2J\u202e"), path="a.md")
    assert not set(render_plan(report, everything=True)) & set("\x1b\u202e")
