"""Which answers to give the app again without one of their findings, and what follows from what it then sends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..judging.attempt_answers import Applied, answers_of
from ..judging.parallel_calls import ParallelVerdict, required_of
from ..proof import Fate, Proof
from ..results import Outcome
from .repair import Repaired, Unrepairable, repair
from .request_diff import Difference
from .swap import Swapped, swaps

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ...contract.verdict import Verdict
    from ..judging.judging_options import JudgeOptions
    from ..results import Attempt, Carried, Convergence

MOST = 20
"""Findings of one conversation that are tried; each costs one more run of the app."""
ALONE = "fixing this finding makes the answer valid, so the app does not retry, and no other error could be planted"
ENDED = "and the app ended before it asked again"
NO_ROOM = "no error at another place and of another kind could be planted"
Change = Repaired | Swapped
"""An answer without the finding: repaired, or with another error in its place."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One run of the app on a changed answer, and what it then sent."""

    change: Change
    seen: Mapping[int, Difference]
    """How the request of each target that was sent differs from the one that was sent before."""
    trouble: str | None = None
    """Why the run says nothing, where it does not; what was seen before it counts."""
    passed_on: bool = False
    """Whether that is because a call between the two attempts changed."""


@dataclass(frozen=True, slots=True)
class Intervention:
    """One finding of one answer, and the changed answers that can tell whether it was carried."""

    conversation: str
    attempt: int
    exchange: int
    """The exchange whose answer is changed, from 1."""
    finding: Finding
    changes: tuple[Change, ...]
    """At least one, in the order in which they are to be tried: until one decides."""
    answer: str
    """The answer as it was recorded."""
    contract: Any
    targets: tuple[int, ...]
    """The exchanges whose requests react to it, in order: tool steps, then the next attempt."""
    later: frozenset[int] = frozenset()
    """The exchanges of the conversation behind those."""
    others: frozenset[int] = frozenset()
    """The retries of other conversations."""

    def proof(self, fate: Fate, reason: str) -> Proof:
        """Return what came of it."""
        return Proof(self.conversation, self.attempt, self.exchange, self.finding, fate, reason)

    def concluded(self, trials: Sequence[Trial]) -> Proof | None:
        """Return what follows from the trials so far, which follow `changes`; None where the next one must tell."""
        counted = any(self._changed_its_count(trial) for trial in trials)
        for trial in trials:
            changed = [number for number, how in trial.seen.items() if how is Difference.WORDS]
            if changed and not counted:
                return self.proof(Fate.PROVEN, f"{trial.change.words}, and request {changed[0]} changed")
        same = [t.change for t in trials if self._stayed(t)]
        rest = self.changes[len(trials) :]
        if _tell(same, more=bool(rest)):
            return self._not_carried(same[-1])
        return None if rest and trials[-1].trouble is None else self._unproven(trials[0])

    def _stayed(self, trial: Trial) -> bool:
        """Return whether the retry was sent, and says all that it said before."""
        arrived = trial.trouble is None and self.targets[-1] in trial.seen
        return arrived and set(trial.seen.values()) <= {Difference.NONE}

    def _changed_its_count(self, trial: Trial) -> bool:
        """Return whether a repair changed a count of errors alone: then no word was about the finding.

        A swap tells nothing more: an app that names the first error only names the planted one in its place.
        """
        arrived = trial.trouble is None and self.targets[-1] in trial.seen
        ways = set(trial.seen.values()) - {Difference.NONE}
        return arrived and isinstance(trial.change, Repaired) and ways == {Difference.COUNT}

    def _not_carried(self, change: Change) -> Proof:
        stayed = "stayed the same" if isinstance(change, Repaired) else "said all that it says of this one"
        words = f"the app was run again: {change.words}, and request {self.targets[-1]} {stayed}"
        return self.proof(Fate.NOT_CARRIED, words)

    def _unproven(self, trial: Trial) -> Proof:
        """Return why nothing follows from a trial."""
        if trial.trouble is not None:
            return replace(self.proof(Fate.UNPROVEN, trial.trouble), passed_on=trial.passed_on)
        words = trial.change.words
        if self._stayed(trial):
            return self.proof(Fate.UNPROVEN, f"{words}, and request {self.targets[-1]} stayed the same: {NO_ROOM}")
        if self._changed_its_count(trial):  # a reader may call the finding lost: a count does not say what is wrong
            return self.proof(Fate.UNPROVEN, f"{words}, and the next request changed in numbers alone")
        for how, what in ((Difference.NUMBERS, "numbers"), (Difference.VALUES, "quoted values")):
            if how in trial.seen.values():
                proof = self.proof(Fate.UNPROVEN, f"{words}, and the next request changed in {what} alone")
                return replace(proof, undecided=True)
        return self.proof(Fate.UNPROVEN, f"{words}, {ENDED}")


