"""Stop the recording of an app that never stops asking, unless the user set a limit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from ...retry.linking.link import How
from ...retry.linking.linker import Linker
from ...wire.exchange import Exchange

MOST_EQUAL = 3
"""Number of identical rejected answers in a conversation after which recording stops."""
MOST_CALLS = 30
"""Number of calls in a conversation after which recording stops. A working agent needs fewer."""


class Endless(NamedTuple):
    """The reason why a recording stopped, and what to do."""

    why: str
    advice: str
    option: str = ""
    """An option for the next recording, with a leading blank."""


@dataclass(frozen=True, slots=True)
class _Reached:
    """The state of a conversation after one exchange."""

    calls: int
    rejected: dict[object, int]
    """Maps each rejected answer to how often it was received."""


class EndlessLoops:
    """Follows the conversations of a recording from answer to answer."""

    def __init__(self, is_rejected: Callable[[Exchange], bool]) -> None:
        """`is_rejected` returns True if a contract rejects an answer."""
        self._is_rejected = is_rejected
        self._linker = Linker()
        self._reached: list[_Reached] = []

    def add(self, exchange: Exchange, conversation: str | None) -> Endless | None:
        """Add a live exchange. Return why the conversation must stop; None if it may continue."""
        link = self._linker.next(exchange, conversation)
        self._linker.add(exchange, conversation)
        before = _Reached(0, {}) if link is None else self._reached[link.parent - 1]
        if link is not None and link.how is How.SAME:
            # A prompt that is sent often may belong to many conversations, if its answers were accepted.
            before = _Reached(before.calls if before.rejected else 0, {})
        counts = dict(before.rejected)
        said = tuple((item.kind, item.name, item.text) for item in exchange.answer)
        if not exchange.pending and self._is_rejected(exchange):
            counts[said] = counts.get(said, 0) + 1
        now = _Reached(before.calls + 1, counts)
        self._reached.append(now)
        if counts.get(said, 0) >= MOST_EQUAL:
            why = f"one conversation rejected the same answer {MOST_EQUAL} times"
            return Endless(why, "change the prompt or the contract, or let the app give up when an answer repeats")
        if now.calls < MOST_CALLS:
            return None
        why, option = f"one conversation has made {MOST_CALLS} calls", " --planguard-record-max-calls=100"
        return Endless(why, "let the app give up sooner, or raise the limit", option)
