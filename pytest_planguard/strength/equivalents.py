"""Mutants that are good answers, too: a committed file names them, each with a reason.

One a line: `OPERATOR PLACE -- reason`, for example `swapped title -- both are free text`. `#` begins a comment.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import UsageError
from .operators import OPERATORS


@dataclass(frozen=True, slots=True)
class Equivalent:
    """All mutants of one operator at one place."""

    operator: str
    place: str
    """As reports write it: "steps[*]"."""
    reason: str


def read_equivalents(text: str, source: str = "the list of equivalent mutants") -> tuple[Equivalent, ...]:
    """Return the entries of a file.

    Raises:
        UsageError: a line has no place or no reason, or names an unknown operator.
    """
    lines = (line.strip() for line in text.split("\n"))
    return tuple(
        _entry(line, f"{source}:{at}") for at, line in enumerate(lines, 1) if line and not line.startswith("#")
    )


def _entry(line: str, where: str) -> Equivalent:
    named, _, reason = line.partition(" -- ")
    operator, _, place = named.strip().partition(" ")
    if not place.strip() or not reason.strip():
        raise UsageError(f"{where}: no equivalent mutant: got {line!r}; write OPERATOR PLACE -- reason")
    if operator not in OPERATORS:
        raise UsageError(f"{where}: unknown operator: got {operator!r}; there are {', '.join(OPERATORS)}")
    return Equivalent(operator, place.strip(), reason.strip())
