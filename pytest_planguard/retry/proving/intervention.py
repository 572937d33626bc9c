"""Which answers to give the app again without one of their findings, and what follows from what it then sends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..judging.attempt_answers import Applied, answers_of
from ..judging.parallel_calls import ParallelVerdict, required_of
from ..proof import Fate, Proof
from ..results import Outcome
from .repair import Repaired, Unrepairable, repair
from .request_diff import Difference
from .second_error import Companion, planted

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ...contract.verdict import Verdict
    from ..judging.judging_options import JudgeOptions
    from ..results import Attempt, Convergence

MOST = 20
"""Findings of one conversation that are tried; each costs one more run of the app."""
ALONE = "fixing this finding makes the answer valid, so the app does not retry, and no second error could be injected"


@dataclass(frozen=True, slots=True)
class Intervention:
    """One finding to be repaired in one answer."""

    conversation: str
    attempt: int
    exchange: int
    """The exchange whose answer is changed, from 1."""
    finding: Finding
    repaired: Repaired
    answer: str
    """The answer with the finding, that the repaired one is held against."""
    recorded: str
    """The answer as it was recorded: `answer` itself, or without the error that was planted there."""
    contract: Any
    targets: tuple[int, ...]
    """The exchanges whose requests react to it, in order: tool steps, then the next attempt."""
    later: frozenset[int] = frozenset()
    """The exchanges of the conversation behind those."""
    companion: Companion | None = None
    """What was planted, where the finding is the only one."""
    decisive: bool = True
    """Whether a request that stays the same means a loss; else the app may have named the planted error alone."""

    def proof(self, fate: Fate, reason: str) -> Proof:
        """Return what came of it."""
        return Proof(self.conversation, self.attempt, self.exchange, self.finding, fate, reason)

    def concluded(self, seen: Mapping[int, Difference], trouble: str | None, *, passed_on: bool = False) -> Proof:
        """Return what follows.

        Args:
            seen: how the request of each target that was sent differs from the one that was sent before.
            trouble: why the run says nothing, where it does not; what was seen before it counts.
            passed_on: whether that is because a call between the two attempts changed.
        """
        words = self.words
        changed = [number for number, how in seen.items() if how is Difference.WORDS]
        if changed:
            return self.proof(Fate.PROVEN, f"{words}, and request {changed[0]} changed")
        if trouble is not None:
            return replace(self.proof(Fate.UNPROVEN, trouble), passed_on=passed_on)
        if Difference.NUMBERS in seen.values():
            return self.proof(Fate.UNPROVEN, f"{words}, and the next request changed in numbers alone")
        if self.targets[-1] not in seen:
            return self.proof(Fate.UNPROVEN, f"{words}, and the app ended before it asked again")
        same = f"request {self.targets[-1]} stayed the same"
        if not self.decisive:
            return self.proof(Fate.UNPROVEN, f"{words}, and {same}: maybe only the first error is named")
        return self.proof(Fate.NOT_CARRIED, f"the app was run again: {words}, and {same}")

    @property
    def words(self) -> str:
        """What was done, for a person."""
        beside = "" if self.companion is None else f"beside an error that was planted at {self.companion.place}, "
        return f"{beside}{self.repaired.words}"


def trials(
    conversations: Sequence[Convergence], contracts: Sequence[Any], options: JudgeOptions
) -> Iterator[Intervention | Proof]:
    """Yield every finding that a retry had to carry: as a trial, or as a proof that says why it cannot be tried."""
    known = {c.name: c for c in reversed(contracts)}
    for conversation in conversations:
        if conversation.outcome is Outcome.AMBIGUOUS or conversation.contract not in known:
            continue
        found = [
            _trial(conversation, at, finding, known[conversation.contract], one_at_a_time=options.coverage != "all")
            for at, attempt in enumerate(conversation.attempts[:-1])
            for finding in required_of(attempt.verdict, options.must_carry)
        ]
        yield from found[:MOST]


def _trial(
    conversation: Convergence, at: int, finding: Finding, contract: Any, *, one_at_a_time: bool
) -> Intervention | Proof:
    attempt, following = conversation.attempts[at], conversation.attempts[at + 1]
    number = attempt.exchange.number

    def unjudged(fate: Fate, reason: str) -> Proof:
        return Proof(conversation.conversation, attempt.number, number, finding, fate, reason)

    own = _own(finding, attempt, contract)
    if own is None:
        return unjudged(Fate.NOT_JUDGED, "the same is wrong with another call of this answer")
    repaired = repair(finding, own, contract, _donors(conversation.attempts[at + 1 :]), _finish(attempt))
    if isinstance(repaired, Unrepairable):
        return unjudged(Fate.NOT_JUDGED, repaired.reason)
    companion = planted(finding, own, repaired, contract, _finish(attempt)) if repaired.valid else None
    if repaired.valid and companion is None:
        return unjudged(Fate.UNPROVEN, ALONE)
    return Intervention(
        conversation.conversation,
        attempt.number,
        number,
        finding,
        companion.repaired if companion else repaired,
        companion.answer if companion else own.text,
        own.text,
        contract,
        targets=tuple(e.number for e in (*following.steps, following.exchange)),
        later=frozenset(e.number for a in conversation.attempts[at + 2 :] for e in (*a.steps, a.exchange)),
        companion=companion,
        decisive=companion is None or (companion.behind and not one_at_a_time),
    )


def _own(finding: Finding, attempt: Attempt, contract: Any) -> Verdict | None:
    """Return the verdict that has the finding: of the one bad call among several; None where more than one has it."""
    if not isinstance(attempt.verdict, ParallelVerdict):
        return attempt.verdict
    texts = [answer.text for answer in answers_of(attempt.exchange, Applied.of(contract))]
    verdicts = [contract.check(text, finish=_finish(attempt)) for text in texts]
    found = [v for v in verdicts if finding.identity in {f.identity for f in v.errors}]
    return found[0] if len(found) == 1 else None


def _donors(later: Sequence[Attempt]) -> list[Any]:
    """Later answers of the conversation, the last first: where it converged, all of it is right."""
    return [a.verdict.data for a in reversed(later) if a.verdict.data is not None]


def _finish(attempt: Attempt) -> str | None:
    finish = attempt.exchange.finish
    return str(finish.value) if finish else None
