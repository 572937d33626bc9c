"""What the cases of one prompt have in common, as a digest: an axis on which runs may differ."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...wire.exchange import Exchange

DIGITS = 12
"""Hex digits of a digest: 48 bits, short enough to read, and no two prompts of a project share them."""


def prompt_digest(exchanges: Iterable[Exchange]) -> str | None:
    """Return 12 hex digits over the first request but for its last message, which is the task.

    None where none is known.
    """
    first = next((exchange for exchange in exchanges if exchange.request), None)
    if first is None:
        return None
    messages = "\0".join(f"{item.role.value}\0{item.text}" for item in first.request[:-1])
    return hashlib.sha256(messages.encode(errors="surrogatepass")).hexdigest()[:DIGITS]
