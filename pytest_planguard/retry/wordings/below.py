"""Errors whose place stands on the line below: `✖ Too small: expected >=1`, then `→ at lines[1].quantity`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from ..entry import Entry, parse_place
from .lines import lines_of

_PLACE = re.compile(
    r"\s*(?:(?:→|->|↳|└─+)\s*(?:at\s+)?|at\s+|(?i:path|location|loc|field|where|at):\s+)[`'\"]?([\w$.\[\]/-]{1,300})[`'\"]?\s*"
)
_BULLET = re.compile(r"\s*(?:[-*•–—✖❌✗✘×⚠]\ufe0f?\s+|\d{1,3}[.)]\s+)?")


def below_entries(text: str) -> Iterator[Entry]:
    """One entry for each line that is followed by a line which only points at a place."""
    lines = lines_of(text)
    for line, below in pairwise(lines):
        found = _PLACE.fullmatch(below.text[:400])
        if found and line.text.strip() and not _PLACE.fullmatch(line.text[:400]):
            message = _BULLET.sub("", line.text, count=1).strip()
            yield Entry(parse_place(found[1]), None, message, line.start, below.start + len(below.text))
