"""Where something stands in the model's own text."""

from __future__ import annotations

from dataclasses import dataclass


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
