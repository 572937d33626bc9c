"""One call: the code of a step is run, and what it raises is told with the name of the step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ...contract.failure_kinds import FailureKind
from ...contract.finding import Finding
from ...contract.verdict import Verdict
from ...errors import UsageError
from ..blame.blame_table import DUPLICATE, BlameTable
from ..blame.heuristic import backtrack_heuristic
from ..context.step_context import Unrecorded
from ..model.config import Classify, Failure
from ..model.result import StepError
from .hashes import answer_text, chained

if TYPE_CHECKING:
    from ..context.channels import OwnFailure
    from ..context.step_context import StepContext
    from ..model.step import PathGuard, Step
    from .frame import Frame
    from .ledger import Ledger

T = TypeVar("T")


class StepFailed(Exception):
    """The code of a step raised. Never leaves the search."""

    def __init__(self, error: StepError) -> None:
        super().__init__(str(error))
        self.error = error


class Judged(NamedTuple):
    """An answer and what its guard said."""

    text: str
    verdict: Verdict
    passed: bool
    score: float = 0.0
    duplicate: bool = False


def ask(step: Step, context: StepContext, ledger: Ledger, frame: Frame) -> Any:
    """Return the answer of a step, and count the call. A call that a recording lacks is none.

    Raises:
        Unrecorded: the recording has no such call.
        StepFailed: the step's ask raised.
    """
    try:
        answer = _run(step, "ask", step.ask, context)
    except Unrecorded:
        raise
    except StepFailed:
        ledger.charge(frame)
        raise
    ledger.charge(frame)
    return answer


def judge(step: Step, guard: PathGuard, context: StepContext, answer: Any, frame: Frame) -> Judged:
    """Return what the guard of a step says; an answer that repeats an earlier one to the same prefix is not judged.

    Raises:
        StepFailed: the guard raised, did not return a verdict, or the answer is no text and no plain data.
    """
    text = _run(step, "ask", answer_text, answer)
    digest = chained(text)
    if digest in frame.answers:
        return Judged(text, Verdict(step.name, text, (_repeats(),)), passed=False, duplicate=True)
    frame.answers.add(digest)
    verdict = _run(step, "guard", guard, context.path, text)
    if not isinstance(verdict, Verdict):
        raise StepFailed(StepError(step.name, "guard", f"no verdict: got {type(verdict).__name__}; return a Verdict"))
    if not verdict.ok:
        return Judged(text, verdict, passed=False)
    score = 0.0 if step.score is None else float(_run(step, "score", step.score, verdict))
    return Judged(text, verdict, passed=True, score=score)


def classify(model: Classify, step: Step, judged: Judged, context: StepContext) -> int | None:
    """Return the levels that a classifier gives for a failure; None where it has no opinion.

    Raises:
        StepFailed: the classifier raised.
    """
    failure = Failure(step.name, context.attempt, judged.text, judged.verdict.errors, context.path)
    return _run(step, "classify", model, failure)


def table_levels(judged: Judged, context: StepContext, own: Sequence[OwnFailure], table: BlameTable) -> int:
    """Return the levels that the rules give for a failure."""
    threshold = table.stagnation.threshold if table.stagnation else 1
    history = [failure.findings for failure in own[max(0, len(own) - threshold + 1) :]]
    return backtrack_heuristic(context.step, judged.verdict, context.attempt, history, table=table)


def guards_of(steps: Sequence[Step], level: str) -> list[PathGuard]:
    """Return the guard of each step that counts at a level of strictness.

    Raises:
        UsageError: a step has guards for other levels only.
    """
    return [_guard_of(step, level) for step in steps]


def _guard_of(step: Step, level: str) -> PathGuard:
    guard = step.guard
    if isinstance(guard, Mapping):
        if level not in guard:
            known = ", ".join(guard)
            raise UsageError(
                f"step {step.name!r} has no guard of level {level!r}: got guards of {known}; set target_guard_level"
            )
        guard = guard[level]
    check = getattr(guard, "check", None)
    if check is None:
        return guard  # type: ignore[return-value]  # what has no `check` is a callable
    return lambda path, answer: check(answer)  # noqa: ARG005 - a contract judges the answer alone


def _repeats() -> Finding:
    message = "the answer repeats an earlier one that led nowhere; give a different one"
    return Finding(DUPLICATE, (), message, FailureKind.RULE)


def _run(step: Step, part: str, call: Callable[..., T], *arguments: object) -> T:
    try:
        return call(*arguments)
    except Unrecorded:
        raise
    except Exception as error:
        message = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise StepFailed(StepError(step.name, part, message)) from error
