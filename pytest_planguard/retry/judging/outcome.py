"""Judge a conversation from its attempts. Only this module decides outcomes, for driven and recorded conversations."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...contract.failure_kinds import FailureKind, Reask
from ...contract.finding import Severity
from ..outcomes import Outcome, StopReason
from ..results import Attempt, Check, Convergence
from .checks.answer_checks import accounted, agreed, copied, phase_of, shrinking, stops, valid
from .checks.request_checks import addressed, bounded, clean, feedback, fresh, task_kept
from .checks.view import Retry, View

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...contract.finding import Finding
    from .judging_options import JudgeOptions

CHECKS: tuple[Callable[[View], Check], ...] = (
    feedback,
    stops,
    valid,
    agreed,
    fresh,
    addressed,
    clean,
    bounded,
    shrinking,
    task_kept,
    accounted,
    copied,
)
"""Every check, in the order of reports."""
CHECK_NAMES = tuple(check.__name__ for check in CHECKS)
"""The names of the checks in reports and expectation files: "feedback"."""
NOT_COPIED = "not_copied"
"""The finding code of the constraint that forbids copies."""


def judged(
    name: str,
    contract: str,
    attempts: tuple[Attempt, ...],
    retries: tuple[Retry, ...],
    options: JudgeOptions,
    *,
    ambiguous: bool = False,
    taken: bool = False,
    handed_to: str | None = None,
    stop_reason: StopReason | None = None,
) -> Convergence:
    """Judge one conversation.

    Args:
        name: the conversation's name.
        contract: the contract's name.
        attempts: at least one attempt, with the grades of its findings.
        retries: each pair of successive attempts.
        options: how strictly to judge.
        ambiguous: True if the traffic does not show which answers the requests react to.
        taken: True if the app accepted the last answer although it violates the contract.
        handed_to: the model, tool or person that the task was handed over to, as declared.
        stop_reason: why planguard's own loop stopped; None if an app owns the loop.
    """
    view = View(attempts, retries, options, ambiguous, taken, handed_to)
    copies = options.copy_check and attempts[-1].verdict.ok and bool(copied(view).evidence)
    limit = options.max_attempts
    handed = handed_to is not None
    outcome = outcome_of(attempts, limit, ambiguous=ambiguous, copies=copies, handed=handed, stop_reason=stop_reason)
    return Convergence(name, contract, outcome, attempts, tuple(check(view) for check in CHECKS), limit, stop_reason)


def outcome_of(
    attempts: Sequence[Attempt],
    max_attempts: int,
    *,
    ambiguous: bool = False,
    copies: bool = False,
    handed: bool = False,
    stop_reason: StopReason | None = None,
) -> Outcome:
    """Return the first outcome that fits, checked in the order of the code.

    Only the attempts decide, so a driven conversation gets the same outcome as its cassette. The stop reason adds one
    fact that attempts cannot show: that a budget of tokens or money is used up.

    Args:
        attempts: at least one attempt.
        max_attempts: number of attempts allowed.
        ambiguous: True if the traffic does not show which answers the requests react to.
        copies: True if the last answer is a copy and `JudgeOptions.copy_check` is on.
        handed: True if the app handed the task over, as declared.
        stop_reason: why planguard's own loop stopped.
    """
    last = attempts[-1].verdict
    if ambiguous:
        return Outcome.AMBIGUOUS
    if last.ok:  # before the handover: a declared model may have solved the task
        return Outcome.FALSE_CONVERGENCE if copies else Outcome.CONVERGED
    if handed:
        return Outcome.ESCALATED
    if any(f.severity is Severity.FAIL for f in last.errors):
        return Outcome.REJECTED
    if all(f.code == NOT_COPIED for f in last.errors):  # only copied: everything else about the answer is right
        return Outcome.FALSE_CONVERGENCE
    return _without_progress(attempts) or _without_end(attempts, max_attempts, stop_reason)


def _without_progress(attempts: Sequence[Attempt]) -> Outcome | None:
    """Return stuck, oscillating, no progress or None.

    A repeated answer is checked first, so answers A, B, A are stuck.
    """
    if any(a.repeats for a in attempts):
        return Outcome.STUCK
    problems = [frozenset(map(_problem, a.verdict.errors)) for a in attempts[-3:]]
    # Findings A, B, A: a wrong title, a wrong date, a wrong title again. A, A, A does not alternate: no progress.
    swinging = len(problems) == 3 and problems[0] == problems[2] != problems[1]
    if swinging:
        return Outcome.OSCILLATING
    # Findings A, A: a title that is too short, then a different one that is too short. Answers that were cut off or
    # refused say nothing about progress, and two empty answers do not differ.
    same = len(problems) > 1 and problems[-1] == problems[-2]
    helpless = attempts[-1].verdict.reask in (Reask.NO, Reask.NOT_AT_THIS_LIMIT, Reask.ONCE)
    return Outcome.NO_PROGRESS if same and not helpless else None


def _problem(finding: Finding) -> object:
    """Return what makes two findings the same. At the whole answer, only a rule's words tell its problems apart.

    Example: "'(' was never closed" and "invalid syntax", both of a rule that compiles the answer.
    """
    bare = finding.kind is FailureKind.RULE and not finding.path
    return (finding.identity, finding.message if bare else None)


def _without_end(attempts: Sequence[Attempt], max_attempts: int, stop_reason: StopReason | None) -> Outcome:
    """Return regressed, exhausted or stopped. A loop that ends at attempt 3 of 3 is exhausted, at 2 of 3 stopped."""
    if len(attempts) > 1 and _regressed(attempts):
        return Outcome.REGRESSED
    spent = len(attempts) >= max_attempts or stop_reason is StopReason.BUDGET_SPENT
    return Outcome.EXHAUSTED if spent else Outcome.STOPPED


def _regressed(attempts: Sequence[Attempt]) -> bool:
    """Return True if the last answer breaks something that was right in an earlier answer.

    The earlier answer must have reached the same phase or a later one. An answer that was cut off or refused is not a
    step back, and neither is a different problem at the same place.
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
