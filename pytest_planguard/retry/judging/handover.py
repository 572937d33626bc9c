"""A declared hand-over: the app gives a task that it could not solve to another model, a tool, or a person.

What counts is declared by the test (`escalates=`): the name of a model that answers, the name of a tool that is called,
or words of a final message.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ...contract.verdict import Verdict
    from ...wire.exchange import Exchange
    from .conversations import Gathered

HANDED_OVER = "the hand-over that is declared: "
"""How the reason begins why such an exchange is no attempt."""


def handover(exchange: Exchange, escalates: Sequence[str]) -> str | None:
    """Return which of the declared names an exchange hands a task over to; None where it does not."""
    called = {call.name for call in exchange.calls}
    text = exchange.answer_text.casefold()
    return next(
        (name for name in escalates if name in called or name == exchange.model or name.casefold() in text), None
    )


def hand_over(
    gathered: list[Gathered],
    exchanges: Sequence[Exchange],
    escalates: Sequence[str],
    verdict: Callable[[int, int], Verdict | None],
) -> dict[int, str]:
    """Mark the conversations that end in a declared hand-over, and return why those exchanges are no attempts.

    A hand-over ends the latest conversation before it whose last answer is bad. An answer that keeps the contract is
    none, whoever gives it: then the task is done.
    """
    reasons: dict[int, str] = {}
    for number, exchange in enumerate(exchanges):
        name = handover(exchange, escalates)
        if name is None or _solves(gathered, number, verdict):
            continue
        found = _ended(gathered, number)
        if found is not None:
            found.handed_to = name
            reasons[number] = f"{HANDED_OVER}{name}"
    gathered[:] = [g for g in gathered if g.tries]
    return reasons


def _solves(gathered: Sequence[Gathered], number: int, verdict: Callable[[int, int], Verdict | None]) -> bool:
    judged = (verdict(number, g.contract) for g in gathered if any(t.number == number for t in g.tries))
    return any(v is not None and v.ok for v in judged)


def _ended(gathered: Sequence[Gathered], number: int) -> Gathered | None:
    """The conversation that a hand-over ends, without the hand-over itself where it was taken for an attempt."""
    own = next((g for g in gathered if g.tries and g.tries[-1].number == number), None)
    before = [g for g in gathered if g is not own and g.tries and g.tries[-1].number < number and _bad(g)]
    if own is not None and len(own.tries) > 1:
        own.tries.pop()
        return own
    if own is not None and not before:
        return own
    if own is not None:
        own.tries.clear()
    return max(before, key=lambda g: g.tries[-1].number, default=None)


def _bad(gathered: Gathered) -> bool:
    verdict = gathered.tries[-1].verdict
    return verdict is not None and not verdict.ok and gathered.handed_to is None
