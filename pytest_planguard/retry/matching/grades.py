"""Grade a finding by what the new words say about it. `TABLE` has the grade for each combination.

Reading grades by this table only. The steps that may change such a grade later are listed in `judging.judge`:
experiments, words that follow different findings, what the app cannot detect, and findings that need no feedback.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum, auto
from typing import TYPE_CHECKING, NamedTuple

from ..outcomes import DROPPED, Firmness, Grade, ReasonCode
from ..results import NOTHING_NEW, FedBack

if TYPE_CHECKING:
    from ...contract.finding import Finding


class Nearness(StrEnum):
    """How the place that the words are about relates to the finding's place."""

    EXACT = auto()
    OPEN = auto()
    """They name the field, but not the item of the list."""
    NONE = auto()
    """They name no place."""
    ELSEWHERE = auto()
    LABEL = auto()
    """A word precedes a colon as a place would, but the answer has no such place."""
    QUOTE = auto()
    """They quote wrong parts of the answer, but not the finding's, or only seem to name another place than its own."""
    UNSAID = auto()
    """There are no new words."""


class Sense(StrEnum):
    """How the problem that the words name relates to the finding's own."""

    AGREES = auto()
    CONTRADICTS = auto()
    """A code or the comparison grammar shows that the words name a different rule."""
    UNKNOWN = auto()
    OWN = auto()
    """planguard cannot read the words, but they contain the finding's value, bound, length, choices or pattern."""
    VALUE = auto()
    """planguard cannot read the words, but the finding's value is nearby."""
    RULE = auto()
    """The words name a rule that may be the finding's."""
    WHOLE = auto()
    """The words are about the whole answer, and planguard cannot read the rest."""
    NOTHING = auto()
    """The words contain only the value, or praise."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The statement of some new words about one finding."""

    near: Nearness
    sense: Sense
    evidence: str = ""
    """The message with the words, and the words, clipped."""
    how: Firmness = Firmness.WEAK
    """How firmly the words match the finding, if the sense agrees."""
    instead: str = ""
    """The topic of the words, if it is not the finding."""


class Row(NamedTuple):
    """The grade for a claim."""

    grade: Grade
    code: ReasonCode | None = None
    reason: str | None = None
    """The reason as a sentence. `{}` is replaced by the actual topic of the words."""


_FED_BACK = Row(Grade.FED_BACK)
_NOTHING = "it names the place but not the problem"
_RIGHT = "it names the right problem at a different place ({})"
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
    (Nearness.ELSEWHERE, Sense.AGREES): Row(Grade.WRONG, ReasonCode.OTHER_PLACE, _RIGHT),
    # "what: too many of them"
    (Nearness.LABEL, Sense.AGREES): Row(Grade.WRONG, ReasonCode.OTHER_LABEL, _RIGHT),
    # "guest: is required"
    (Nearness.ELSEWHERE, Sense.UNKNOWN): Row(Grade.WRONG, ReasonCode.OTHER_PLACE, _OTHER),
    # "what: is required"
    (Nearness.LABEL, Sense.UNKNOWN): Row(Grade.WRONG, ReasonCode.OTHER_LABEL, _OTHER),
    # About a broken answer: "line 3 column 5", but parsers stop elsewhere.
    (Nearness.ELSEWHERE, Sense.CONTRADICTS): Row(
        Grade.WRONG, ReasonCode.OTHER_PARSE_ERROR, "it names a parse error at {}"
    ),
    # Two quotes of other findings, one, or none and a place in code: "y: int"
    (Nearness.QUOTE, Sense.CONTRADICTS): Row(
        Grade.MISSING, ReasonCode.OTHER_QUOTES, "the new words quote {} wrong parts of the answer, but not this one"
    ),
    (Nearness.QUOTE, Sense.UNKNOWN): Row(
        Grade.UNCLEAR,
        ReasonCode.OTHER_QUOTES,
        "the new words quote another wrong part of the answer; the app may report one at a time",
    ),
    (Nearness.QUOTE, Sense.NOTHING): Row(
        Grade.UNCLEAR,
        ReasonCode.WORDS,
        "the new words quote none of the wrong parts of the answer, and the names in their code are no places",
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


def firmest(claims: Iterable[Claim]) -> Claim | None:
    """Return the firmest claim, the first of equally firm ones; None if there is none."""
    return min(claims, key=lambda c: (_RANK[c.near, c.sense], _FIRMNESS.index(c.how)), default=None)


def graded(finding: Finding, claim: Claim, attempt: int) -> FedBack:
    """Grade a finding of an attempt by a claim about it."""
    grade, code, reason = TABLE[claim.near, claim.sense]
    if grade is Grade.FED_BACK:
        return FedBack(finding, attempt, grade, claim.how, claim.evidence)
    shown = None if grade in DROPPED else claim.evidence or None
    return FedBack(finding, attempt, grade, None, shown, reason and reason.replace("{}", claim.instead), code)
