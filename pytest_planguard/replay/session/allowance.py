"""Limit the cost of recording: calls and tokens, over all cassettes of a run."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...wire.exchange import Exchange


class Allowance:
    """How many live requests may still be sent. All cassettes and threads of a run share it.

    Requests that are in progress when the limit is reached are completed and recorded, so parallel requests may exceed
    it.
    """

    def __init__(self, max_calls: int | None = None, max_tokens: int | None = None) -> None:
        """Set the limits, which are at least 0. None means no limit. Tokens include requests and answers."""
        self._max_calls, self._max_tokens = max_calls, max_tokens
        self.calls = 0
        self.tokens = 0
        """Tokens used so far, as reported in the answers."""
        self._lock = threading.Lock()

    def spend(self, exchange: Exchange) -> None:
        """Count one live exchange."""
        usage = exchange.usage
        with self._lock:
            self.calls += 1
            self.tokens += (usage.input_tokens or 0) + (usage.output_tokens or 0)

    @property
    def limits_calls(self) -> bool:
        """True if the number of calls is limited."""
        return self._max_calls is not None

    @property
    def so_far(self) -> str:
        """'5 calls, 1,230 tokens so far'."""
        return f"{_count(self.calls, 'call')}, {_count(self.tokens, 'token')} so far"

    @property
    def is_spent(self) -> bool:
        """True if no further request may be sent."""
        return bool(self.reached)

    @property
    def reached(self) -> str:
        """'the cap of 5 calls is reached (5 calls, 1,230 tokens so far)'; "" if the limits allow another call."""
        for cap, used, what in ((self._max_calls, self.calls, "call"), (self._max_tokens, self.tokens, "token")):
            if cap is not None and used >= cap:
                return f"the cap of {_count(cap, what)} is reached ({self.so_far})"
        return ""


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun if number == 1 else noun + 's'}"
