"""The first request of a case, message by message: what runs compare to see whether the prompt has changed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ...wire.exchange import Exchange


class Said(NamedTuple):
    """One message of a request."""

    role: str
    """"system", "user", "assistant" or "tool"."""
    text: str


def first_request(exchanges: Iterable[Exchange]) -> tuple[Said, ...]:
    """Return the messages of the first request that has any; () where none is known."""
    first = next((exchange for exchange in exchanges if exchange.request), None)
    return () if first is None else tuple([Said(item.role.value, item.text) for item in first.request])
