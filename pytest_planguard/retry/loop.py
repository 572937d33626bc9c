"""The driven loop: ask, judge, feed back, ask again, until the answer meets the contract or the budget is spent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, Unpack

from ..errors import UsageError
from .budget import Budget
from .loop_state import Chat, Loop, Messages
from .results import Attempt, Convergence

if TYPE_CHECKING:
    from concurrent.futures import Future

    from ..contract.contract import Contract
    from ..contract.feedback.next_request import Placement
    from ..contract.feedback.style import Template


class ConvergeOptions(TypedDict, total=False):
    """Limits of a driven conversation, and the form of its feedback."""

    max_attempts: int | None
    """Maximum number of attempts, including the first; 3 by default. Short for `Budget(attempts=...)`."""
    budget: Budget | None
    """All limits (attempts, tokens, cost, transport retries); replaces `max_attempts`."""
    placement: Placement
    """The place of the feedback: "dialogue" (the default), "inject", "command" or "blind"."""
    style: str | None
    """Its wording, see `validation_feedback`."""
    template: Template | None
    """Your own template for the feedback."""
    stop_when_stuck: bool
    """True (the default) to stop the loop at an answer that equals an earlier one, before the budget is spent."""
    on_attempt: Callable[[Attempt], object] | None
    """Called with each attempt after it is judged."""


def converge(
    ask: Callable[[Messages], object],
    messages: Chat | str,
    contract: Contract,
    *,
    sleep: Callable[[float], object] | None = None,
    **how: Unpack[ConvergeOptions],
) -> Convergence:
    """Drive one conversation and judge it.

    The loop stops at a valid answer, at a finding of severity fail, and when the budget is spent. It also stops when
    asking again cannot help: a refusal, an answer cut off at the token limit, a second empty one. An answer that equals
    an earlier one stops it too, since the same question would bring the same answer. `Convergence.stop_reason` says why
    it stopped.

    Args:
        ask: sends messages and returns the answer: its text, the response of an SDK, or a parsed value.
        messages: the first request's messages, or one user message as text: dicts with `role` and `content`, or in the
            form of Gemini (`parts`) or Bedrock (blocks). Later messages have the same form.
        contract: what the answer must be.
        sleep: called with the seconds to wait before a transport retry; None does not wait.
        how: limits, and the form of the feedback: `max_attempts`, `budget`, `placement`, `style`, `template`,
            `stop_when_stuck`, `on_attempt`.

    Raises:
        UsageError: limits given twice, a budget that allows nothing, an unknown placement or style, an answer of
            unknown shape.
        Exception: any error of `ask` that is not a transport failure, or one transport failure too many.
    """
    return run(_loop(ask, messages, contract, **how), ask, sleep)


async def aconverge(
    ask: Callable[[Messages], Awaitable[object]],
    messages: Chat | str,
    contract: Contract,
    *,
    sleep: Callable[[float], Awaitable[object]] | None = None,
    **how: Unpack[ConvergeOptions],
) -> Convergence:
    """Drive one conversation like `converge`, and await `ask` and `sleep`."""
    return await arun(_loop(ask, messages, contract, **how), ask, sleep)


def _loop(
    ask: Callable[[Messages], Any],
    messages: Chat | str,
    contract: Contract,
    *,
    max_attempts: int | None = None,
    budget: Budget | None = None,
    **how: Any,
) -> Loop:
    return Loop(ask, messages, contract, budget=budget_of(max_attempts, budget), **how)


def run(loop: Loop, ask: Callable[[Messages], Any], sleep: Callable[[float], object] | None = None) -> Convergence:
    """Run a loop to its end."""
    while loop.stop_reason is None:
        with loop.sending():
            loop.response = ask(loop.messages)
        wait_s = loop.proceed()
        if wait_s and sleep is not None:
            sleep(wait_s)
    return loop.convergence()


async def arun(
    loop: Loop, ask: Callable[[Messages], Awaitable[object]], sleep: Callable[[float], Awaitable[object]] | None = None
) -> Convergence:
    """Run a loop to its end, and await `ask` and `sleep`."""
    while loop.stop_reason is None:
        with loop.sending():
            loop.response = await ask(loop.messages)
        wait_s = loop.proceed()
        if wait_s and sleep is not None:
            await sleep(wait_s)
    return loop.convergence()


def budget_of(max_attempts: int | None, budget: Budget | None, *, default: int = 3) -> Budget:
    """Return the budget as given, or one with this many attempts.

    Raises:
        UsageError: both are given, or the budget allows nothing.
    """
    if budget is None:
        return Budget(attempts=default if max_attempts is None else max_attempts)
    if max_attempts is not None:
        raise UsageError("give either budget= or max_attempts=, not both")
    return budget


# asyncio code uses a driver that calls its functions one after the other, such as a search.


T = TypeVar("T")
Wait = Callable[[Callable[..., Awaitable[Any]]], Callable[..., Any]]
"""Turns a function whose result is awaited into one that returns it."""


async def in_thread(drive: Callable[[Wait], T]) -> T:
    """Return the result of a driver that runs in a thread, while its functions are awaited in the loop of this task.

    If the task is cancelled, the driver's current and later calls raise CancelledError.

    Args:
        drive: gets a function that makes an awaited function callable from the thread.
    """
    import asyncio

    loop = asyncio.get_running_loop()
    calls: list[Future[object]] = []
    cancelled = False

    def wait(ask: Callable[..., Awaitable[object]]) -> Callable[..., Any]:
        @wraps(ask)
        def call(*args: Any, **kwargs: Any) -> Any:
            if cancelled:
                raise asyncio.CancelledError

            async def awaited() -> Any:
                return await ask(*args, **kwargs)

            calls[:] = [asyncio.run_coroutine_threadsafe(awaited(), loop)]
            return calls[0].result()

        return call

    try:
        return await asyncio.to_thread(drive, wait)
    except asyncio.CancelledError:
        cancelled = True
        for each in calls:
            each.cancel()
        raise
