"""The objects that answer patched HTTP clients, and which of them is active."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Never

if TYPE_CHECKING:
    from ...wire.exchange import Message
    from ..files.interaction import Interaction
    from ..matching.cassette_index import RecordedEntry
    from ..matching.refusal import Miss


class Responder:
    """Answers the requests of a running test: a cassette's session, a rerun, or a closed cassette.

    By default, nothing is recorded, and nothing goes to the live endpoint.
    """

    path = Path("planguard")
    """File of the cassette, for handlers of vcrpy's errors."""

    @property
    def urls(self) -> tuple[str, ...]:
        """URLs of the recorded requests, in order."""
        return ()

    @property
    def recording(self) -> bool:
        """True if requests are sent to the live endpoint and recorded."""
        return False

    @property
    def capped(self) -> bool:
        """True if recording limits allow no further request to the live endpoint."""
        return False

    def replays(self, message: Callable[[], Message]) -> bool:  # noqa: ARG002 - only a session needs the request
        """Return True if `answer` should get a request; otherwise it goes to the live endpoint.

        Clients ask more than once. If the very first request does not fit, the cassette is recorded again.
        """
        return True

    def peek(self, message: Message) -> RecordedEntry | None:
        """Return the entry that would be served now. Has no side effects."""

    def expect(self, message: Message) -> None:
        """Note a request that is being sent to the live endpoint. A call of `record` follows once it is answered."""
        raise NotImplementedError

    def record(self, interaction: Interaction) -> None:
        """Keep one live exchange."""
        raise NotImplementedError

    def answer(self, message: Message) -> RecordedEntry | Miss:
        """Return the recorded answer, or the miss."""
        raise NotImplementedError


class ClosedCassette(Responder):
    """Refuses every request after a cassette was closed, even on connections that were opened before."""

    def __init__(self, refuse: Callable[[Message], Never]) -> None:
        """`refuse` raises the error for the client."""
        self._refuse = refuse

    def answer(self, message: Message) -> Never:
        """Refuse a request."""
        self._refuse(message)


_ACTIVE: list[Responder] = []
"""The innermost responder is last."""


def active_responder() -> Responder | None:
    """Return the innermost responder; None if no cassette is open."""
    return _ACTIVE[-1] if _ACTIVE else None


@contextmanager
def answering(responder: Responder) -> Iterator[None]:
    """Let `responder` answer for the length of a `with` block, or until another one starts within it."""
    _ACTIVE.append(responder)
    try:
        yield
    finally:
        _ACTIVE.remove(responder)


async def give_way() -> None:
    """Let the other tasks of asyncio run, as any request over a network does. Outside asyncio, go on at once.

    A test may cancel a request that it has just begun. While recording, such a request gets no answer and is not
    recorded, so a replay must not ask the cassette for one.
    """
    asyncio = sys.modules.get("asyncio")
    try:
        task = None if asyncio is None else asyncio.current_task()
    except RuntimeError:  # no loop runs: trio, or a coroutine that is driven by hand
        return
    if asyncio is not None and task is not None:
        await asyncio.sleep(0)
