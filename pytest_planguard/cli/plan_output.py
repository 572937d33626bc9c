"""A judged plan file in the output of `planguard check`: lines for a person, plain values for a program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..contract.severity import Severity
from ..report.answer.plan_text import render_plan
from ..report.text import one_line
from .finding_values import finding_values, place_values

if TYPE_CHECKING:
    from ..contract.finding import Finding
    from ..plans.judging.judge_files import PlanReport


def plan_lines(path: str, report: PlanReport, *, everything: bool) -> Iterator[str]:
    """The findings of a plan in their places; nothing where there are only remarks, unless everything is asked for."""
    if everything or any(finding.severity is not Severity.INFO for finding in report.findings):
        yield f"{path}: {render_plan(report, everything=everything)}"


def plan_values(report: PlanReport) -> dict[str, Any]:
    """A plan as plain values. `format` is null, and so are the figures, where it could not be read as any."""
    plan = report.plan
    return {
        "ok": report.ok,
        "format": plan.format if plan else None,
        "title": one_line(plan.title, 200) if plan else None,
        "goal": one_line(plan.goal.name, 500) if plan and plan.goal else None,
        "tasks": len(plan.tasks) if plan else None,
        "findings": [_finding(finding) for finding in report.findings],
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        **finding_values(finding),
        "expected": finding.expected,
        "actual": finding.actual,
        "hint": finding.hint,
        "related": [{"message": r.message, "path": list(r.path), **place_values(r)} for r in finding.related],
    }
