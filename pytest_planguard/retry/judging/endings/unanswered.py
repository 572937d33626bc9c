"""Requests that no model answered: which kind of failure each is, told by its HTTP status."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....contract.failure_kinds import FailureKind

if TYPE_CHECKING:
    from ....wire.exchange import Exchange

_REFUSED_KEY = frozenset({401, 403})
_PASSING = frozenset({408, 409, 425, 429})
"""Timeout, conflict, too early, too many requests: the same request may succeed later, as after any 5xx."""


def unanswered_kind(exchange: Exchange) -> FailureKind | None:
    """Return `auth` or `transport` for a request that failed before a model answered; None for every other.

    A 400 or 404 is neither: the request itself is wrong, and sending it again with another key changes nothing.
    """
    if exchange.status in _REFUSED_KEY:
        return FailureKind.AUTH
    return FailureKind.TRANSPORT if exchange.status in _PASSING or exchange.status >= 500 else None
