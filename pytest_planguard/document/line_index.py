"""Lines and columns of character offsets, looked up by bisection in an index that is built once."""

from __future__ import annotations

import re
from bisect import bisect_right

from .span import Span

_LINE_END = re.compile(r"\r\n?|\n")
_LF = re.compile("\n")  # several times faster, and enough for most texts


class LineIndex:
    """Where the lines of one text start. Lines end at LF, CRLF or a lone CR, and nowhere else."""

    __slots__ = ("_starts",)

    def __init__(self, text: str) -> None:
        ends = (_LINE_END if "\r" in text else _LF).finditer(text)
        self._starts = [0, *(end.end() for end in ends)]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1, of a 0-based character offset; the end of the text is a place too."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def span(self, start: int, end: int | None = None) -> Span:
        """The place from `start` up to, not including, `end`."""
        line, column = self.position(start)
        return Span(line, column) if end is None else Span(line, column, *self.position(end))
