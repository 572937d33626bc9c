"""Ask several models to do a task: retry a model with feedback, then fall back to the next one."""

from __future__ import annotations

import threading
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from ..contract.failure_kinds import FailureKind
from ..contract.feedback.feedback import validation_feedback
from ..errors import UsageError
from ..retry.budget import Budget, is_transient, kind_of_response
from ..retry.loop import converge, in_thread
from .history import AttemptHistory
from .matrix import AttemptRecord

if TYPE_CHECKING:
    from ..contract.contract import Contract
    from ..retry.results import Attempt, Convergence


Messages = list[dict[str, Any]]
Ask = Callable[[str, Messages], Any]
"""Takes a model's name and messages; returns an answer in a form that `converge` accepts."""


@dataclass(frozen=True, slots=True)
class ModelRun:
    """The result of one model."""

    model: str
    convergence: Convergence | None = None
    """The model's attempts; None if it never answered."""
    error: Exception | None = None
    """Why there is no answer: a transport failure that outlasted the retries, or a rejected API key."""


@dataclass(frozen=True, slots=True)
class FallbackResult:
    """The result of a task."""

    task: str
    runs: tuple[ModelRun, ...]
    """One entry per model that was asked, in the order of asking."""

    @property
    def ok(self) -> bool:
        """True if the last model's answer satisfies the contract."""
        last = self.runs[-1].convergence
        return last is not None and last.ok

    @property
    def model(self) -> str | None:
        """The model whose answer satisfies the contract; None if no answer does."""
        return self.runs[-1].model if self.ok else None

    @property
    def value(self) -> Any:
        """The validated value; None unless `ok`."""
        last = self.runs[-1].convergence
        return last.value if last is not None and last.ok else None


