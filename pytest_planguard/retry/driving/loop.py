"""The driven loop: ask, judge, feed back, ask again, until the answer keeps the contract or the budget is spent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from ...errors import UsageError
from ..results import Attempt, Convergence
from .budget import Budget
from .loop_state import Chat, Loop, Messages

if TYPE_CHECKING:
    from ...contract.contract import Contract
    from ...contract.feedback.next_request import Placement
    from ...contract.feedback.style import Template


class ConvergeOptions(TypedDict, total=False):
    """Limits of a driven conversation, and how its feedback is written."""

    max_attempts: int | None
    """Attempts in all, the first included; 3 by default. Short for `Budget(attempts=...)`."""
    budget: Budget | None
    """All limits: attempts, tokens, cost, transport retries; instead of `max_attempts`."""
    placement: Placement
    """Where feedback goes: "dialogue" (the default), "inject", "command" or "blind"."""
    style: str | None
    """How it is worded, see `contract.feedback.build_feedback`."""
    template: Template | None
    """An own frame for it."""
    stop_when_stuck: bool
    """Whether an answer that equals an earlier one ends the loop before its budget is spent; True by default."""
    on_attempt: Callable[[Attempt], object] | None
    """Called with each attempt once it is judged."""


def converge(
    ask: Callable[[Messages], Any],
    messages: Chat | str,
    contract: Contract,
    *,
    sleep: Callable[[float], object] | None = None,
    **how: Unpack[ConvergeOptions],
) -> Convergence:
    """Drive one conversation and judge it.

    The loop stops at a valid answer, at a finding of severity fail, where asking again cannot help (a refusal, an
    answer cut off at the token limit, a second empty one), at an answer that equals an earlier one (the same question
    would bring the same answer), and when the budget is spent. `Convergence.stop_reason` says which it was.

    Args:
        ask: sends messages and returns the answer: its text, the response of an SDK, or a parsed value.
        messages: the first request's messages, or one user message as text: dicts with `role` and `content`, or in the
            form of Gemini (`parts`) or Bedrock (blocks). What follows is written in the same form.
        contract: what the answer must be.
        sleep: called with the seconds to wait before a transport retry; None waits not at all.
        how: limits, and how feedback is written: `max_attempts`, `budget`, `placement`, `style`, `template`,
            `stop_when_stuck`, `on_attempt`.

    Raises:
        UsageError: limits given twice, a budget that allows nothing, an unknown placement or style, an answer of
            unknown shape.
        Exception: whatever `ask` raises that is no transport failure, or one too many.
    """
    return run(_loop(ask, messages, contract, **how), ask, sleep)


async def aconverge(
    ask: Callable[[Messages], Awaitable[Any]],
    messages: Chat | str,
    contract: Contract,
    *,
    sleep: Callable[[float], Awaitable[object]] | None = None,
    **how: Unpack[ConvergeOptions],
) -> Convergence:
    """Drive one conversation like `converge`, with an `ask` and a `sleep` that are awaited."""
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
    loop: Loop, ask: Callable[[Messages], Awaitable[Any]], sleep: Callable[[float], Awaitable[object]] | None = None
) -> Convergence:
    """Run a loop to its end, with an `ask` and a `sleep` that are awaited."""
    while loop.stop_reason is None:
        with loop.sending():
            loop.response = await ask(loop.messages)
        wait_s = loop.proceed()
        if wait_s and sleep is not None:
            await sleep(wait_s)
    return loop.convergence()


def budget_of(max_attempts: int | None, budget: Budget | None, *, default: int = 3) -> Budget:
    """The budget as given, or one of so many attempts.

    Raises:
        UsageError: both are given, or a budget that allows nothing.
    """
    if budget is None:
        return Budget(attempts=default if max_attempts is None else max_attempts)
    if max_attempts is not None:
        raise UsageError("give either budget= or max_attempts=, not both")
    return budget
