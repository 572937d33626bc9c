"""Exchanges that are no attempts: failed sends, such as a 429, bodies that no dialect reads, and queued answers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from ...wire.assistant_threads import QUEUED
from ...wire.dialects.commands_and_calls import COMMAND_LINE
from ...wire.exchange import Exchange


def linkable(exchange: Exchange) -> bool:
    """Return True if a language model answered, even if its provider rejected the answer."""
    return exchange.is_generation and not exchange.pending and not is_failed(exchange)


def is_failed(exchange: Exchange) -> bool:
    """Return True if a send failed and there is no answer, not even one that the provider rejected."""
    failed = exchange.status >= 400 or (exchange.error is not None and not exchange.answer)
    return failed and exchange.rejected_text is None


def transport_failures(exchanges: Sequence[Exchange], request: Callable[[int], Hashable]) -> dict[int, int]:
    """Map each failed send to the later exchange that repeats it, both 0-based. `request` returns a request's key."""
    later: dict[Hashable, int] = {}
    found: dict[int, int] = {}
    for number in range(len(exchanges) - 1, -1, -1):
        if is_failed(exchanges[number]) and request(number) in later:
            found[number] = later[request(number)]
        elif not is_failed(exchanges[number]):
            later[request(number)] = number
    return found


def why_no_attempt(exchange: Exchange) -> str:
    """Return why an exchange without an answer of a model is no attempt: "HTTP 429: Too many requests"."""
    if not exchange.is_generation:
        return exchange.note or "no dialect reads it"
    if exchange.pending:
        return QUEUED
    if exchange.dialect == COMMAND_LINE:
        return f"{exchange.model}: {exchange.error or 'no output'}"
    return f"HTTP {exchange.status}: {exchange.error or 'no answer'}"
