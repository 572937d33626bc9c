"""Grade findings by the parts of the answer that the new words quote, such as hunks of a diff.

Code names no places: `y: int` in a quoted block is not an error at `y`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..linking.sameness import normal_text
from ..outcomes import Firmness, Grade, ReasonCode
from ..reading.entry import clip
from ..results import FedBack

if TYPE_CHECKING:
    from ..linking.delta import Delta

_SEARCHED = 200_000
"""Maximum number of characters of new words to search for quotes."""
_SHOWN = 80
"""Maximum number of characters of a quote that the evidence shows."""
OTHERS = "the new words quote {} wrong parts of the answer, but not this one"
ANOTHER = "the new words quote another wrong part of the answer; the app may report one at a time"
CODE = "the new words quote none of the wrong parts of the answer, and the names in their code are no places"


def by_quotes(gradings: Sequence[FedBack], deltas: Iterable[Delta]) -> tuple[FedBack, ...]:
    """Grade the findings with a quote again: fed back if the new words contain it.

    If they contain the quotes of at least two other findings, the app reports several at a time, so the finding is
    missing. Words without any quote keep their grade, unless they only seem to name other places.
    """
    words = normal_text("\n".join(piece.whole or piece.text for delta in deltas for piece in delta.pieces)[:_SEARCHED])
    quotes = {quote for graded in gradings if (quote := normal_text(graded.finding.quote))}
    there = {quote for quote in quotes if quote in words}
    return tuple(_again(graded, normal_text(graded.finding.quote), there) for graded in gradings)


def _again(graded: FedBack, quote: str, there: set[str]) -> FedBack:
    if not quote:
        return graded
    if quote in there:
        shown = clip(quote, _SHOWN)
        return FedBack(graded.finding, graded.attempt, Grade.FED_BACK, Firmness.VERBATIM, shown)
    if len(there) > 1:
        return _not(graded, Grade.MISSING, OTHERS.format(len(there)))
    if there:
        return _not(graded, Grade.UNCLEAR, ANOTHER)
    if graded.grade is Grade.WRONG:
        return replace(_not(graded, Grade.UNCLEAR, CODE), reason_code=ReasonCode.WORDS)
    return graded


def _not(graded: FedBack, grade: Grade, reason: str) -> FedBack:
    return FedBack(graded.finding, graded.attempt, grade, None, None, reason, ReasonCode.OTHER_QUOTES)
