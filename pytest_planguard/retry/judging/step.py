"""What the app did after an answer: the kind of step to the next exchange, and the choice that it took (n > 1).

A later request that repeats a choice shows it. If none does, the app is done: it takes a valid choice if there is one.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING

from ...wire.exchange import Choice, Role
from ...wire.untrusted_json import parsed_or_none
from ..linking.link import How
from ..linking.sameness import items_key
from ..reading.error_category import GENERIC, category_of_code, category_of_words, code_name
from .attempts import verdict_of
from .routing import Router
from .schema_shape import properties

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ...wire.exchange import Exchange, Item
    from ..linking.link import Link
    from ..matching.fed_back import FeedbackReading
    from .attempts import Applied, ContractLike


class StepKind(StrEnum):
    """What happened between an answer and the request that reacts to it."""

    TRANSPORT = "transport"
    """The send failed and was repeated."""
    TOOL_STEP = "tool step"
    TOOL_ERROR = "tool error"
    """A tool returned an error, but no contract rejects the model's call."""
    RETRY = "retry"
    """The contract rejects the answer, and the next request reacts to it, with or without feedback."""
    PROBABLE_RETRY = "probable retry"
    """No contract rejects the answer, but the next request names errors."""
    RESEND = "resend"
    """The app sent the same request again after an answer that no contract rejects, for example for more samples."""
    NEW_TURN = "new turn"


def classify(link: Link, parent: Exchange, reading: FeedbackReading, *, accepted: bool | None) -> StepKind:
    """Return the kind of one link. `accepted` is True if the contract accepts the parent's answer, None if unknown."""
    if accepted is False:
        return StepKind.RETRY
    if link.how is How.SAME:
        return StepKind.RESEND
    if names_errors(reading, parent):
        return StepKind.PROBABLE_RETRY
    results = [p for p in link.delta.pieces if p.role is Role.TOOL]
    if parent.calls and results:
        return StepKind.TOOL_ERROR if any(p.is_error for p in results) else StepKind.TOOL_STEP
    return StepKind.NEW_TURN


def names_errors(reading: FeedbackReading, parent: Exchange) -> bool:
    """Return True if the new words name an error by a known code, or at a field of the parent's answer."""
    names: frozenset[str] | None = None
    for said in reading.said:
        code = said.code
        if code is not None and (code_name(code) in GENERIC or category_of_code(code) is not None):
            return True
        if said.path and category_of_words(said.message):
            names = _fields(parent) if names is None else names
            if said.path[0] in names:
                return True
    return False


def _fields(exchange: Exchange) -> frozenset[str]:
    """Return the names of the answer's fields, in its schemas and in the answer itself."""
    declared = [properties(s) for s in (exchange.output_schema, *exchange.tools.values())]
    given = [c.arguments for c in exchange.calls] + [parsed_or_none(exchange.answer_text)]
    keys = [frozenset(map(str, value)) for value in given if isinstance(value, dict)]
    return frozenset().union(*declared, *keys)


def with_taken_choices(
    exchanges: Sequence[Exchange], contracts: Sequence[ContractLike], ids: Sequence[str | None] | None
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
