"""Words that answer findings at different places alike say of none of them what is wrong.

"Please check the amounts" after a bad price, and again after a bad date: where nobody can read the words, that is
evidence of a loss. It never overrules what was read or placed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...document.path import Path, to_dotted
from ..results import Attempt, Carried, Grade

if TYPE_CHECKING:
    from ..matching.carried import FeedbackReading

Retry = tuple[Attempt, "FeedbackReading"]
"""An attempt with the fates of its findings, and what the next request adds."""

# Quotations, numbers and ids differ from answer to answer: 'urgent', 4f3a-11.
_VOLATILE = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`|\S*\d\S*")


def words_of(reading: FeedbackReading) -> str:
    """Return the new words, quotations, numbers and ids left out, in lower case and with single spaces."""
    text = " ".join(piece.text for _, piece in reading.pieces)
    return " ".join(re.findall(r"\w+", _VOLATILE.sub(" ", text).casefold()))


def settle(retries: Sequence[Retry]) -> list[Attempt]:
    """Return the attempts in order; unread findings are lost where the same words answered another place, too."""
    answered: dict[str, list[frozenset[Path]]] = defaultdict(list)
    keys = [words_of(reading) for _, reading in retries]
    for key, (attempt, _) in zip(keys, retries, strict=True):
        answered[key].append(frozenset(carried.finding.path for carried in attempt.carried))
    pairs = zip(keys, retries, strict=True)
    return [_settled(attempt, answered[key]) if key else attempt for key, (attempt, _) in pairs]


def _settled(attempt: Attempt, answered: Sequence[frozenset[Path]]) -> Attempt:
    if all(fate.grade is not Grade.UNREAD for fate in attempt.carried):
        return attempt
    return replace(attempt, carried=tuple(_fate(fate, answered) for fate in attempt.carried))


def _fate(fate: Carried, answered: Sequence[frozenset[Path]]) -> Carried:
    path = fate.finding.path
    other = next((places for places in answered if places and path not in places), None)
    if fate.grade is not Grade.UNREAD or other is None:
        return fate
    places = ", ".join(sorted(map(to_dotted, other))[:3])
    reason = f"these words answered both {to_dotted(path)} and {places}"
    return replace(fate, grade=Grade.LOST, evidence=None, reason=reason)
