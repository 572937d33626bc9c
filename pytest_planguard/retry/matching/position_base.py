"""Whether a text counts the items of lists from 1, by evidence in the text: it quotes the value that stands one before.

`tasks[2].status: 'urgent' is not allowed` counts from 1 where the answer has two tasks and the second one's status is
'urgent', and so do all positions beside it. Without such a value nothing is shifted: feedback about an older, longer
list looks the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..reading.entry import ErrorEntry, Place, place, step
from .own_rule import quotes_value

if TYPE_CHECKING:
    from ...contract.finding import Finding


def first_position(entries: Iterable[ErrorEntry], findings: Sequence[Finding], data: Any) -> int:
    """Return the number that a text gives the first item of a list: 1 where it shows that, else 0."""
    placed = [entry for entry in entries if entry.path and any(_is_number(segment) for segment in entry.path)]
    if any("0" in (entry.path or ()) for entry in placed):
        return 0
    return int(any(_is_one_behind(entry, finding, data) for entry in placed for finding in findings))


def from_zero(entry: ErrorEntry, first: int) -> ErrorEntry:
    """Return an entry with positions from 0."""
    return replace(entry, path=_shifted(entry.path, first)) if entry.path and first else entry


def _is_one_behind(entry: ErrorEntry, finding: Finding, data: Any) -> bool:
    written = entry.path or ()
    same = _shifted(written, 1) == place(finding.path)
    return same and _is_past_the_end(written, data) and quotes_value(finding, entry.message, data)


def _is_past_the_end(written: Place, data: Any) -> bool:
    """Return whether a position is the one behind the last item of its list."""
    for segment in written:
        if isinstance(data, list) and _is_number(segment) and int(segment) == len(data):
            return True
        data = step(data, segment)[1]
    return False


def _shifted(written: Place, by: int) -> Place:
    return tuple(str(int(segment) - by) if _is_number(segment) else segment for segment in written)


def _is_number(segment: str) -> bool:
    return segment.isdecimal() and segment.isascii() and len(segment) < 10
