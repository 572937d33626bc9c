"""Texts without end, and how much of each a form shows."""

from __future__ import annotations

import re

A, B, C, D, E, F = (letter * 5_000 for letter in "ABCDEF")
"""Texts without end, each of its own letter."""


def lengths(text: str) -> dict[str, int]:
    """Return how long the longest row of each letter is, with the two characters of the ellipsis; 0 for none."""
    rows = ((letter, max(map(len, re.findall(f"{letter}{{3,}} …", text)), default=0)) for letter in "ABCDEF")
    return {letter: length for letter, length in rows if length}
