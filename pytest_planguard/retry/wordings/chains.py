"""Errors whose place is a chain of lines, one step each: `Key 'customer' error:`, `Key 'email' error:`, the fault."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..entry import Entry
from .lines import Line, lines_of

_STEP = re.compile(
    r"(?:.{0,200}: )?\s*(?:in |at |error (?:in|at) )?(?:key|field|property|item|index|element) "
    r"[`'\"]?([\w$-]{1,100})[`'\"]?"
    r"(?: error| is invalid)?:\s*",
    re.IGNORECASE,
)
_LINE_LIMIT = 500
_DEPTH = 40


def chain_entries(text: str) -> Iterator[Entry]:
    """One entry for each line, up to an empty one, below lines that only name a step of its place.

    A step behind a fault begins another place: whether it lies within the one before, no line says.
    """
    steps: list[tuple[str, Line]] = []
    said = False
    for line in lines_of(text):
        found = _STEP.fullmatch(line.text[:_LINE_LIMIT])
        if found and (said or len(steps) < _DEPTH):
            steps = [*([] if said else steps), (found[1], line)]
            said = False
        elif steps and line.text.strip():
            said = True
            path = tuple(name for name, _ in steps)
            yield Entry(path, None, line.text.strip(), steps[0][1].start, line.start + len(line.text))
        else:
            steps, said = [], False
