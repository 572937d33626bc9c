"""What a verdict decides, in a line: kind, whether to ask again, and each finding with its code and place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from pytest_planguard import Finding, UsageError, Verdict

from ...support.decisions import Messages
from ...support.places import dotted


def decided(page: Messages, verdict: Verdict[Any]) -> str:
    """Return what a contract decides about one answer."""
    kind = verdict.kind.value if verdict.kind else "good"
    more = [verdict.reask.value] * (verdict.reask.value != "yes") + [verdict.format] * (verdict.format != "json")
    value = [] if verdict.value is None or not verdict.ok else [re.sub(r"\s+", " ", f"{verdict.value!r:.60}")]
    found = [one for finding in verdict.findings for one in _finding(page, finding)]
    return "; ".join([" ".join([kind, *more]), *value, *found])


def _finding(page: Messages, finding: Finding, sort: str = "") -> Iterator[str]:
    """Yield what a finding says in short, and what it stands for."""
    values = (dotted(finding.path), finding.actual, finding.owner, finding.expected)
    page.add("finding", finding.message, *values, *map(str, finding.allowed))
    page.add("expected", finding.expected, *map(str, finding.allowed))
    page.add("hint", re.sub(r"(?<=\.py):\d+", "", finding.hint or ""), finding.actual)
    span = finding.span
    place = f"@{span.line}:{span.column}-{span.end_line}:{span.end_column}".removesuffix("-None:None") if span else ""
    kind = f" {finding.kind.value}" if finding.kind.value != finding.code else ""
    severity = f" {finding.severity.value}" if finding.severity.value != "retry" else ""
    owner = f" of {finding.owner}" if finding.owner else ""
    like = "".join(f" like {one}" for one in re.findall('"[^"]*"', finding.hint or ""))
    code = f" by {finding.validator_code}" if finding.validator_code not in (None, finding.code) else ""
    for other in finding.related:
        page.add("related", other.message, dotted(other.path))
    also = "".join(f" and {dotted(other.path) or '.'}" for other in finding.related)
    yield f"{sort}{dotted(finding.path) or '.'} {finding.code}{kind}{severity}{code}{owner}{place}{also}{like}"
    for one in finding.replaces:
        yield from _finding(page, one, "for ")


def refused(page: Messages, work: Callable[[], object]) -> str:
    """Return what comes of work that may be refused; its words go on the page."""
    try:
        return str(work())
    except UsageError as error:
        page.add("refused", str(error))
        return "refused"