class ModelExecutor:
    """Asks one model after another for a task, and records the results.

    The same model is asked again with feedback up to `max_validation_retries` times, then the next one gets the first
    request.

    Args:
        models: the models' names, the preferred one first. `AttemptHistory.fallback_order` puts them in
            order of past results.
        history: where to record the attempts; None to record nothing.
        max_validation_retries: how often to ask the same model again with feedback before the next one.
        timeout_s: the limit for one call, in seconds. A longer call counts as a transport failure; its thread keeps
            running until it ends.
        transport_retries: repeated sends after 429, 5xx, a timeout or a lost connection, for each model.
        clock: returns the time in seconds since 1970.
        sleep: called with the seconds to wait before a transport retry; None does not wait.

    Raises:
        UsageError: `models` is empty, a number is negative, or `timeout_s` is 0.
    """

    def __init__(
        self,
        models: Sequence[str],
        *,
        history: AttemptHistory | None = None,
        max_validation_retries: int = 1,
        timeout_s: float | None = None,
        transport_retries: int = 2,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], object] | None = time.sleep,
    ) -> None:
        if isinstance(models, str):
            raise UsageError(f"models is a list of names: got {models!r}; write [{models!r}]")
        if not models:
            raise UsageError("no model to ask: got an empty list; name at least one")
        if max_validation_retries < 0:
            raise UsageError(f"wrong max_validation_retries: got {max_validation_retries}; give 0 or more")
        if timeout_s is not None and not timeout_s > 0:
            raise UsageError(f"wrong timeout_s: got {timeout_s}; give seconds above 0, or None for no limit")
        self.models = tuple(models)
        self.validation_feedback: str | None = None
        """The feedback on the latest answer, for the next prompt; None if that answer was valid."""
        self._history = history
        self._budget = Budget(attempts=1 + max_validation_retries, transport_retries=transport_retries)
        self._timeout_s = timeout_s
        self._clock = clock
        self._sleep = sleep

    def run(
        self, task: str, ask: Ask, contract: Contract, messages: Sequence[Mapping[str, Any]] | str
    ) -> FallbackResult:
        """Ask the models until an answer satisfies the contract, or all have been asked.

        Args:
            task: the task's name, for the history.
            ask: takes a model's name and messages; returns the answer.
            contract: the contract for the answer.
            messages: the first request's messages, or one user message as text. Each model starts with them.

        Raises:
            Exception: any error of `ask` except a transport failure or a rejected API key.
        """
        runs: list[ModelRun] = []
        self.validation_feedback = None
        for model in self.models:
            runs.append(self._run_model(task, model, ask, contract, messages))
            if FallbackResult(task, tuple(runs)).ok:
                break
        return FallbackResult(task, tuple(runs))

    async def arun(
        self,
        task: str,
        ask: Callable[[str, Messages], Awaitable[object]],
        contract: Contract,
        messages: Sequence[Mapping[str, Any]] | str,
    ) -> FallbackResult:
        """Ask the models like `run`, and await `ask`. Needs asyncio."""
        return await in_thread(lambda wait: self.run(task, wait(ask), contract, messages))

    def _run_model(
        self, task: str, model: str, ask: Ask, contract: Contract, messages: Sequence[Mapping[str, object]] | str
    ) -> ModelRun:
        def attempted(attempt: Attempt) -> None:
            verdict = attempt.verdict
            self.validation_feedback = None if verdict.ok else validation_feedback(verdict)
            self._record(task, model, "pass" if verdict.ok else f"fail:{verdict.kind}")

        try:
            run = converge(
                partial(ask, model) if self._timeout_s is None else self._within_time(ask, model),
                messages,
                contract,
                budget=self._budget,
                sleep=self._sleep,
                on_attempt=attempted,
            )
        except Exception as error:
            kind = _kind_of(error)
            if kind is None:
                raise
            self._record(task, model, f"error:{kind}")
            return ModelRun(model, error=error)
        return ModelRun(model, run)

    def _within_time(self, ask: Ask, model: str) -> Callable[[Messages], object]:
        @wraps(ask)  # messages name the user's function
        def limited(request: Messages) -> object:
            outcome: Future[object] = Future()
            # A daemon, unlike the threads of an executor: a thread that hangs must not keep the process from ending.
            threading.Thread(target=_settle, args=(outcome, ask, model, request), daemon=True).start()
            return outcome.result(self._timeout_s)

        return limited

    def _record(self, task: str, model: str, result: str) -> None:
        if self._history is not None:
            self._history.append(AttemptRecord(task, model, result, self._clock()))


class ExecutorOptions(TypedDict, total=False):
    """The options of `ModelExecutor`."""

    history: AttemptHistory | None
    max_validation_retries: int
    timeout_s: float | None
    transport_retries: int
    clock: Callable[[], float]
    sleep: Callable[[float], object] | None


def run_with_fallback(
    task: str,
    models: Sequence[str],
    ask: Ask,
    contract: Contract,
    *,
    messages: Sequence[Mapping[str, Any]] | str,
    **options: Unpack[ExecutorOptions],
) -> FallbackResult:
    """Ask one model after another until an answer satisfies the contract: `ModelExecutor.run` in one call."""
    return ModelExecutor(models, **options).run(task, ask, contract, messages)


async def arun_with_fallback(
    task: str,
    models: Sequence[str],
    ask: Callable[[str, Messages], Awaitable[object]],
    contract: Contract,
    *,
    messages: Sequence[Mapping[str, Any]] | str,
    **options: Unpack[ExecutorOptions],
) -> FallbackResult:
    """Ask one model after another like `run_with_fallback`, and await `ask`. Needs asyncio."""
    return await ModelExecutor(models, **options).arun(task, ask, contract, messages)


def _settle(outcome: Future[object], ask: Ask, model: str, request: Messages) -> None:
    try:
        outcome.set_result(ask(model, request))
    except BaseException as error:
        outcome.set_exception(error)


def _kind_of(error: Exception) -> FailureKind | None:
    """Return the kind of a failure without an answer, by type and status, never by words; None for any other error."""
    if is_transient(error):
        return FailureKind.TRANSPORT
    return FailureKind.AUTH if kind_of_response(error) is FailureKind.AUTH else None
