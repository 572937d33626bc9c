"""Proof by intervention that a finding was carried: the answer is given without it, and the next request looked at."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from .results import Grade

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..contract.finding import Finding
    from .results import Carried


class Fate(StrEnum):
    """What the app did when it was given the same answer without one finding."""

    PROVEN = "proven"
    """It sent another request: the finding was carried, in whatever words."""
    NOT_CARRIED = "not carried"
    """It sent the same request, the quoted answer left aside: the finding was not in it."""
    UNPROVEN = "unproven"
    """It did not come to the request, or nothing follows from what it sent. Never a failure."""
    NOT_JUDGED = "not judged"
    """The finding cannot be fixed by itself. Never a failure."""


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
    passed_on: bool = False
    """Unproven, since the app gave the finding to a call of its own: then no reader knows the words of the retry."""
    undecided: bool = False
    """Unproven though a run might have told, or did tell something: then no reader may call the finding lost."""

    @property
    def leaves_lost(self) -> bool:
        """Whether a finding that was read as lost stays lost."""
        return self.fate is not Fate.PROVEN and not self.passed_on and not self.undecided


def by_proof(carried: Iterable[Carried], exchange: int, proofs: Iterable[Proof]) -> tuple[Carried, ...]:
    """The fates of one attempt's findings, with what was proven in the place of what was read.

    What the app does when it is asked outweighs what its words look like, both ways.
    """
    known = {p.finding.identity: p for p in proofs if p.exchange == exchange}
    return tuple(_settled(c, known.get(c.finding.identity)) for c in carried)


def _settled(carried: Carried, proof: Proof | None) -> Carried:
    if proof is not None and proof.fate is Fate.PROVEN:
        return replace(carried, grade=Grade.PROVEN, evidence=proof.reason, reason=None)
    if proof is not None and proof.fate is Fate.NOT_CARRIED:
        return replace(carried, grade=Grade.LOST, evidence=None, reason=proof.reason)
    if proof is None or carried.grade not in (Grade.UNREAD, Grade.LOST):
        return carried
    if proof.passed_on:
        return replace(carried, grade=Grade.NOT_JUDGED, reason=proof.reason)
    if proof.undecided or (proof.fate is Fate.UNPROVEN and carried.grade is Grade.UNREAD):
        reason = f"{carried.reason}; {proof.reason}" if carried.reason and not proof.undecided else proof.reason
        return replace(carried, grade=Grade.UNREAD, reason=reason)
    return carried
