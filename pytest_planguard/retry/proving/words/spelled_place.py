"""Look for the place of a finding in words: "rooms[0].kind", or the numbers of its items."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ....contract.finding import Finding
    from ....document.path import Path

_JOIN = r"[^\w\n;|]{1,5}"
"""The characters between the steps of a full path: "[", "].", " -> ", "', '". A table may count its rows from 1."""


def without_items(words: str, path: Path) -> list[str]:
    """Return words without the numbers of the items of a path, from 0 or from 1; both versions if both fit."""
    found = []
    for first in (0, 1):
        left, parted = words, 0
        steps = [step + first for step in path if isinstance(step, int)]
        for step in steps:
            left, one = re.subn(rf"(?<!\d){step}(?!\d)", " ", left, count=1)
            parted += one
        if steps and parted == len(steps):
            found.append(left)
    return found or [words]


def spells_place(finding: Finding, words: str) -> bool:
    """Return True if words spell out the whole place with its positions: "rooms[0].kind", "/rooms/0/kind".

    Punctuation may separate the steps, but not words. Items that are counted from 1, or have other names, do not match.
    """
    spelled = _JOIN.join(re.escape(str(step)) for step in finding.path)
    return re.search(rf"(?<![\w-]){spelled}(?!\w)", words) is not None
