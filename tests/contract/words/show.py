"""A verdict as text: every value of every finding, as a person or a program sees it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pytest_planguard.contract.finding import Finding
from pytest_planguard.contract.verdict import Verdict
from pytest_planguard.document.path import to_dotted

_MORE = ("expected", "actual", "hint", "validator_code", "owner", "allowed")


def finding_lines(finding: Finding, indent: str = "  ") -> Iterator[str]:
    """Yield a line for the finding, one for each other value, and those of what it replaces."""
    span = finding.span
    place = f"{span.line}:{span.column}-{span.end_line}:{span.end_column} " if span else ""
    sort = f"[{finding.code}, {finding.kind.value}, {finding.severity.value}]"
    yield f"{indent}{place}{to_dotted(finding.path)} {sort} {finding.message}"
    for name in _MORE:
        value = getattr(finding, name)
        if value not in (None, ()):
            said = re.sub(r"(?<=\.py):\d+", "", str(value))  # lines of this suite move: "cases.py:132"
            yield f"{indent}    {name}: {said}".splitlines()[0]
    for one in finding.related:
        yield f"{indent}    related: {one.message} {to_dotted(one.path)} {one.span.line if one.span else ''}".rstrip()
    for one in finding.replaces:
        yield from finding_lines(one, f"{indent}    replaces ")


def verdict_text(title: str, verdict: Verdict[Any]) -> str:
    """Return the title, what was decided, and the findings."""
    kind = verdict.kind.value if verdict.kind else "good"
    head = f"{title}\n  {kind}, ask again: {verdict.reask.value}, {verdict.format}, {verdict.value!r:.200}"
    return "\n".join([head, *(line for finding in verdict.findings for line in finding_lines(finding))])
