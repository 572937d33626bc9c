"""Join requests that were queued with the answers that later requests bring."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from .dialects.dialect_table import DIALECTS
from .exchange import Exchange
from .untrusted_json import mapping, name_of, parsed_or_none

QUEUED = "the answer was still queued, and no later request brings it"


def with_later_answers(exchanges: Iterable[Exchange]) -> tuple[Exchange, ...]:
    """Return the exchanges with each queued answer replaced by the one that a later request for its id brings."""
    found = list(exchanges)
    waiting: dict[str, int] = {}
    for at, exchange in enumerate(found):
        if exchange.pending and exchange.response_id:
            waiting[exchange.response_id] = at
        elif waiting and not exchange.is_generation:
            body = mapping(parsed_or_none(exchange.raw_response))
            asked = waiting.get(name_of(body.get("id")) or "")
            if asked is not None and (joined := _joined(found[asked], body)):
                found[asked] = joined
                found[at] = replace(exchange, note=f"it brings the answer to request {joined.number}")
    return tuple(found)


def _joined(queued: Exchange, body: dict[str, object]) -> Exchange | None:
    """Return a queued exchange with its answer; None if it is queued still."""
    answer = next((d.read_answer(body) for d in DIALECTS if d.name == queued.dialect), None)
    if answer is None or answer.pending:
        return None
    return replace(
        queued,
        answer=answer.items,
        finish=answer.finish,
        refusal=answer.refusal,
        usage=answer.usage,
        error=answer.error,
        pending=False,
    )
