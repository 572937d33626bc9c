"""Prove by experiment that an app fed a finding back: fix it in the answer, and read which words disappear."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from .outcomes import DROPPED, NOT_FED_BACK, Firmness, Grade, ReasonCode
from .stock_phrases import says_nothing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..contract.finding import Finding
    from .results import FedBack


class ProofResult(StrEnum):
    """How the app reacted when planguard fixed one finding in the answer. "It" is the app."""

    PROVEN = "proven"
    """It left out words that planguard can read, or that hold the finding's place, value, bound or choices."""
    REACTS = "reacts"
    """It left out words that planguard cannot read: it knows about the finding and describes it in its own way."""
    WRONG = "wrong"
    """It left out words that say something else: another place, another problem, another item."""
    MISSING = "missing"
    """It sent the same request, or one with only a different count: the finding was not in it."""
    UNCLEAR = "unclear"
    """It left out words that fit another fault of that place, and not this one. A warning."""
    UNPROVEN = "unproven"
    """It never sent the request, or the request shows nothing. Never a failure."""
    NOT_JUDGED = "not judged"
    """The finding cannot be fixed alone. Never a failure."""


_SPEAKS = (ProofResult.PROVEN, ProofResult.REACTS, ProofResult.UNCLEAR)
"""Results that show that a finding is not missing, even if reading says so."""


@dataclass(frozen=True, slots=True)
class Proof:
    """The result of the experiment for one finding of one attempt."""

    conversation: str
    attempt: int
    """1-based number of the attempt whose answer has the finding."""
    exchange: int
    """1-based position of the exchange in the test."""
    finding: Finding
    result: ProofResult
    reason: str
    """A line on what the experiment changed and what the app sent then."""
    said: str = ""
    """The words that the app sends only if the answer has the finding, one sentence per line; may be ""."""
    before: tuple[str, ...] = ()
    """The texts of the request with the finding. Dropped after the proofs of one answer are compared."""
    left: tuple[str, ...] = ()
    """The texts of the request without the finding; () if another error replaced the finding."""
    passed_on: bool = False
    """Unproven because the app passed the finding on to another model: the retry may describe it in any words."""
    undecided: bool = False
    """Unproven, but a run showed something, or might have. planguard may not call the finding missing."""
    unreached: bool = False
    """Unproven because no rerun reached the retry: the app caches its result, or fails on the changed answer."""

    @property
    def settles_nothing(self) -> bool:
        """True if the proof does not change what reading says."""
        return self.result in (ProofResult.UNPROVEN, ProofResult.NOT_JUDGED)

    @property
    def leaves_missing(self) -> bool:
        """True if the proof keeps the grade of a finding that reading graded as missing."""
        return self.result not in _SPEAKS and not self.passed_on and not self.undecided


def by_proof(
    fed_back: Iterable[FedBack], exchange: int, proofs: Iterable[Proof], words: str = ""
) -> tuple[FedBack, ...]:
    """Replace the grades of one attempt's findings by the results of experiments.

    An experiment shows which words belong to the finding, while reading has to consider all new words. `words` are
    these new words.
    """
    known = {p.finding.identity: p for p in proofs if p.exchange == exchange}
    return tuple(_settled(c, known.get(c.finding.identity), words) for c in fed_back)


_SETTLED = {
    ProofResult.PROVEN: (Grade.FED_BACK, Firmness.PROVEN, None),
    ProofResult.REACTS: (Grade.FED_BACK, Firmness.REACTS, None),
    ProofResult.WRONG: (Grade.WRONG, None, ReasonCode.SOMETHING_ELSE),
    ProofResult.MISSING: (Grade.MISSING, None, ReasonCode.NO_REACTION),
    ProofResult.UNCLEAR: (Grade.UNCLEAR, None, ReasonCode.OTHER_FAULT),
}


def _settled(fed_back: FedBack, proof: Proof | None, words: str) -> FedBack:
    if proof is not None and proof.result in _SETTLED:
        grade, how, code = _SETTLED[proof.result]
        evidence = None if grade in DROPPED else proof.said or proof.reason
        reason = None if grade is Grade.FED_BACK else proof.reason
        return replace(fed_back, grade=grade, how=how, evidence=evidence, reason=reason, reason_code=code)
    if proof is None or fed_back.grade not in NOT_FED_BACK:
        return fed_back
    if proof.passed_on:
        return replace(fed_back, grade=Grade.NOT_JUDGED, reason=proof.reason, reason_code=None)
    unproven = proof.result is ProofResult.UNPROVEN and fed_back.grade is Grade.UNCLEAR
    if proof.undecided or unproven or (proof.unreached and _may_mean_anything(fed_back, words)):
        reason = f"{fed_back.reason}; {proof.reason}" if fed_back.reason and not proof.undecided else proof.reason
        return replace(fed_back, grade=Grade.UNCLEAR, reason=reason)
    return fed_back


def _may_mean_anything(fed_back: FedBack, words: str) -> bool:
    """Return True if reading found nothing in the app's own words: "How many?", but not "That was wrong. Again!"."""
    return fed_back.reason_code is ReasonCode.NOTHING_NAMED and not says_nothing(words)
