"""Foreign text in reports: made printable, and how many columns of a terminal it takes."""

from __future__ import annotations

import unicodedata

from ...printable import HIDDEN, JOINERS, one_line, visible, visible_char

__all__ = ["HIDDEN", "JOINERS", "char_width", "one_line", "visible", "visible_char", "width"]

ZERO_WIDTH = frozenset(("Mn", "Me", "Cf"))
"""Categories that take no column of their own."""


def width(text: str) -> int:
    """Terminal columns that a sanitised text takes: wide characters count 2, combining ones 0."""
    return len(text) if text.isascii() else sum(map(char_width, text))


def char_width(char: str) -> int:
    """Terminal columns of one printable character: 0, 1 or 2."""
    if unicodedata.category(char) in ZERO_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
