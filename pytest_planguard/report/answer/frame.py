"""A code frame: the place of a finding in the model's own text, with surrounding lines and a caret.

Only LF, CRLF and a lone CR end a line, as in spans.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ...printable import visible_char
from ..media.escaping import char_width

if TYPE_CHECKING:
    from ...document.path import Span

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
