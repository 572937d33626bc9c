"""From claims to grades: the meaning of words for a finding, and the one table that grades it.

Three rules come before the table: words that answer other findings alike (`judging.grading.same_words`), findings that
an app cannot have (`app_reading`), and the experiment (`retry.proof`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from ..outcomes import DROPPED, Firmness, Grade, ReasonCode
from ..results import NOTHING_NEW, FedBack

if TYPE_CHECKING:
    from ...contract.finding import Finding


class Nearness(StrEnum):
    """Which place the words are about, relative to a finding."""

    EXACT = "exact"
    OPEN = "open"
    """The field, but of an unknown item."""
    NONE = "none"
    """They name no place."""
    ELSEWHERE = "elsewhere"
    LABEL = "label"
    """A word precedes a colon, but the answer has no such place."""
    UNSAID = "unsaid"
    """There are no words for it at all."""


class Sense(StrEnum):
    """Which problem the words name, relative to a finding."""

    AGREES = "agrees"
    CONTRADICTS = "contradicts"
    """Code or grammar shows a rule that is not the finding's."""
    UNKNOWN = "unknown"
    OWN = "own"
    """Unreadable, but with a part of the finding: its value, bound, length, choices or pattern."""
    VALUE = "value"
    """Unreadable, but with its value nearby."""
    RULE = "rule"
    """A rule that may be the finding's."""
    WHOLE = "whole"
    """Unreadable words about the whole answer."""
    NOTHING = "nothing"
    """Only the value itself, or praise."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The meaning of some words for one finding."""

    near: Nearness
    sense: Sense
    evidence: str = ""
    """The place of the words, and the words, clipped."""
    how: Firmness = Firmness.WEAK
    """How firmly the finding was found, if the sense agrees."""
    instead: str = ""
    """The topic of the words, if it is not the finding."""


class Row(NamedTuple):
    """The grade for a claim."""

    grade: Grade
    code: ReasonCode | None = None
    reason: str | None = None
    """For people; `{}` is the topic of the words."""


_FED_BACK = Row(Grade.FED_BACK)
_NOTHING = "it names the place but not the problem"
_OTHER = "the words are about other places {}"
_PROBLEM = "it names the right place but a different problem ({})"
# Examples for `nights`, which is 90 and may be at most 28. Rows are in order of firmness.
TABLE: dict[tuple[Nearness, Sense], Row] = {
    # "nights: Input should be less than or equal to 28"
    (Nearness.EXACT, Sense.AGREES): _FED_BACK,
    # "the nights of a room are too many", of one of several rooms
    (Nearness.OPEN, Sense.AGREES): _FED_BACK,
    # "nights: hjelp, 28"
    (Nearness.EXACT, Sense.OWN): Row(
        Grade.PARTIAL, None, "it names the place, but the other words were not understood"
    ),
    # "nights is missing"
    (Nearness.EXACT, Sense.CONTRADICTS): Row(Grade.WRONG, ReasonCode.OTHER_PROBLEM, _PROBLEM),
    (Nearness.OPEN, Sense.CONTRADICTS): Row(Grade.WRONG, ReasonCode.OTHER_PROBLEM, _PROBLEM),
    # "nights: hjelp"
    (Nearness.EXACT, Sense.UNKNOWN): Row(
        Grade.UNCLEAR,
        ReasonCode.WORDS,
        "it names the place, in words that were not understood and repeat nothing from the finding",
    ),
    # "the nights of a room: hjelp"
    (Nearness.OPEN, Sense.UNKNOWN): Row(Grade.UNCLEAR, ReasonCode.ITEM, "it names the field, but not which item"),
    # "90 is more than 28", and about the whole answer: "unterminated string"
    (Nearness.NONE, Sense.AGREES): _FED_BACK,
    # "hjelp: 90"
    (Nearness.NONE, Sense.VALUE): Row(
        Grade.UNCLEAR, ReasonCode.VALUE, "it quotes the value, but the other words were not understood"
    ),
    # "nights is fine"
    (Nearness.EXACT, Sense.NOTHING): Row(Grade.MISSING, ReasonCode.NO_PROBLEM, _NOTHING),
    # "the nights of a room are fine"
    (Nearness.OPEN, Sense.NOTHING): Row(Grade.MISSING, ReasonCode.NO_PROBLEM, _NOTHING),
    # "guest: too many of them"
    (Nearness.ELSEWHERE, Sense.AGREES): Row(
        Grade.WRONG, ReasonCode.OTHER_PLACE, "it names the right problem at a different place ({})"
    ),
    # "what: too many of them"
    (Nearness.LABEL, Sense.AGREES): Row(
        Grade.WRONG, ReasonCode.OTHER_LABEL, "it names the right problem at a different place ({})"
    ),
    # "guest: is required"
    (Nearness.ELSEWHERE, Sense.UNKNOWN): Row(
        Grade.WRONG, ReasonCode.OTHER_PLACE, "the words are about other places {}"
    ),
    # "what: is required"
    (Nearness.LABEL, Sense.UNKNOWN): Row(Grade.WRONG, ReasonCode.OTHER_LABEL, _OTHER),
    # About a broken answer: "line 3 column 5", but parsers stop elsewhere.
    (Nearness.ELSEWHERE, Sense.CONTRADICTS): Row(
        Grade.WRONG, ReasonCode.OTHER_PARSE_ERROR, "it names a parse error at {}"
    ),
    # "only low, medium or high", "something is too large"
    (Nearness.NONE, Sense.RULE): Row(Grade.UNCLEAR, ReasonCode.RULE, "{}, but no field"),
    # About the whole answer: "Das JSON bitte"
    (Nearness.NONE, Sense.WHOLE): Row(
        Grade.UNCLEAR, ReasonCode.WHOLE_ANSWER, "it names the whole answer, in words that were not understood"
    ),
    # "Please try again."
    (Nearness.NONE, Sense.NOTHING): Row(
        Grade.MISSING, ReasonCode.NOTHING_NAMED, "the new words name no field, value or rule of this answer"
    ),
    (Nearness.UNSAID, Sense.NOTHING): Row(Grade.MISSING, ReasonCode.NOTHING_NEW, NOTHING_NEW),
}
_RANK = {key: at for at, key in enumerate(TABLE)}
_FIRMNESS = (Firmness.VERBATIM, Firmness.LOCATED, Firmness.WEAK)


def firmest(claims: Iterable[Claim]) -> Iterator[Claim]:
    """Yield the firmest of the claims, the first if equal."""
    yield from sorted(claims, key=lambda claim: (_RANK[claim.near, claim.sense], _FIRMNESS.index(claim.how)))[:1]


def graded(finding: Finding, claim: Claim, attempt: int) -> FedBack:
    """Return the grading of a finding of an attempt."""
    grade, code, reason = TABLE[claim.near, claim.sense]
    if grade is Grade.FED_BACK:
        return FedBack(finding, attempt, grade, claim.how, claim.evidence)
    shown = None if grade in DROPPED else claim.evidence
    return FedBack(finding, attempt, grade, None, shown, reason and reason.replace("{}", claim.instead), code)
