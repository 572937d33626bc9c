"""A plan and its findings as text: every value of the plan that is not its default, one element a line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from pytest_planguard.contract.finding import Finding
from pytest_planguard.document.path import to_dotted
from pytest_planguard.plans.judging.judge_files import check_text
from pytest_planguard.plans.plan import Place, Plan, Task

_LEFT_OUT = frozenset({"traits", "find", "headings", "prose", "defects"})
"""Fields of a plan that say how it is judged; what comes of them is among the findings."""


def reading(text: str, path: str, format_name: str) -> str:
    """Return what planguard reads in a plan file and what it finds."""
    report = check_text(text, path=path, format=format_name)
    lines = [] if report.plan is None else [*_plan(report.plan)]
    return "\n".join([*lines, *(f"! {_shown_finding(one)}" for one in report.findings), ""])


def _plan(plan: Plan) -> Iterator[str]:
    for field in fields(Plan):
        value = getattr(plan, field.name)
        if field.name in _LEFT_OUT or value in ((), None, "") or isinstance(value, Place):
            continue
        if isinstance(value, tuple):
            yield from (f"{field.name}: {_shown(plan, one)}" for one in value)
        else:
            yield f"{field.name}: {_shown(plan, value)}"


def _shown(plan: Plan, value: Any) -> str:
    if isinstance(value, Place):
        span = plan.locate([value]).get(value)
        return f"{to_dotted(value.path)}@{span.line}:{span.column}" if span else to_dotted(value.path)
    if isinstance(value, Task):
        pairs = [
            (one.name, getattr(value, one.name)) for one in fields(value) if getattr(value, one.name) != one.default
        ]
        return " ".join(f"{name}={_shown(plan, one)}" for name, one in pairs)
    if is_dataclass(value):
        pairs = [(field.name, getattr(value, field.name)) for field in fields(value)]
        return "(" + " ".join(f"{name}={_shown(plan, one)}" for name, one in pairs if one not in ((), None, "")) + ")"
    if isinstance(value, tuple):
        return "[" + ", ".join(_shown(plan, one) for one in value) + "]"
    return repr(str(value)) if isinstance(value, str) else str(value)


def _shown_finding(finding: Finding) -> str:
    """Return a finding in one line: place, path, code, weight, related places, and what was expected and seen.

    The wording of its message is pinned once, on the page of messages.
    """
    span = finding.span
    place = f"{span.line}:{span.column}-{span.end_line}:{span.end_column} " if span else ""
    said = f"{place}{to_dotted(finding.path)} [{finding.code}, {finding.severity.value}]"
    said += "".join(f"; also {to_dotted(one.path)}" for one in finding.related)
    return said + "".join(f" | {one}" for one in (finding.expected, finding.actual) if one)


def documents(folder: Path) -> list[Path]:
    """Return the plan files below a folder; each is in a folder named after its format."""
    return sorted(path for path in folder.glob("*/*") if path.suffix in (".md", ".json", ".yaml"))


def pinned(document: Path) -> Path:
    """Return the file beside a document that holds its reading."""
    return document.with_name(f"{document.name}.txt")
