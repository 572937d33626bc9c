"""Proof by intervention that a finding was carried: the answer is given without it, and what then goes is read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from .outcomes import Grade, ReasonCode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..contract.finding import Finding
    from .results import Carried


class Fate(StrEnum):
    """What the app did when it was given the same answer without one finding."""

    PROVEN = "proven"
    """It left out words that a reader understands, or that hold the finding's place, value, bound or choices."""
    REACTS = "reacts"
    """It left out words that nobody can read: it knows of the finding, in words of its own."""
    MISDIRECTED = "misdirected"
    """It left out words that say something else: another place, another problem, another item."""
    NOT_CARRIED = "not carried"
    """It sent the same request, or one that differs in a count: the finding was not in it."""
    UNREAD = "unread"
    """It left out words that fit another fault of that place, and not this one. A warning."""
    UNPROVEN = "unproven"
    """It did not come to the request, or nothing follows from what it sent. Never a failure."""
    NOT_JUDGED = "not judged"
    """The finding cannot be fixed by itself. Never a failure."""


_SPEAKS = (Fate.PROVEN, Fate.REACTS, Fate.UNREAD)
"""Fates of a finding that is not lost, whatever was read of it."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What became of one finding of one attempt."""

    conversation: str
    attempt: int
    """The attempt whose answer has the finding, from 1."""
    exchange: int
    """Its place among the exchanges of the test, from 1."""
    finding: Finding
    fate: Fate
    reason: str
    """What was done and seen, on one line."""
    said: str = ""
    """The words that come and go with the finding, one sentence a line; "" where none do, or none were seen."""
    before: tuple[str, ...] = ()
    """The texts of the request with the finding, until the proofs of an answer are held against each other."""
    left: tuple[str, ...] = ()
    """Those of the request without it; () where another error was put in its place."""
    passed_on: bool = False
    """Unproven, since the app gave the finding to a call of its own: then no reader knows the words of the retry."""
    undecided: bool = False
    """Unproven though a run might have told, or did tell something: then no reader may call the finding lost."""

    @property
    def leaves_lost(self) -> bool:
        """Whether a finding that was read as lost stays lost."""
        return self.fate not in _SPEAKS and not self.passed_on and not self.undecided


def by_proof(carried: Iterable[Carried], exchange: int, proofs: Iterable[Proof]) -> tuple[Carried, ...]:
    """The fates of one attempt's findings, with what was proven in the place of what was read.

    A proof reads, too: the words that come and go with the finding, where reading alone has all new words.
    """
    known = {p.finding.identity: p for p in proofs if p.exchange == exchange}
    return tuple(_settled(c, known.get(c.finding.identity)) for c in carried)


_SETTLED = {
    Fate.PROVEN: (Grade.PROVEN, None),
    Fate.REACTS: (Grade.REACTS, None),
    Fate.MISDIRECTED: (Grade.LOST, ReasonCode.MISDIRECTED),
    Fate.NOT_CARRIED: (Grade.LOST, ReasonCode.NOT_CARRIED),
    Fate.UNREAD: (Grade.UNREAD, ReasonCode.OTHER_FAULT),
}


def _settled(carried: Carried, proof: Proof | None) -> Carried:
    if proof is not None and proof.fate in _SETTLED:
        grade, code = _SETTLED[proof.fate]
        lost = grade is Grade.LOST
        evidence = None if lost else proof.said or proof.reason
        reason = None if grade in (Grade.PROVEN, Grade.REACTS) else proof.reason
        return replace(carried, grade=grade, evidence=evidence, reason=reason, reason_code=code)
    if proof is None or carried.grade not in (Grade.UNREAD, Grade.LOST):
        return carried
    if proof.passed_on:
        return replace(carried, grade=Grade.NOT_JUDGED, reason=proof.reason, reason_code=None)
    if proof.undecided or (proof.fate is Fate.UNPROVEN and carried.grade is Grade.UNREAD):
        reason = f"{carried.reason}; {proof.reason}" if carried.reason and not proof.undecided else proof.reason
        return replace(carried, grade=Grade.UNREAD, reason=reason)
    return carried
