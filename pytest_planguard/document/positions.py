"""Positions in the model's text: the line and column of an offset, for findings in JSON, YAML and Markdown."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A place in a text. Lines and columns count from 1; a column counts characters (code points), not bytes.

    Only LF, CRLF and a lone CR end a line. U+2028, U+0085 and form feeds are characters of a line.
    """

    line: int
    column: int
    end_line: int | None = None
    """Last line of the place; None if only its start is known."""
    end_column: int | None = None
    """Column after the last character; None if only the start is known."""

    def __str__(self) -> str:
        return f"{self.line}:{self.column}"


# CRLF ends one line; so does LF or a lone CR.
_LINE_END = re.compile(r"\r\n?|\n")
_LF = re.compile("\n")  # several times faster, and enough for most texts


class LineIndex:
    """The start offsets of a text's lines. Only LF, CRLF and a lone CR end a line."""

    __slots__ = ("_starts",)

    def __init__(self, text: str) -> None:
        ends = (_LINE_END if "\r" in text else _LF).finditer(text)
        self._starts = [0, *(end.end() for end in ends)]

    def position(self, offset: int) -> tuple[int, int]:
        """Return line and column, from 1, of a 0-based character offset; the end of the text is a valid offset."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """Return the 0-based character offset of a line and column, both from 1; beyond the last line, its start."""
        return self._starts[min(line, len(self._starts)) - 1] + column - 1

    def span(self, start: int, end: int | None = None) -> Span:
        """Return the place from `start` up to, but excluding, `end`."""
        line, column = self.position(start)
        return Span(line, column) if end is None else Span(line, column, *self.position(end))
