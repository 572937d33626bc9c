"""One call: run the code of a step, and report what it raises under the name of the step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import TYPE_CHECKING, Any, TypeVar

from ..contract.failure_kinds import FailureKind
from ..contract.finding import Finding
from ..contract.verdict import Verdict
from ..errors import NoRecordedAnswer, UsageError
from ..retry.asker import Asker, judged_finish, read_reply
from ..retry.budget import causes
from ..retry.linking.sameness import normal_text
from ..wire.exchange import Finish
from .blame import DUPLICATE, BlameTable, backtrack_heuristic
from .context import answer_text
from .result import StepError
from .step import Classify, Failure, SearchConfig, StepAnswer

if TYPE_CHECKING:
    from .context import Artifact, OwnFailure, StepContext
    from .frame import Frame
    from .ledger import Ledger
    from .step import Step

T = TypeVar("T")
Judge = Callable[["Sequence[Artifact]", StepAnswer], Verdict]
"""A guard of any form, called as `judge(path, answer)`."""


class StepFailed(Exception):
    """The code of a step raised. This exception never leaves the search."""

    def __init__(self, error: StepError) -> None:
        super().__init__(str(error))
        self.error = error


def ask(
    asker: Asker, step: Step, context: StepContext, ledger: Ledger, frame: Frame, config: SearchConfig
) -> tuple[StepAnswer, bool]:
    """Return the answer of a step, and True if it repeats an earlier answer to the same prefix. Count the call.

    A call that the cassette lacks does not count. Repetitions are found in the text that a cassette keeps, so a replay
    finds the same ones.

    Raises:
        NoRecordedAnswer: the cassette has no such call.
        StepFailed: the step's ask raised, or returned something other than an answer.
    """
    asker.resume(frame.used, frame.transport_failures)
    try:
        answer = _run(step, "ask", _answer, asker, step, context, config.sleep)
    except StepFailed:
        ledger.charge(frame)
        raise
    ledger.charge(frame)
    frame.transport_failures = asker.failures
    text = normal_text(answer.text)
    repeats = text in frame.texts
    frame.texts.add(text)
    return answer, repeats


def _answer(asker: Asker, step: Step, context: StepContext, sleep: Callable[[float], object] | None) -> StepAnswer:
    """Send as a driven loop does: sends that fail on the way are repeated, and do not count as calls."""
    while True:
        with asker.sending():
            asker.response = step.ask(context)
        answer = asker.receive_as(_read)
        if answer is not None:
            return answer
        if sleep is not None:
            sleep(asker.wait_s)


def _read(response: object, ask: Callable[..., object]) -> StepAnswer:
    """Return what the guard judges: the text, the arguments of a tool call, or a parsed value in canonical JSON.

    Raises:
        UsageError: the response holds no answer.
    """
    if isinstance(response, StepAnswer):
        return response
    if isinstance(response, str):
        return StepAnswer(response)
    reply = read_reply(response, ask)
    finish = Finish.REFUSAL if reply.refusal else judged_finish(reply)
    if reply.calls:
        return StepAnswer(reply.calls[0].text, finish)
    parsed = reply.dialect is None and isinstance(response, (Mapping, list, int, float))
    return StepAnswer(answer_text(response) if parsed else reply.text, finish)


def judge(step: Step, guard: Judge, context: StepContext, answer: StepAnswer, *, repeated: bool) -> Verdict:
    """Return the verdict of a step's guard. An answer that repeats an earlier one to the same prefix is not judged.

    Raises:
        StepFailed: the guard raised, or did not return a verdict.
    """
    if repeated:
        message = "the answer repeats an earlier one that led nowhere; give a different one"
        return Verdict(step.name, answer.text, (Finding(DUPLICATE, (), message, FailureKind.RULE),))
    verdict = _run(step, "guard", guard, context.path, answer)
    if not isinstance(verdict, Verdict):
        raise StepFailed(StepError(step.name, "guard", f"no verdict: got {type(verdict).__name__}; return a Verdict"))
    return verdict


def score_of(step: Step, verdict: Verdict) -> float:
    """Return the score of an answer that passed.

    Raises:
        StepFailed: the score raised.
    """
    return 0.0 if step.score is None else float(_run(step, "score", step.score, verdict))


def classify(model: Classify, step: Step, answer: StepAnswer, verdict: Verdict, context: StepContext) -> int | None:
    """Return the levels that a classifier gives for a failure; None if it has no opinion.

    Raises:
        StepFailed: the classifier raised.
    """
    failure = Failure(step.name, context.attempt, answer.text, verdict.errors, context.path)
    return _run(step, "classify", model, failure)


def table_levels(verdict: Verdict, context: StepContext, own: Sequence[OwnFailure], table: BlameTable) -> int:
    """Return the levels that the rules give for a failure."""
    before = table.stagnation.threshold - 1 if table.stagnation else 0
    history = [failure.findings for failure in own[-before:]] if before else []  # own[-0:] would be all of them
    return backtrack_heuristic(context.step, verdict, context.attempt, history, table=table)


def guard_of(step: Step, level: str) -> Judge:
    """Return the guard of a step at a level of strictness.

    Raises:
        UsageError: the step has guards for other levels only.
    """
    guard: Any = step.guard
    if isinstance(guard, Mapping):
        if level not in guard:
            known = ", ".join(guard)
            raise UsageError(f"step {step.name!r} has no guard of level {level!r}; its levels: {known}")
        guard = guard[level]
    check = getattr(guard, "check", None)
    if check is None:
        if _takes_finish(guard):
            return lambda path, answer: guard(path, answer.text, finish=answer.finish)
        return lambda path, answer: guard(path, answer.text)
    if _takes_finish(check):
        return lambda _, answer: check(answer.text, finish=answer.finish)
    return lambda _, answer: check(answer.text)


def _takes_finish(guard: Callable[..., object]) -> bool:
    """Return True if a guard has a parameter `finish`. Guards written in C may have no signature to read."""
    try:
        return "finish" in signature(guard).parameters
    except (TypeError, ValueError):
        return False


def _run(step: Step, part: str, call: Callable[..., T], *arguments: object) -> T:
    try:
        return call(*arguments)
    except Exception as error:
        # The cassette's own error, even if a client wrapped it in one such as "Connection error.".
        missing = next((cause for cause in causes(error) if isinstance(cause, NoRecordedAnswer)), None)
        if missing is not None:
            raise missing from None
        message = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise StepFailed(StepError(step.name, part, message)) from error
