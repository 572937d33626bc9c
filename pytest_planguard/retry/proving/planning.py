"""Choose the findings to test, and the answers to give the app for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from ...contract.constraints.scene import CheckContext
from ..judging.attempts import Applied, answers_of
from ..judging.required_findings import ParallelVerdict, required_of
from ..outcomes import Grade, Outcome, ReasonCode
from ..proof import Proof, ProofResult
from .experiment import Experiment
from .moved_fault import moved
from .repair import Repaired, Unrepairable, repair
from .swap import swaps
from .trial import Changes

if TYPE_CHECKING:
    from ...contract.finding import Finding
    from ...contract.verdict import Verdict
    from ..judging.judging_options import JudgeOptions
    from ..results import Attempt, Convergence, FedBack

MOST = 20
"""Maximum number of findings of one conversation to test. Each costs another run of the app."""
RUNS = 3
"""Maximum number of runs for one finding, without the control run."""
ALONE = "fixing this finding makes the answer valid, so the app does not retry; no error is left to take its place"
Wanted = Callable[["Attempt", "FedBack | None"], bool]
"""Returns True if a finding of an attempt should be tested, judging by its grading."""


def every_finding(_attempt: Attempt, _fed_back: FedBack | None) -> bool:
    """Test every finding that a retry had to feed back."""
    return True


def trials(
    conversations: Sequence[Convergence],
    contracts: Sequence[Any],
    options: JudgeOptions,
    wanted: Wanted = every_finding,
) -> Iterator[Experiment | Proof]:
    """Yield each finding that a retry had to feed back: as a trial, or as a proof that says why there is no trial."""
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
    """Yield the findings that a retry had to feed back, with their conversation, attempt and exchange."""
    for conversation in conversations:
        for at, finding in _required(conversation, options, wanted):
            attempt = conversation.attempts[at]
            yield conversation.conversation, attempt.number, attempt.exchange.number, finding


def _required(conversation: Convergence, options: JudgeOptions, wanted: Wanted) -> Iterator[tuple[int, Finding]]:
    for at, attempt in enumerate(conversation.attempts[:-1]):
        for finding in required_of(attempt.verdict, options.must_feed_back):
            fed = next((c for c in attempt.fed_back if c.finding is finding), None)
            if wanted(attempt, fed) and not _is_left_out(fed):
                yield at, finding


def _is_left_out(fed: FedBack | None) -> bool:
    """Return True if the app quotes several parts, but not this one. After a repair, it might leave out another."""
    return fed is not None and fed.grade is Grade.MISSING and fed.reason_code is ReasonCode.OTHER_QUOTES


def _trial(conversation: Convergence, at: int, finding: Finding, contract: Any) -> Experiment | Proof:
    attempt, following = conversation.attempts[at], conversation.attempts[at + 1]
    number = attempt.exchange.number

    def unjudged(result: ProofResult, reason: str) -> Proof:
        return Proof(conversation.conversation, attempt.number, number, finding, result, reason)

    if attempt.exchange.state:
        contract = _InState(contract, CheckContext(state=attempt.exchange.state))
    own = _own(finding, attempt, contract)
    if own is None:
        return unjudged(ProofResult.NOT_JUDGED, "another call in this answer has the same problem")
    later, finish = conversation.attempts[:at:-1], _finish(attempt)  # the last first: its values are most often right
    parsed = [a.verdict.data for a in later if a.verdict.data is not None]
    donors: list[object] = [a.verdict.text for a in later] if finding.quote else parsed
    repaired = repair(finding, own, contract, donors, finish)
    sound = repaired if isinstance(repaired, Repaired) else None
    good = [a.verdict.text for a in later if a.verdict.ok]
    # A repair comes first if something else is wrong: its result is the same for any app. Swaps serve a finding that is
    # alone, and an app that accepts the repaired answer because it does not check the rest.
    first = [sound] if sound is not None and not sound.valid else []
    changes = Changes(chain(first, swaps(finding, own, contract, repaired=sound, donors=good, finish=finish)))
    if not changes and isinstance(repaired, Unrepairable):
        return unjudged(ProofResult.NOT_JUDGED, repaired.reason)
    if not changes:
        return unjudged(ProofResult.UNPROVEN, ALONE)
    elsewhere = moved(finding, own, contract, sound, finish) if sound is not None else None
    return Experiment(
        conversation.conversation,
        attempt.number,
        number,
        finding,
        changes.up_to(RUNS - (elsewhere is not None)),
        own.text,
        contract,
        targets=tuple(e.number for e in (*following.steps, following.exchange)),
        later=frozenset(_exchanges(conversation.attempts[at + 2 :])),
        moved=elsewhere,
        names=Applied.of(contract).names,
    )


class _InState:
    """A contract that judges changed answers by the state that the attempt saw."""

    def __init__(self, contract: Any, context: CheckContext) -> None:
        self._contract, self._context = contract, context

    def __getattr__(self, name: str) -> Any:
        return getattr(self._contract, name)

    def check(self, answer: object, **how: Any) -> Verdict:
        return self._contract.check(answer, **{"context": self._context, **how})  # type: ignore[no-any-return]


def _exchanges(attempts: Sequence[Attempt]) -> Iterator[int]:
    return (e.number for a in attempts for e in (*a.steps, a.exchange))


def _own(finding: Finding, attempt: Attempt, contract: Any) -> Verdict | None:
    """Return the verdict on the one call that has the finding; None if several calls have it."""
    if not isinstance(attempt.verdict, ParallelVerdict):
        return attempt.verdict
    texts = [answer.text for answer in answers_of(attempt.exchange, Applied.of(contract))]
    verdicts = [contract.check(text, finish=_finish(attempt)) for text in texts]
    found = [v for v in verdicts if finding.identity in {f.identity for f in v.errors}]
    return found[0] if len(found) == 1 else None


def _finish(attempt: Attempt) -> str | None:
    finish = attempt.exchange.finish
    return str(finish.value) if finish else None
