"""Proof by experiment that a finding was fed back: the answer is given without it, and what then goes is read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from .outcomes import DROPPED, NOT_FED_BACK, Firmness, Grade, ReasonCode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..contract.finding import Finding
    from .results import FedBack


class ProofResult(StrEnum):
    """What the app did when it was given the same answer without one finding."""

    PROVEN = "proven"
    """It left out words that a reader understands, or that hold the finding's place, value, bound or choices."""
    REACTS = "reacts"
    """It left out words that nobody can read: it knows of the finding, in words of its own."""
    WRONG = "wrong"
    """It left out words that say something else: another place, another problem, another item."""
    MISSING = "missing"
    """It sent the same request, or one that differs in a count: the finding was not in it."""
    UNCLEAR = "unclear"
    """It left out words that fit another fault of that place, and not this one. A warning."""
    UNPROVEN = "unproven"
    """It did not come to the request, or nothing follows from what it sent. Never a failure."""
    NOT_JUDGED = "not judged"
    """The finding cannot be fixed by itself. Never a failure."""


_SPEAKS = (ProofResult.PROVEN, ProofResult.REACTS, ProofResult.UNCLEAR)
"""Gradings of a finding that is not missing, whatever was read of it."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What became of one finding of one attempt."""

    conversation: str
    attempt: int
    """The attempt whose answer has the finding, from 1."""
    exchange: int
    """Its place among the exchanges of the test, from 1."""
    finding: Finding
    result: ProofResult
    reason: str
    """What was done and seen, on one line."""
    said: str = ""
    """The words that come and go with the finding, one sentence a line; "" where none do, or none were seen."""
    before: tuple[str, ...] = ()
    """The texts of the request with the finding, until the proofs of an answer are held against each other."""
    left: tuple[str, ...] = ()
    """Those of the request without it; () where another error was put in its place."""
    passed_on: bool = False
    """Unproven, since the app gave the finding to its own call: then no reader knows the words of the retry."""
    undecided: bool = False
    """Unproven though a run might have told, or did tell something: then no reader may call the finding missing."""

    @property
    def settles_nothing(self) -> bool:
        """Whether what was read of the finding is as good as before."""
        return self.result in (ProofResult.UNPROVEN, ProofResult.NOT_JUDGED)

    @property
    def leaves_missing(self) -> bool:
        """Whether a finding that was read as missing stays missing."""
        return self.result not in _SPEAKS and not self.passed_on and not self.undecided


def by_proof(fed_back: Iterable[FedBack], exchange: int, proofs: Iterable[Proof]) -> tuple[FedBack, ...]:
    """The gradings of one attempt's findings, with what was proven in the place of what was read.

    A proof reads, too: the words that come and go with the finding, where reading alone has all new words.
    """
    known = {p.finding.identity: p for p in proofs if p.exchange == exchange}
    return tuple(_settled(c, known.get(c.finding.identity)) for c in fed_back)


_SETTLED = {
    ProofResult.PROVEN: (Grade.FED_BACK, Firmness.PROVEN, None),
    ProofResult.REACTS: (Grade.FED_BACK, Firmness.REACTS, None),
    ProofResult.WRONG: (Grade.WRONG, None, ReasonCode.SOMETHING_ELSE),
    ProofResult.MISSING: (Grade.MISSING, None, ReasonCode.NO_REACTION),
    ProofResult.UNCLEAR: (Grade.UNCLEAR, None, ReasonCode.OTHER_FAULT),
}


def _settled(fed_back: FedBack, proof: Proof | None) -> FedBack:
    if proof is not None and proof.result in _SETTLED:
        grade, how, code = _SETTLED[proof.result]
        evidence = None if grade in DROPPED else proof.said or proof.reason
        reason = None if grade is Grade.FED_BACK else proof.reason
        return replace(fed_back, grade=grade, how=how, evidence=evidence, reason=reason, reason_code=code)
    if proof is None or fed_back.grade not in NOT_FED_BACK:
        return fed_back
    if proof.passed_on:
        return replace(fed_back, grade=Grade.NOT_JUDGED, reason=proof.reason, reason_code=None)
    if proof.undecided or (proof.result is ProofResult.UNPROVEN and fed_back.grade is Grade.UNCLEAR):
        reason = f"{fed_back.reason}; {proof.reason}" if fed_back.reason and not proof.undecided else proof.reason
        return replace(fed_back, grade=Grade.UNCLEAR, reason=reason)
    return fed_back
