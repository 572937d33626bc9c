"""Render a plan file's report as text for a person: a headline, then each finding in its place. Describe rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..contract.finding import Severity
from ..printable import one_line
from .explain import first_sentence
from .finding_text import render_finding, render_findings
from .plain_text import count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..contract.finding import Finding
    from ..plans.judging.judge_files import PlanReport
    from ..plans.rules.rule import Rule


LINES_NAMED = 12
"""Maximum number of unread lines in a headline. The rest are counted."""


def plan_name(report: PlanReport) -> str:
    """Return the name of the file's kind: "spec-kit-tasks plan", or "plan" if no format could read it."""
    return "plan" if report.plan is None else f"{one_line(report.plan.format, 60)} plan"


def plan_headline(report: PlanReport) -> str:
    """Return the file's kind and result on one line.

    For a bad plan: 'not a valid spec-kit-tasks plan: 2 findings, 1 warning'. For a good one, with its counts: 'valid
    spec-kit-tasks plan: 9 tasks, 2 dependencies, 0 requirements, 1 warning'. If a part was not read: 'spec-kit-tasks
    plan, read in part: 9 tasks, 2 dependencies, 0 requirements; not read: lines 12, 13, 1 warning'.
    """
    bad = sum(finding.severity.bad for finding in report.findings)
    warned = sum(finding.severity is Severity.WARN for finding in report.findings)
    warnings = [count(warned, "warning")] if warned else []
    warnings += [count(len(report.unsure), "remark")] if report.unsure else []
    if bad:
        return f"not a valid {plan_name(report)}: {', '.join([count(bad, 'finding'), *warnings])}"
    if report.in_part:
        read = ", ".join(_amounts(report)) + (f"; not read: {_left_out(report)}" if report.unread else "")
        return f"{plan_name(report)}, read in part: {', '.join([read, *warnings])}"
    return f"valid {plan_name(report)}: {', '.join([*_amounts(report), *warnings])}"


def _amounts(report: PlanReport) -> list[str]:
    """Return how many elements were read: a zero shows that a list is missing."""
    plan = report.plan
    if plan is None:
        return ["nothing was read"]
    dependencies = sum(len(task.edges) for task in plan.tasks)
    words = ("dependency", "dependencies")
    return [
        count(len(plan.tasks), plan.traits.noun),
        f"{dependencies:,} {words[dependencies != 1]}",
        count(len(plan.requirements), "requirement"),
    ]


def _left_out(report: PlanReport) -> str:
    """Return text such as 'lines 12, 13 and 4 more', or what is missing: 'the plan has no tasks'."""
    lines = sorted({line for finding in report.unread for line in _lines_of(finding)})
    if not lines:
        return "; ".join(one_line(finding.message, 120) for finding in report.unread)
    more = f" and {len(lines) - LINES_NAMED:,} more" if len(lines) > LINES_NAMED else ""
    return f"line{'s' if len(lines) > 1 else ''} {', '.join(map(str, lines[:LINES_NAMED]))}{more}"


def _lines_of(finding: Finding) -> Iterator[int]:
    """Yield the 1-based lines that a finding is about. For a repeated id, that is only the later line."""
    if finding.span is not None:
        yield finding.span.line
    if finding.code != "id-unique":
        yield from (related.span.line for related in finding.related if related.span is not None)


def render_plan(report: PlanReport, *, everything: bool = False, color: bool = False) -> str:
    """Return the headline and the findings with code frames, worst first.

    Args:
        report: the result of the rules.
        everything: True for every finding, even remarks of severity info. Otherwise only the first ones above remarks.
        color: True for a terminal.
    """
    shown = worst_first(f for f in report.findings if everything or f.severity is not Severity.INFO)
    if everything:
        parts = [render_finding(finding, report.text, color=color) for finding in shown]
    else:
        parts = [render_findings(shown, report.text, color=color)] if shown else []
    return "\n".join([plan_headline(report), *parts])


def worst_first(findings: Iterable[Finding]) -> Sequence[Finding]:
    """Return findings by severity. Those of one severity stay in the order of the text."""
    return sorted(findings, key=lambda finding: -finding.severity.rank)


def rule_text(rule: Rule) -> str:
    """Return text for a terminal: what a rule checks, an example, and how to fix a finding."""
    guessed = "" if rule.severity is Severity.INFO else "".join(f"; a remark {_WHEN[part]}" for part in rule.rests_on)
    heading = f"{rule.code} ({_rule_severity(rule)}{guessed})"
    return f"{heading}\n\n{rule.what}\n\nExample: {rule.example}\nFix:     {rule.mend}\n"


def rule_list(rules: Iterable[Rule]) -> str:
    """Return one line per rule: its code, severity and the first sentence of its description."""
    return "".join(f"{rule.code:<22}{_rule_severity(rule):<13}{first_sentence(rule.what)}\n" for rule in rules)


def rule_values(rule: Rule) -> dict[str, object]:
    """Return a rule as plain values for JSON output."""
    return {
        "code": rule.code,
        "severity": str(rule.severity),
        "rests_on": list(rule.rests_on),
        "on": rule.on,
        "kind": rule.kind.value,
        "checks": rule.what,
        "example": rule.example,
        "mend": rule.mend,
    }


def _rule_severity(rule: Rule) -> str:
    return str(rule.severity) if rule.on else f"{rule.severity}, off"


_WHEN = {
    "document": "if the format was guessed",
    "list": "if the format was guessed",
    "references": "if the format was guessed and more than one number in five leads nowhere",
    "form": "if the format was guessed and more than one in ten is written this way",
    "tasks": "if a list of tasks was not read",
    "requirements": "if the format was guessed and requirements have another form",
}
"""When a rule's findings are uncertain, by the kind of evidence that the rule relies on."""
