"""Names how a conversation ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...contract.failure_kinds import Reask
from ...contract.severity import Severity
from ..convergence import Attempt, Outcome
from .checks.answer_checks import phase_of

if TYPE_CHECKING:
    from collections.abc import Sequence

NOT_COPIED = "not_copied"
"""The code of the constraint that forbids copies."""


def outcome_of(attempts: Sequence[Attempt], max_attempts: int, *, ambiguous: bool, copied: bool) -> Outcome:
    """The outcome; the first that fits, from what cannot be told, over what is good, to what is merely over.

    `copied` says that the last answer copies and that this counts (see `JudgeOptions.copy_check`).
    """
    last = attempts[-1].verdict
    if ambiguous:
        return Outcome.AMBIGUOUS
    if last.ok:
        return Outcome.FALSE_CONVERGENCE if copied else Outcome.CONVERGED
    if any(f.severity is Severity.FAIL for f in last.errors):
        return Outcome.REJECTED
    if all(f.code == NOT_COPIED for f in last.errors):
        return Outcome.FALSE_CONVERGENCE
    return _stuck(attempts) or _ended(attempts, max_attempts)


def _stuck(attempts: Sequence[Attempt]) -> Outcome | None:
    if any(a.repeats for a in attempts):
        return Outcome.STUCK
    problems = [frozenset(f.identity for f in a.verdict.errors) for a in attempts[-3:]]
    swinging = len(problems) == 3 and problems[0] == problems[2] != problems[1]
    return Outcome.OSCILLATING if swinging else None


def _ended(attempts: Sequence[Attempt], max_attempts: int) -> Outcome:
    if len(attempts) > 1 and _regressed(attempts):
        return Outcome.REGRESSED
    return Outcome.EXHAUSTED if len(attempts) >= max_attempts else Outcome.STOPPED


def _regressed(attempts: Sequence[Attempt]) -> bool:
    """Whether the last answer breaks what an earlier one, judged at least as deep, had right.

    An answer that was cut off or declined broke nothing, and another problem at the same place is no step back.
    """
    verdict = attempts[-1].verdict
    if verdict.reask in (Reask.NO, Reask.NOT_AT_THIS_LIMIT):
        return False
    phase = phase_of(verdict.errors)
    for earlier in attempts[:-1]:
        reached = phase_of(earlier.verdict.errors)
        known = {f.path for f in earlier.verdict.errors}
        if reached > phase or (reached == phase and any(f.path not in known for f in verdict.errors)):
            return True
    return False
