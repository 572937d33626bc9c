"""Render a finding and a verdict as text for a person, with a code frame of the model's own text.

Only LF, CRLF and a lone CR end a line, as in spans.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ..contract.finding import Severity
from ..document.answer import read
from ..document.path import to_dotted, value_at
from ..printable import one_line, visible, visible_char
from .plain_text import Style, char_width, count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..contract.finding import Finding
    from ..contract.verdict import Verdict
    from ..document.path import Path
    from ..document.positions import Span


CONTEXT = 2
"""Number of lines to show before and after the place."""
WIDTH = 88
"""Terminal columns for the model's text. Longer lines are shown as a window around the place."""
TAB = 4
"""Columns of a tab."""
LINE_END = re.compile(r"\r\n|\n|\r")
"""Ends of lines as editors count them. "\\r\\n" is one end, and U+2028 does not count."""


class Cell(NamedTuple):
    """One character of the model's text in its printed form."""

    text: str
    width: int
    """Terminal columns."""


def frame(text: str, span: Span, *, context: int = CONTEXT, width: int = WIDTH) -> list[str]:
    """Return the lines around `span` with line numbers, and a caret line under the place.

    Return [] if the text has no such line. Control characters are shown as escapes, tabs as blanks. The carets are
    under the marked characters, even wide ones.
    """
    first = max(span.line - context, 1)
    lines = _lines(text, first, span.line + context)
    if len(lines) <= span.line - first:
        return []
    gutter = len(str(first + len(lines) - 1))
    start, mark = _window(lines[span.line - first], span, width)
    rows = []
    for number, line in enumerate(lines, first):
        rows.append(f"{number:>{gutter}} | {_cut(line, start, width)}".rstrip())
        if number == span.line:
            rows.append(f"{'':>{gutter}} | {mark}")
    return rows


def _lines(text: str, first: int, last: int) -> list[str]:
    """Return lines `first` to `last` (1-based) without line breaks. Nothing after `last` is read."""
    found = []
    position, number = 0, 1
    while number <= last:
        end = LINE_END.search(text, position)
        if number >= first:
            found.append(text[position : end.start() if end else len(text)])
        if end is None:
            break
        position, number = end.end(), number + 1
    return found


def _cells(line: str) -> list[Cell]:
    cells = []
    column = 0
    for index, char in enumerate(line):
        command = char == "[" and line[max(0, index - 2) : index] == "##"  # a build log obeys `##[` anywhere in a line
        cell = _tab(column) if char == "\t" else Cell(r"\x5b", 4) if command else _cell(char)
        cells.append(cell)
        column += cell.width
    return cells


def _tab(column: int) -> Cell:
    size = TAB - column % TAB
    return Cell(" " * size, size)


def _cell(char: str) -> Cell:
    shown = visible_char(char)
    return Cell(shown, char_width(char) if shown == char else len(shown))


def _window(line: str, span: Span, width: int) -> tuple[int, str]:
    """Return the first character (0-based) of the window over all lines of the frame, and the caret line."""
    column = min(span.column - 1, len(line))
    end = span.end_column - 1 if span.end_column and span.end_line in (None, span.line) else column + 1
    # Compare the length first, so that only the window of a 50 MB line is ever measured.
    whole = end <= width and _columns(line[:end]) < width
    start = 0 if whole else _start(line, column, width // 3)
    before = (1 if start else 0) + _columns(line[start:column])
    marked = _columns(line[column : min(end, column + width)])
    # one caret at least, for a place at the end of a line or on a character without width
    return start, " " * before + "^" * max(min(marked, width - before), 1)


def _columns(line: str) -> int:
    return sum(cell.width for cell in _cells(line))


def _start(line: str, column: int, room: int) -> int:
    """Return the first character of a window that leaves at most `room` columns before `column`."""
    start = column
    while start and (room := room - _cells(line[start - 1])[0].width) >= 0:
        start -= 1
    return start


def _cut(line: str, start: int, width: int) -> str:
    """Return the part of a line that the frame shows, with an ellipsis at each cut."""
    shown = ["…"] if start and len(line) > start else []
    used = len(shown)
    for cell in _cells(line[start : start + width + 1]):
        if used + cell.width > width:
            return "".join(shown) + "…"
        shown.append(cell.text)
        used += cell.width
    return "".join(shown) + ("…" if len(line) > start + width + 1 else "")


MESSAGE_LIMIT = 240
"""Maximum number of characters of a message, hint or path. A model can make them very long."""
SHOWN = 8
"""Maximum number of findings of one answer to show with a code frame. The rest are counted."""
NAMED = 5
"""Maximum number of findings to name in a one-line reason. The rest are counted."""
MARKS = {Severity.INFO: "i", Severity.WARN: "!", Severity.RETRY: "x", Severity.FAIL: "X"}


def render_finding(finding: Finding, text: str, *, color: bool = False) -> str:
    """Return one finding with its place in `text`, the model's own words: a line, a code frame, a hint.

    There is no frame if the finding has no place.
    """
    style = Style(color)
    lines = [_headline(finding, style)]
    if finding.span is not None:
        own = text_of(text, finding.inside)
        lines += [f"    {row}" for row in frame(own, finding.span)]
    lines += [
        f"    see {one_line(to_dotted(related.path), 120)}: {one_line(related.message, MESSAGE_LIMIT)}"
        for related in finding.related
    ]
    if finding.hint:
        lines.append(f"    hint: {one_line(finding.hint, MESSAGE_LIMIT)}")
    return "\n".join(lines)


def render_findings(findings: Sequence[Finding], text: str, *, color: bool = False) -> str:
    """Return findings one below the other, in the given order. Those beyond `SHOWN` are counted by code."""
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


def _headline(finding: Finding, style: Style) -> str:
    paint = style.bad if finding.severity.bad else style.warn if finding.severity is Severity.WARN else style.dim
    message = visible(one_line(finding.message, MESSAGE_LIMIT))
    code = style.dim(f"[{one_line(finding.code, 60)}]")
    return f"  {paint(MARKS[finding.severity])} {style.strong(place(finding))}: {message}  {code}"