def _tell(same: Sequence[Change], *, more: bool) -> bool:
    """Return whether requests that stayed the same tell of a loss: one after a repair, or those after swaps.

    One swap may share its words with the finding ("must be a string" stands within "must be a string or a number"),
    so a second one is made where there are `more`. An app may name the place alone, or the rule alone.
    """
    if any(isinstance(change, Repaired) for change in same):
        return True
    swapped = [c for c in same if isinstance(c, Swapped)]
    enough = len(swapped) > 1 or not more
    return enough and any(c.elsewhere for c in swapped) and any(c.unlike for c in swapped)


Wanted = Callable[["Attempt", "Carried | None"], bool]
"""Whether a finding of an attempt is to be tried, by what was read of it."""


def every_finding(_attempt: Attempt, _carried: Carried | None) -> bool:
    """Try whatever a retry had to carry."""
    return True


def trials(
    conversations: Sequence[Convergence],
    contracts: Sequence[Any],
    options: JudgeOptions,
    wanted: Wanted = every_finding,
) -> Iterator[Intervention | Proof]:
    """Yield every finding that a retry had to carry: as a trial, or as a proof that says why it cannot be tried."""
    known = {c.name: c for c in reversed(contracts)}
    for conversation in conversations:
        if conversation.outcome is Outcome.AMBIGUOUS or conversation.contract not in known:
            continue
        for at, finding in [*_required(conversation, options, wanted)][:MOST]:
            found = _trial(conversation, at, finding, known[conversation.contract])
            others = (e for c in conversations if c is not conversation for e in _exchanges(c.attempts[1:]))
            yield found if isinstance(found, Proof) else replace(found, others=frozenset(others))


def required_findings(
    conversations: Sequence[Convergence], options: JudgeOptions, wanted: Wanted = every_finding
) -> Iterator[tuple[str, int, int, Finding]]:
    """Yield the findings that a retry had to carry: with their conversation, attempt and exchange."""
    for conversation in conversations:
        for at, finding in _required(conversation, options, wanted):
            attempt = conversation.attempts[at]
            yield conversation.conversation, attempt.number, attempt.exchange.number, finding


def _required(conversation: Convergence, options: JudgeOptions, wanted: Wanted) -> Iterator[tuple[int, Finding]]:
    for at, attempt in enumerate(conversation.attempts[:-1]):
        for finding in required_of(attempt.verdict, options.must_carry):
            if wanted(attempt, _read_as(attempt, finding)):
                yield at, finding


def _read_as(attempt: Attempt, finding: Finding) -> Carried | None:
    return next((c for c in attempt.carried if c.finding is finding), None)


def _trial(conversation: Convergence, at: int, finding: Finding, contract: Any) -> Intervention | Proof:
    attempt, following = conversation.attempts[at], conversation.attempts[at + 1]
    number = attempt.exchange.number

    def unjudged(fate: Fate, reason: str) -> Proof:
        return Proof(conversation.conversation, attempt.number, number, finding, fate, reason)

    own = _own(finding, attempt, contract)
    if own is None:
        return unjudged(Fate.NOT_JUDGED, "the same is wrong with another call of this answer")
    later = conversation.attempts[at + 1 :]
    changes = _changes(finding, own, contract, later, _finish(attempt))
    if isinstance(changes, str):
        return unjudged(Fate.UNPROVEN if changes is ALONE else Fate.NOT_JUDGED, changes)
    return Intervention(
        conversation.conversation,
        attempt.number,
        number,
        finding,
        changes,
        own.text,
        contract,
        targets=tuple(e.number for e in (*following.steps, following.exchange)),
        later=frozenset(_exchanges(conversation.attempts[at + 2 :])),
    )


def _exchanges(attempts: Sequence[Attempt]) -> Iterator[int]:
    return (e.number for a in attempts for e in (*a.steps, a.exchange))


def _changes(
    finding: Finding, verdict: Verdict, contract: Any, later: Sequence[Attempt], finish: str | None
) -> tuple[Change, ...] | str:
    """Return the answers to try; why there are none.

    A repair comes first where something else is wrong: it says the same of any app. Swaps are for the finding that is
    alone, and for an app that accepts the repaired answer, since it does not check the rest.
    """
    repaired = repair(finding, verdict, contract, _donors(later), finish)
    sound = repaired if isinstance(repaired, Repaired) else None
    texts = [a.verdict.text for a in reversed(later) if a.verdict.ok]
    swapped = swaps(finding, verdict, contract, repaired=sound, donors=texts, finish=finish)
    if sound is not None and not sound.valid:
        return (sound, *swapped)
    if swapped:
        return swapped
    return repaired.reason if isinstance(repaired, Unrepairable) else ALONE


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
