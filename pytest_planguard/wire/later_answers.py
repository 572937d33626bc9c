"""Join requests that were queued with the answers that later requests bring."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from .assistant_threads import Threads, answered, answers_of_runs
from .dialects.dialect_table import DIALECTS
from .dialects.openai_assistants import AssistantRun
from .exchange import Exchange
from .untrusted_json import mapping, name_of, parsed_or_none

QUEUED = "the answer was still queued, and no later request brings it"


def with_later_answers(exchanges: Iterable[Exchange]) -> tuple[Exchange, ...]:
    """Return the exchanges with each queued answer replaced by the one that a later request brings.

    It asks for the answer's id, or for the messages of a thread.
    """
    found = list(exchanges)
    waiting: dict[str, int] = {}
    threads = Threads() if any(exchange.dialect == AssistantRun.name for exchange in found) else None
    for at, exchange in enumerate(found):
        if threads is not None and exchange.dialect == AssistantRun.name:
            found[at] = threads.run(exchange)
        if exchange.pending and exchange.response_id:
            waiting[exchange.response_id] = at
        elif not exchange.is_generation:
            if threads is not None:
                threads.read(exchange)
            for asked, joined in _brought(exchange, found, waiting) if waiting else ():
                found[asked] = joined
                found[at] = replace(exchange, note=f"it brings the answer to request {joined.number}")
    return tuple(found)


def _brought(exchange: Exchange, found: list[Exchange], waiting: dict[str, int]) -> Iterator[tuple[int, Exchange]]:
    """Yield the queued exchanges whose answers this one brings, with them."""
    body = mapping(parsed_or_none(exchange.raw_response))
    asked = waiting.get(name_of(body.get("id")) or "")
    if asked is not None and (joined := _joined(found[asked], body)):
        yield asked, joined
    for run, items in answers_of_runs(exchange).items():
        asked = waiting.get(run)
        if asked is not None and found[asked].pending:
            yield asked, answered(found[asked], items)


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
