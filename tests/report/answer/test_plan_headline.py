"""The headline of a plan file: what was found, what was read, and what was not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_planguard.contract.finding import Finding, Related, Severity
from pytest_planguard.document.positions import Span
from pytest_planguard.plans.judging.judge_files import PlanReport
from pytest_planguard.plans.plan import Edge, Plan, Requirement, Task
from pytest_planguard.plans.rules.judge_plan import RULES
from pytest_planguard.report.plan_text import plan_headline, plan_name, render_plan, rule_list, rule_text, rule_values

from ...support.runs import finding
from ...support.verdicts import BAD
from ..clipping import A, lengths

TASKS = (Task("a", "a", ""), Task("b", "b", "", edges=(Edge("a", "a"),)))
PLAN = Plan("task-list", "Login", tasks=TASKS, find=lambda _: {})


def found(code: str, severity: str, *lines: int) -> Finding:
    """A finding about some lines."""
    first, *others = (Span(line, 1) for line in lines) if lines else (None,)
    related = tuple(Related("here", (), span) for span in others)
    return replace(finding(code), severity=Severity(severity), span=first, related=related)


def headline(*findings: Finding, plan: Plan | None = PLAN) -> str:
    """The headline of a report with these findings."""
    return plan_headline(PlanReport("a.md", "", plan, findings))


@pytest.mark.parametrize(
    ("findings", "text"),
    [
        ((), "valid task-list plan: 2 tasks, 1 dependency, 0 requirements"),
        ((found("x", "info"),), "valid task-list plan: 2 tasks, 1 dependency, 0 requirements"),
        ((found("x", "warn"),), "valid task-list plan: 2 tasks, 1 dependency, 0 requirements, 1 warning"),
        ((found("x", "warn"),) * 2, "valid task-list plan: 2 tasks, 1 dependency, 0 requirements, 2 warnings"),
        ((found("x", "retry"),), "not a valid task-list plan: 1 finding"),
        ((found("x", "retry"), found("x", "fail")), "not a valid task-list plan: 2 findings"),
        ((found("x", "fail"), found("x", "warn")), "not a valid task-list plan: 1 finding, 1 warning"),
        (
            (found("unread-tasks", "info", 7),),
            "task-list plan, read in part: 2 tasks, 1 dependency, 0 requirements; not read: line 7",
        ),
        (
            (found("unread-tasks", "warn", 9, 7, 7), found("unread-tasks", "warn", 8)),
            "task-list plan, read in part: 2 tasks, 1 dependency, 0 requirements; not read: lines 7, 8, 9, 2 warnings",
        ),
        (
            (
                replace(found("unread-tasks", "warn"), message="no list"),
                replace(found("unread-tasks", "warn"), message="b"),
            ),
            "task-list plan, read in part: 2 tasks, 1 dependency, 0 requirements; not read: no list; b, 2 warnings",
        ),
    ],
)
def test_the_headline_of_a_report(findings: tuple[Finding, ...], text: str) -> None:
    """Findings and warnings are counted; what was not read is named by its lines, or else in words."""
    assert headline(*findings) == text


@pytest.mark.parametrize(
    ("findings", "end"),
    [
        ((found("unread-tasks", "info", 7),), "; not read: line 7, 1 remark"),
        ((found("unread-tasks", "info", 7), found("dep-exists", "info")), "; not read: line 7, 2 remarks"),
        ((found("unread-tasks", "info", 7), found("x", "warn")), "; not read: line 7, 1 warning, 1 remark"),
        ((found("dep-exists", "info", 7),), ", 1 remark"),
        ((found("id-unique", "info", 9, 4),), "; not read: line 9, 1 remark"),
    ],
)
def test_a_guessed_plan_was_read_with_doubt(findings: tuple[Finding, ...], end: str) -> None:
    """Remarks that would weigh more in a named format are counted; of an id that repeats only the later line."""
    counts = "task-list plan, read in part: 2 tasks, 1 dependency, 0 requirements"
    assert headline(*findings, plan=replace(PLAN, known_by="text")) == f"{counts}{end}"


def test_twelve_lines_are_named() -> None:
    """And the others are counted."""
    twelve = ", ".join(map(str, range(1, 13)))
    assert f"not read: lines {twelve}, 1 warning" in headline(found("unread-tasks", "warn", *range(1, 13)))
    assert f"not read: lines {twelve} and 2 more, 1 warning" in headline(found("unread-tasks", "warn", *range(1, 15)))


def test_a_reason_without_end_is_cut() -> None:
    """Each reason has its own room."""
    assert lengths(headline(replace(found("unread-tasks", "warn"), message=A))) == {"A": 120}


def test_what_is_no_plan_has_no_kind() -> None:
    """Nothing was read of it."""
    assert headline(plan=None) == "valid plan: nothing was read"
    assert headline(found("x", "retry"), plan=None) == "not a valid plan: 1 finding"
    assert plan_name(PlanReport(None, "", PLAN)) == "task-list plan"


def test_the_counts_of_a_plan() -> None:
    """One of each, and more than a thousand dependencies."""
    edges = tuple(Edge("a", "a") for _ in range(1_000))
    one = replace(PLAN, tasks=(Task("a", "a", "", edges=edges),), requirements=(Requirement("r", "r"),))
    assert headline(plan=one) == "valid task-list plan: 1 task, 1,000 dependencies, 1 requirement"


def test_the_findings_of_a_plan_stand_by_gravity() -> None:
    """Remarks only where everything is asked for; in colour for a terminal."""
    findings = tuple(found(severity, severity) for severity in ("info", "warn", "retry", "fail"))
    report = PlanReport("a.md", BAD, PLAN, findings)
    whole = render_plan(report, everything=True).split("\n")
    assert [line.rpartition("  ")[2] for line in whole[1:]] == ["[fail]", "[retry]", "[warn]", "[info]"]
    assert render_plan(report).split("\n") == whole[:4]
    assert render_plan(report, color=True).split("\n")[1].startswith("  \x1b[31mX\x1b[0m ")
    assert render_plan(report, color=True, everything=True).split("\n")[4].startswith("  \x1b[2mi\x1b[0m ")
    assert render_plan(PlanReport("a.md", "", PLAN, findings[:1])) == headline()


RESTS_ON = {
    "document": "; a remark if the format was guessed",
    "list": "; a remark if the format was guessed",
    "references": "; a remark if the format was guessed and more than one number in five leads nowhere",
    "form": "; a remark if the format was guessed and more than one in ten is written this way",
    "tasks": "; a remark if a list of tasks was not read",
    "requirements": "; a remark if the format was guessed and requirements have another form",
}


@pytest.mark.parametrize("part", RESTS_ON)
def test_a_rule_says_when_it_is_only_a_remark(part: str) -> None:
    """Unless it is never more."""
    rule = replace(next(rule for rule in RULES if rule.on and rule.severity is Severity.RETRY), rests_on=(part,))  # type: ignore[arg-type]
    assert rule_text(rule).split("\n")[0] == f"{rule.code} (retry{RESTS_ON[part]})"
    assert rule_text(replace(rule, severity=Severity.INFO)).split("\n")[0] == f"{rule.code} (info)"
    off = replace(rule, on=False, rests_on=())
    assert rule_text(off).split("\n")[0] == f"{rule.code} (retry, off)"
    assert rule_list([off]).startswith(f"{rule.code:<22}retry, off   ")


def test_the_values_of_a_rule() -> None:
    """Its texts, its severity, and what it rests on."""
    rule = next(rule for rule in RULES if rule.code == "dep-self")
    assert rule_values(rule) == {
        "code": "dep-self",
        "severity": "retry",
        "rests_on": [],
        "on": True,
        "kind": "rule",
        "checks": "No task waits for itself.",
        "example": "T002 has `dependencies: [T002]`.",
        "mend": "Remove the entry.",
    }
