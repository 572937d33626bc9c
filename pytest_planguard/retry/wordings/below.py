"""Errors whose place stands on the line below: `✖ Too small: expected >=1`, then `→ at lines[1].quantity`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from ..entry import Entry, parse_place
from .lines import Line, lines_of

_PLACE = re.compile(
    r"\s*(?:(?:→|->|↳|└─+)\s*(?:at\s+)?|at\s+|(?i:path|location|loc|field|where|at):\s+)[`'\"]?([\w$.\[\]/-]{1,300})[`'\"]?\s*"
)
_SAYS = re.compile(r"\s*(?i:error|message|msg|reason|problem|issue|details?|description):\s+\S")
_BULLET = re.compile(r"\s*(?:[-*•–—✖❌✗✘×⚠]\ufe0f?\s+|\d{1,3}[.)]\s+)?")


def below_entries(text: str) -> Iterator[Entry]:
    """One entry for each line that is followed by a line which only points at a place."""
    leads = begun = False
    for line, below in pairwise(lines_of(text)):
        leads, begun = _leads(line, below, leads, begun)
        found = _PLACE.fullmatch(below.text[:400])
        if found and not leads and line.text.strip() and not _PLACE.fullmatch(line.text[:400]):
            message = _BULLET.sub("", line.text, count=1).strip()
            yield Entry(parse_place(found[1]), None, message, line.start, below.start + len(below.text))


def _leads(line: Line, below: Line, leads: bool, begun: bool) -> tuple[bool, bool]:
    """Whether the lines up to an empty one name each place in front of its message, and whether that is known yet."""
    if begun and line.text.strip():
        return leads, True
    leads = bool(_PLACE.fullmatch(line.text[:400]) and _SAYS.match(below.text))
    return leads, leads or bool(_SAYS.match(line.text))
