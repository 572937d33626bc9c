"""Where something stands in the model's own text, counted from 1, and what is wrong there as a document."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .path import Path


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A place in a text. Lines and columns count from 1; a column counts characters (code points), not bytes.

    A line ends at LF, CRLF or a lone CR, and nowhere else: U+2028, U+0085 and form feeds are characters of a line.
    """

    line: int
    column: int
    end_line: int | None = None
    """Last line of the place; None when only its start is known."""
    end_column: int | None = None
    """Column after the last character; None when only the start is known."""

    def __str__(self) -> str:
        return f"{self.line}:{self.column}"


# Lines and columns of character offsets, looked up by bisection in an index that is built once.

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

    def offset(self, line: int, column: int) -> int:
        """Return the 0-based character offset of a line and column, both from 1; past the last line its start."""
        return self._starts[min(line, len(self._starts)) - 1] + column - 1

    def span(self, start: int, end: int | None = None) -> Span:
        """Return the place from `start` up to, not including, `end`."""
        line, column = self.position(start)
        return Span(line, column) if end is None else Span(line, column, *self.position(end))


# What is wrong with an answer as a document, and what was taken off around it.


@dataclass(frozen=True, slots=True)
class Problem:
    """One reason why an answer is no sound document."""

    code: str
    """A parse-phase failure kind: "empty", "truncated", "invalid_json", "invalid_yaml", "prose", "fence", "thinking",
    "multiple", "duplicate_key", "non_finite", "too_deep", "too_large", "ask_back", "refusal", "loop", "encoding"."""
    message: str
    """One line in words, without the place."""
    span: Span | None = None
    """Place in the whole text; None where the problem has none (an empty answer)."""
    expected: str | None = None
    """What should stand there, in words: '"," or "]"'."""
    actual: str | None = None
    """What stands there, at most 60 characters."""
    parser_message: str | None = None
    """The standard parser's own words, by which foreign feedback about this problem is recognised."""
    path: Path = ()
    """Where in the document, for problems that have a path (duplicate_key, non_finite); else the root."""
    related: tuple[tuple[str, Span], ...] = ()
    """Other places that belong to the problem, each with a word of why: the first of two equal keys."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something that stood around the document and was taken off."""

    code: str
    """"thinking", "fence" or "prose"."""
    message: str
    """One line in words, without the place."""
    span: Span | None = None
    """What was taken off, in coordinates of the whole text."""
