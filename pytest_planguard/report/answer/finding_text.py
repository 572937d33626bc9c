"""Render a finding and a verdict as text for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...contract.finding import Severity
from ...document.answer import read
from ...document.path import to_dotted, value_at
from ...printable import one_line, visible
from ..media.text_table import Style
from .frame import CONTEXT, WIDTH, frame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...contract.finding import Finding
    from ...contract.verdict import Verdict
    from ...document.path import Path

MESSAGE_LIMIT = 240
"""Maximum number of characters of a message, hint or path. A model can make them very long."""
SHOWN = 8
"""Maximum number of findings of one answer to show with a code frame. The rest are counted."""
NAMED = 5
"""Maximum number of findings to name in a one-line reason. The rest are counted."""
MARKS = {Severity.INFO: "i", Severity.WARN: "!", Severity.RETRY: "x", Severity.FAIL: "X"}


def render_finding(finding: Finding, text: str, *, color: bool = False, context: int = CONTEXT) -> str:
    """Return one finding with its place in `text`, the model's own words: a line, a code frame, a hint.

    There is no frame if the finding has no place.
    """
    style = Style(color)
    lines = [_headline(finding, style)]
    if finding.span is not None:
        own = text_of(text, finding.inside)
        lines += [f"    {row}" for row in frame(own, finding.span, context=context, width=WIDTH)]
    lines += [f"    {_related(r.message, r.path)}" for r in finding.related]
    if finding.hint:
        lines.append(f"    hint: {one_line(finding.hint, MESSAGE_LIMIT)}")
    return "\n".join(lines)


def render_findings(findings: Sequence[Finding], text: str, *, color: bool = False) -> str:
    """Return findings one below the other, worst first. Those beyond `SHOWN` are counted by code."""
    parts = [render_finding(f, text, color=color) for f in findings[:SHOWN]]
    rest = findings[SHOWN:]
    if rest:
        codes = ", ".join(sorted({one_line(f.code, 40) for f in rest}))
        parts.append(f"  and {len(rest)} more ({codes})")
    return "\n".join(parts)


def render_verdict(verdict: Verdict, *, color: bool = False) -> str:
    """Return a verdict for a person: one line with the problem, then each finding in its place."""
    style = Style(color)
    name = one_line(verdict.contract, 80)
    if verdict.ok:
        notes = render_findings(verdict.findings, verdict.text, color=color)
        return f"{style.good('valid')} {name}" + (f"\n{notes}" if notes else "")
    return f"{verdict_head(verdict, color=color)}\n{render_findings(verdict.errors, verdict.text, color=color)}"


def verdict_head(verdict: Verdict, *, color: bool = False) -> str:
    """Return the first line of a bad verdict, such as 'not a valid Ticket: 2 findings'."""
    name = one_line(verdict.contract, 80)
    return f"{Style(color).bad(f'not a valid {name}')}: {count(len(verdict.errors), 'finding')}"


def named(findings: Sequence[Finding]) -> str:
    """Return places and codes for a one-line summary, such as 'priority [enum], steps [length] and 2 more'."""
    places = [f"{one_line(to_dotted(f.path), 60)} [{one_line(f.code, 40)}]" for f in findings[:NAMED]]
    more = f" and {len(findings) - NAMED} more" if len(findings) > NAMED else ""
    return ", ".join(places) + more


def place(finding: Finding) -> str:
    """Return the place of a finding on one line, such as 'tasks[0].id (line 4, column 9)'."""
    path = one_line(to_dotted(finding.path), 120)
    if finding.span is None:
        return path
    of = f" of {one_line(to_dotted(finding.inside), 60)}" if finding.inside else ""
    return f"{path} (line {finding.span.line}, column {finding.span.column}{of})"


def text_of(answer: str, field: Path) -> str:
    """Return the text of an answer's field, "" if the field has no text, or the answer itself for ()."""
    if not field:
        return answer
    try:
        value = value_at(read(answer).data, field)
    except LookupError:
        return ""
    return value if isinstance(value, str) else ""


def count(number: int, noun: str) -> str:
    """Return a count such as '1 finding', '2 findings' or '1,200 tokens'."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _headline(finding: Finding, style: Style) -> str:
    paint = style.bad if finding.severity.bad else style.warn if finding.severity is Severity.WARN else style.dim
    message = visible(one_line(finding.message, MESSAGE_LIMIT))
    code = style.dim(f"[{one_line(finding.code, 60)}]")
    return f"  {paint(MARKS[finding.severity])} {style.strong(place(finding))}: {message}  {code}"


def _related(message: str, path: tuple[str | int, ...]) -> str:
    return f"see {one_line(to_dotted(path), 120)}: {one_line(message, MESSAGE_LIMIT)}"
