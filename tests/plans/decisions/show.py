"""What is decided about a plan file, and what it is read as, in a line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pytest_planguard import Finding, UsageError
from pytest_planguard.plans.judging.judge_files import PlanReport, check_text

from ...support.decisions import Messages
from ...support.places import dotted

__all__ = ["PlanReport", "check_text", "decided", "found", "read_as", "refused", "whole"]


def decided(page: Messages, report: PlanReport) -> str:
    """Return the verdict on a plan file, the format that it is told to be of, and its findings."""
    plan = report.plan
    format_name = (
        f" {plan.format} by {plan.known_by}{' unsure of ' + ', '.join(plan.unsure) if plan.unsure else ''}"
        if plan
        else ""
    )
    return "; ".join([f"{report.verdict}{format_name}", *found(page, report.findings)])


def found(page: Messages, findings: Sequence[Finding], most: int = 12) -> Iterator[str]:
    """Yield the code, weight and place of each finding."""
    for number, one in enumerate(findings):
        said(page, one)
        if number < most:
            severity = f" {one.severity.value}" if one.severity.value != "retry" else ""
            also = "".join(f" and {dotted(other.path)}" for other in one.related)
            place = f"@{one.span}" if one.span else ""
            yield f"{dotted(one.path) or '.'} {one.code}{severity}{place}{also}"
    if len(findings) > most:
        yield f"{len(findings)} in all"


def said(page: Messages, one: Finding) -> None:
    """Put the words of a finding on the page."""
    names = [str(step) for step in one.path if isinstance(step, str)]
    page.add("plan finding", one.message, dotted(one.path), one.actual, *names)
    page.add("plan expected", one.expected, *names)
    page.add("plan hint", one.hint, *names)
    for other in one.related:
        page.add("plan related", other.message)


def whole(page: Messages, report: PlanReport) -> str:
    """Return what a plan file is read as, and what is decided about it."""
    return " / ".join([decided(page, report), *read_as(report.plan)])


def read_as(plan: Any) -> Iterator[str]:
    """Yield what a plan holds in short: "T1 todo after T2 files a.py cites FR-1: Write it"."""
    if plan is None:
        return
    yield from (
        f"{name} {_said(value)}" for name in ("title", "goal", "status", "budget") if (value := getattr(plan, name))
    )
    yield from (f"# {one.title}{f' [{one.key}]' if one.key else ''}" for one in plan.sections)
    yield from map(_task, plan.tasks)
    for one in plan.requirements:
        scenarios = "" if one.scenarios is None else f" {one.scenarios} scenarios"
        yield f"{one.kind} {one.id}{f' in {one.scope}' if one.scope else ''}{scenarios}"
    for name in ("mentions", "cites", "spoken_of", "start", "goals"):
        if getattr(plan, name):
            yield f"{name} {' '.join(map(_said, getattr(plan, name)))}"
    yield from (f"{name} after {edge.target}" for name, edge in plan.section_edges)
    yield from (f"{name} {one}" for name in ("links", "groups") for one in map(_plain, getattr(plan, name)))
    yield from (f"defect {one.code}" for one in plan.defects)


def _said(value: Any) -> str:
    return str(getattr(value, "name", value))


def _plain(value: Any) -> str:
    """Return an element without its places."""
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return f"({' '.join(map(_plain, value))})"
    names = getattr(value, "_fields", None) or getattr(value, "__slots__", ())
    return "-".join(_said(getattr(value, name)) for name in names if name != "place")


def _task(one: Any) -> str:
    parts = {
        "after": [edge.target for edge in one.edges],
        **{name: [ref.name for ref in getattr(one, name)] for name in ("files", "cites", "needs", "gives")},
        "by": [one.resource.name] if one.resource else [],
        "budget": [str(one.budget)] if one.budget is not None else [],
    }
    status = one.status.value if one.status else f"?{one.status_text}" if one.status_text else ""
    more = [f"{name} {' '.join(names)}" for name, names in parts.items() if names]
    marks = [f"[{one.section}]"] * (one.section is not None) + ["parallel"] * one.parallel + ["optional"] * one.optional
    below = [f"below {one.parent}"] * bool(one.parent) + [f"in {one.scope}"] * bool(one.scope)
    return f"{' '.join(filter(None, [one.id or f'-{one.key}', status, *marks, *below, *more]))}: {one.title}"


def refused(page: Messages, work: Callable[[], object]) -> str:
    """Return what comes of work that may be refused; its words go on the page."""
    try:
        return str(work())
    except UsageError as error:
        for line in str(error).splitlines():
            page.add("refused setting", line)
        return "refused"
