"""Which answers to give the app again without one of their findings, and what follows from what it then sends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .convergence import Outcome
from .echo import Difference
from .parallel import ParallelVerdict, required_of
from .proof import Fate, Proof
from .repair import Repaired, Unrepairable, repair

if TYPE_CHECKING:
    from ..contract.finding import Finding
    from .convergence import Attempt, Convergence
    from .options import JudgeOptions

MOST = 20
"""Findings of one conversation that are tried; each costs one more run of the app."""
ALONE = "with it mended the answer is valid, so nobody has to ask again"


@dataclass(frozen=True, slots=True)
class Trial:
    """One finding to be mended in one answer."""

    conversation: str
    attempt: int
    exchange: int
    """The exchange whose answer is changed, from 1."""
    finding: Finding
    repaired: Repaired
    answer: str
    """The answer as it was, as the contract judged it."""
    contract: Any
    targets: tuple[int, ...]
    """The exchanges whose requests react to it, in order: tool steps, then the next attempt."""
    later: frozenset[int] = frozenset()
    """The exchanges of the conversation behind those."""

    def proof(self, fate: Fate, reason: str) -> Proof:
        """What came of it."""
        return Proof(self.conversation, self.attempt, self.exchange, self.finding, fate, reason)

    def concluded(self, seen: Mapping[int, Difference], trouble: str | None, *, passed_on: bool = False) -> Proof:
        """What follows.

        Args:
            seen: how the request of each target that was sent differs from the one that was sent before.
            trouble: why the run says nothing, where it does not; what was seen before it counts.
            passed_on: whether that is because a call between the two attempts changed.
        """
        changed = [number for number, how in seen.items() if how is Difference.WORDS]
        if changed:
            return self.proof(Fate.PROVEN, f"{self.repaired.words}, and request {changed[0]} changed")
        if trouble is not None:
            return replace(self.proof(Fate.UNPROVEN, trouble), passed_on=passed_on)
        if Difference.NUMBERS in seen.values():
            return self.proof(Fate.UNPROVEN, f"{self.repaired.words}, and the next request changed in numbers alone")
        if self.targets[-1] not in seen:
            return self.proof(Fate.UNPROVEN, f"{self.repaired.words}, and the app ended before it asked again")
        same = f"request {self.targets[-1]} stayed the same"
        return self.proof(Fate.NOT_CARRIED, f"the app was run again: {self.repaired.words}, and {same}")


def trials(
    conversations: Sequence[Convergence], contracts: Sequence[Any], options: JudgeOptions
) -> Iterator[Trial | Proof]:
    """Every finding that a retry had to carry: as a trial, or as a proof that says why it cannot be tried."""
    known = {c.name: c for c in reversed(contracts)}
    for conversation in conversations:
        if conversation.outcome is Outcome.AMBIGUOUS or conversation.contract not in known:
            continue
        found = [
            _trial(conversation, at, finding, known[conversation.contract])
            for at, attempt in enumerate(conversation.attempts[:-1])
            for finding in required_of(attempt.verdict, options.must_carry)
        ]
        yield from found[:MOST]


def _trial(conversation: Convergence, at: int, finding: Finding, contract: Any) -> Trial | Proof:
    attempt, following = conversation.attempts[at], conversation.attempts[at + 1]
    number = attempt.exchange.number

    def unjudged(fate: Fate, reason: str) -> Proof:
        return Proof(conversation.conversation, attempt.number, number, finding, fate, reason)

    if isinstance(attempt.verdict, ParallelVerdict):
        return unjudged(Fate.NOT_JUDGED, "the answer makes several bad calls at once")
    mended = repair(finding, attempt.verdict, contract, _donors(conversation.attempts[at + 1 :]), _finish(attempt))
    if isinstance(mended, Unrepairable):
        return unjudged(Fate.NOT_JUDGED, mended.reason)
    if mended.valid:
        return unjudged(Fate.UNPROVEN, ALONE)
    targets = tuple(e.number for e in (*following.steps, following.exchange))
    later = frozenset(e.number for a in conversation.attempts[at + 2 :] for e in (*a.steps, a.exchange))
    name, answer = conversation.conversation, attempt.verdict.text
    return Trial(name, attempt.number, number, finding, mended, answer, contract, targets, later)


def _donors(later: Sequence[Attempt]) -> list[Any]:
    """Later answers of the conversation, the last first: where it converged, all of it is right."""
    return [a.verdict.data for a in reversed(later) if a.verdict.data is not None]


def _finish(attempt: Attempt) -> str | None:
    finish = attempt.exchange.finish
    return str(finish.value) if finish else None
