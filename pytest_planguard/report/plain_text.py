"""Text for terminals and logs: foreign text made harmless, columns, colours, and JSON without commands."""

from __future__ import annotations

import json
import re
import unicodedata
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

from ..printable import one_line, visible, visible_char

if TYPE_CHECKING:
    from collections.abc import Sequence


ZERO_WIDTH = frozenset(("Mn", "Me", "Cf"))
"""Unicode categories of characters that take no terminal column."""


def width(text: str) -> int:
    """Return the terminal columns of a sanitised text. Wide characters count 2, combining ones 0."""
    return len(text) if text.isascii() else sum(map(char_width, text))


def char_width(char: str) -> int:
    """Return the terminal columns of one printable character: 0, 1 or 2."""
    if unicodedata.category(char) in ZERO_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def count(number: int, noun: str) -> str:
    """Return a count such as '1 finding', '2 findings' or '1,200 tokens'."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def block(text: str, limit: int) -> str:
    """Return foreign text of several lines, safe to show, with the number of characters that were cut."""
    cut = len(text) - limit
    return visible(text[:limit]) + (f"\n… ({count(cut, 'more character')})" if cut > 0 else "")


DIGIT_BITS = 14_000
"""Maximum number of bits of a whole number to write out. Python refuses more than 4,300 digits."""

_COLON = re.compile(":(?=:)")
"""A colon before another one. `::set-output` is a command to a build log."""


def json_text(value: object) -> str:
    """Return the value as JSON in plain ASCII, indented.

    Control, bidi and other hidden characters are escaped, and so are commands to a build log. The data stays as it is.
    """
    return without_log_commands(json.dumps(json_safe(value), indent=2, ensure_ascii=True))


def without_log_commands(text: str) -> str:
    r"""Return JSON text with the same meaning, in which `##[` becomes `##\u005b` and `::` becomes `\u003a:`."""
    return _COLON.sub(r"\\u003a", text.replace("##[", r"##\u005b"))


def json_safe(value: object) -> Any:
    r"""Return the value in the types of JSON.

    A lone surrogate is spelled out (`\ud800`), and so is a number like NaN.

    The value may be as deep as answers are read, which is less than Python's recursion limit.
    """
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, dict):
        return {_text(str(key)): json_safe(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [json_safe(inner) for inner in value]
    if isinstance(value, int) and value.bit_length() > DIGIT_BITS:
        return f"(a whole number of {value.bit_length():,} bits)"
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    return value if value is None or isinstance(value, bool | int | float) else _text(str(value))


def _text(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join(visible_char(char) if "\ud800" <= char <= "\udfff" else char for char in text)
    return text


CELL_LIMIT = 60
"""Maximum number of characters in a cell. Longer cells are clipped."""


def columns(rows: Sequence[Sequence[str]], *, right: frozenset[int] = frozenset(), limit: int = CELL_LIMIT) -> str:
    """Return rows of equal length as aligned lines.

    `right` holds the indices of right-aligned columns. Cells are clipped to `limit` characters.
    """
    safe = [[one_line(cell, limit) for cell in row] for row in rows]
    widths = [max(map(width, column)) for column in zip(*safe, strict=True)]
    return "\n".join("  ".join(_pad(c, widths[i], i in right) for i, c in enumerate(row)).rstrip() for row in safe)


def _pad(cell: str, size: int, right: bool) -> str:
    blanks = " " * (size - width(cell))
    return blanks + cell if right else cell + blanks


# Optional colour. The text is the same with and without it.

RESET = "\x1b[0m"


class Style(NamedTuple):
    """Paints pieces of text, or leaves them unchanged."""

    color: bool = False

    def bad(self, text: str) -> str:
        """Return text that fails."""
        return self._paint("31", text)

    def good(self, text: str) -> str:
        """Return text that is good."""
        return self._paint("32", text)

    def warn(self, text: str) -> str:
        """Return text that deserves attention."""
        return self._paint("33", text)

    def dim(self, text: str) -> str:
        """Return text for orientation."""
        return self._paint("2", text)

    def strong(self, text: str) -> str:
        """Return text to read first."""
        return self._paint("1", text)

    def _paint(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}{RESET}" if self.color and text else text
