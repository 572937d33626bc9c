"""Find the parts of the answer that the new words quote, such as hunks of a diff.

Code names no places: `y: int` in a quoted block is not an error at `y`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ..linking.sameness import normal_text
from ..outcomes import Firmness, Grade
from ..reading.entry import clip
from .claims import TABLE, Claim, Nearness, Sense

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ..linking.delta import Delta

_SEARCHED = 200_000
"""Maximum number of characters of new words to search for quotes."""
_LINE = 3
"""Minimum number of letters and digits of a line that shows what a text quotes: "x = 1", but not "}" or "=======".
"""
_SHOWN = 80
"""Maximum number of characters of a quote that the evidence shows."""


def quotes_in(deltas: Iterable[Delta], findings: Sequence[Finding]) -> set[str]:
    """Return the quotes of findings that the new words contain."""
    words = normal_text("\n".join(piece.whole or piece.text for delta in deltas for piece in delta.pieces)[:_SEARCHED])
    return {quote for finding in findings if (quote := normal_text(finding.quote)) and quote in words}


def by_quote(finding: Finding, claim: Claim, there: set[str]) -> Claim:
    """Return the claim that follows for a finding from the quotes that are there, or else the other claim.

    Quotes of at least two other findings show that the app reports several at a time. Without any quote, words that
    seem to name another place may be code.
    """
    quote = normal_text(finding.quote)
    if quote in there:
        return Claim(Nearness.EXACT, Sense.AGREES, clip(quote, _SHOWN), Firmness.VERBATIM)
    if not quote or not (there or TABLE[claim.near, claim.sense].grade is Grade.WRONG):
        return claim
    sense = Sense.CONTRADICTS if len(there) > 1 else Sense.UNKNOWN if there else Sense.NOTHING
    return Claim(Nearness.QUOTE, sense, instead=str(len(there)))


def repeats_line(finding: Finding, words: str, answer: str) -> bool:
    """Return True if words contain a line that only the quoted part of the answer has: `def f(x):` of a hunk."""
    said, rest = normal_text(words), normal_text(answer.replace("\r\n", "\n").replace(finding.quote, "", 1))
    lines = (normal_text(line.lstrip("+-")) for line in finding.quote.split("\n"))
    own = (line for line in lines if sum(map(str.isalnum, line)) >= _LINE and line not in rest)
    return any(line in said for line in own)
