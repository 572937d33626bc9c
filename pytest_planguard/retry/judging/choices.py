"""Find the choice that the app took, if a request asked for several answers (n > 1).

A later request that repeats a choice shows it. If none does, the app is done: it takes a valid choice if there is one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...wire.exchange import Choice, Role
from ..linking.sameness import items_key
from .attempt_answers import verdict_of
from .contracts.routing import Router

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ...wire.exchange import Exchange, Item
    from .attempt_answers import Applied, ContractLike


def with_taken_choices(
    exchanges: Sequence[Exchange], contracts: Sequence[ContractLike], ids: Sequence[str | None] | None = None
) -> Sequence[Exchange]:
    """Return the exchanges, each with the choice that the app took as its answer."""
    if not any(exchange.others for exchange in exchanges):
        return exchanges
    said: set[str] = set()
    found = list(exchanges)
    open_choices: list[int] = []
    for at in range(len(found) - 1, -1, -1):
        choices = _choices(found[at])
        repeated = next((c for c in choices if items_key(c.items) in said), None)
        if repeated is not None:
            found[at] = _taking(found[at], repeated)
        elif len(choices) > 1:
            open_choices.append(at)
        said |= _said_in(found[at].request)
    return _with_valid_choices(found, open_choices, contracts, ids)


def _with_valid_choices(
    found: list[Exchange], places: Sequence[int], contracts: Sequence[ContractLike], ids: Sequence[str | None] | None
) -> list[Exchange]:
    """Replace each answer at one of these places by its first valid choice, if there is one."""
    if not places or not contracts:
        return found
    router = Router(found, contracts, ids)
    for at in places:
        contract = router.route([at])[at]
        if isinstance(contract, int):
            taken = (_taking(found[at], choice) for choice in _choices(found[at]))
            found[at] = next((one for one in taken if _is_valid(one, router.contracts[contract])), found[at])
    return found


def _is_valid(exchange: Exchange, contract: Applied) -> bool:
    verdict = verdict_of(exchange, contract)
    return verdict is not None and verdict.ok


def _choices(exchange: Exchange) -> tuple[Choice, ...]:
    first = Choice(exchange.answer, exchange.finish, exchange.refusal)
    return (first, *exchange.others) if exchange.others else (first,)


def _taking(exchange: Exchange, choice: Choice) -> Exchange:
    return replace(exchange, answer=choice.items, finish=choice.finish, refusal=choice.refusal)


def _said_in(request: Iterable[Item]) -> set[str]:
    """Return the keys of the answers that a request repeats: assistant texts, and calls."""
    return {items_key([item]) or "" for item in request if item.role is Role.ASSISTANT} - {""}
