"""The driven loop: ask, judge, feed back, ask again, until the answer keeps the contract or the budget is spent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...errors import UsageError
from ..convergence import Attempt, Convergence
from .budget import Budget as Budget
from .budget import Price
from .driven import judged
from .loop_state import Drive, Messages

if TYPE_CHECKING:
    from ...contract.contract import Contract
    from ...contract.feedback.next_request import Placement
    from ...contract.feedback.template import Template

Chat = Sequence[Mapping[str, Any]]


def converge(
    ask: Callable[[Messages], Any],
    messages: Chat | str,
    contract: Contract,
    *,
    budget: Budget | None = None,
    max_attempts: int | None = None,
    max_tokens: int | None = None,
    max_cost: float | None = None,
    price: Price | None = None,
    transport_retries: int | None = None,
    placement: Placement = "dialogue",
    style: str | None = None,
    template: Template | None = None,
    sleep: Callable[[float], object] | None = None,
    on_attempt: Callable[[Attempt], object] | None = None,
    stop_when_stuck: bool = True,
) -> Convergence:
    """Drive one conversation and judge it.

    An answer that equals an earlier one ends it (stuck: the same question would bring the same answer), so does a
    finding of severity fail (rejected), a refusal, an answer cut off at the token limit and a second empty one
    (stopped: the same request would end the same way).

    Args:
        ask: sends messages and returns the answer: its text, the response of an SDK, or a parsed value.
        messages: the first request's messages, or one user message as text: dicts with `role` and `content`, or in the
            form of Gemini (`parts`) or Bedrock (blocks). What follows is written in the same form.
        contract: what the answer must be.
        budget: the bounds; the next five are the short way to say the same.
        max_attempts: attempts in all, the first included; 3 by default.
        max_tokens: tokens of all attempts together.
        max_cost: the same in money.
        price: what an answer's tokens cost.
        transport_retries: sends that may be repeated after 429, 5xx, a timeout or a lost connection; 2 by default.
        placement: where feedback goes: "dialogue", "inject", "command" or "blind".
        style: how it is worded, see `contract.feedback.build_feedback`.
        template: an own frame for it.
        sleep: called with the seconds to wait before a transport retry; None waits not at all.
        on_attempt: called with each attempt once it is judged.
        stop_when_stuck: whether an answer that equals an earlier one ends the loop before its budget is spent.

    Raises:
        UsageError: a budget that allows nothing, an unknown placement or style, an answer of unknown shape.
        Exception: whatever `ask` raises that is no transport failure, or one too many.
    """
    bounds = _budget(budget, max_attempts, max_tokens, max_cost, price, transport_retries)
    drive = _drive(ask, messages, contract, bounds, placement, style, template, on_attempt, stop_when_stuck)
    while drive.outcome is None:
        try:
            response = ask(drive.messages)
        except Exception as error:
            wait_s = drive.failed(error)
            if sleep is not None:
                sleep(wait_s)
        else:
            drive.answered(response)
    return judged(drive, contract, bounds.attempts)


async def aconverge(
    ask: Callable[[Messages], Awaitable[Any]],
    messages: Chat | str,
    contract: Contract,
    *,
    budget: Budget | None = None,
    max_attempts: int | None = None,
    max_tokens: int | None = None,
    max_cost: float | None = None,
    price: Price | None = None,
    transport_retries: int | None = None,
    placement: Placement = "dialogue",
    style: str | None = None,
    template: Template | None = None,
    sleep: Callable[[float], Awaitable[object]] | None = None,
    on_attempt: Callable[[Attempt], object] | None = None,
    stop_when_stuck: bool = True,
) -> Convergence:
    """`converge` for an `ask` and a `sleep` that are awaited."""
    bounds = _budget(budget, max_attempts, max_tokens, max_cost, price, transport_retries)
    drive = _drive(ask, messages, contract, bounds, placement, style, template, on_attempt, stop_when_stuck)
    while drive.outcome is None:
        try:
            response = await ask(drive.messages)
        except Exception as error:
            wait_s = drive.failed(error)
            if sleep is not None:
                await sleep(wait_s)
        else:
            drive.answered(response)
    return judged(drive, contract, bounds.attempts)


def _drive(
    ask: Callable[[Messages], Any],
    messages: Chat | str,
    contract: Contract,
    budget: Budget,
    placement: Placement,
    style: str | None,
    template: Template | None,
    on_attempt: Callable[[Attempt], object] | None,
    stop_when_stuck: bool,
) -> Drive:
    first = [{"role": "user", "content": messages}] if isinstance(messages, str) else messages
    return Drive(
        first,
        contract,
        budget=budget,
        placement=placement,
        style=style,
        template=template,
        on_attempt=on_attempt,
        stop_when_stuck=stop_when_stuck,
        ask=ask,
    )


def _budget(
    budget: Budget | None,
    attempts: int | None,
    tokens: int | None,
    cost: float | None,
    price: Price | None,
    transport_retries: int | None,
) -> Budget:
    """The budget as given, or from its parts."""
    parts = {
        "attempts": attempts,
        "tokens": tokens,
        "cost": cost,
        "price": price,
        "transport_retries": transport_retries,
    }
    given: dict[str, Any] = {name: value for name, value in parts.items() if value is not None}
    if budget is None:
        return Budget(**given)
    if given:
        raise UsageError(f"give either budget= or its parts, not both: {', '.join(given)}")
    return budget
