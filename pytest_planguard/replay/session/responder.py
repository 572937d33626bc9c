"""The interface of the object that answers patched HTTP clients, a closed cassette, and the active object."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Never, Protocol

if TYPE_CHECKING:
    from ...wire.exchange import Message
    from ..files.interaction import Interaction
    from ..matching.cassette_index import RecordedEntry
    from ..matching.refusal import Miss


class Responder(Protocol):
    """Answers the requests of a running test: a cassette's session, a rerun, or a closed cassette."""

    @property
    def path(self) -> Path:
        """File of the cassette."""
        ...

    @property
    def size(self) -> int:
        """Number of recorded exchanges."""
        ...

    @property
    def urls(self) -> tuple[str, ...]:
        """URLs of the recorded requests, in order."""
        ...

    @property
    def recording(self) -> bool:
        """True if requests are sent to the live endpoint and recorded."""
        ...

    @property
    def capped(self) -> bool:
        """True if recording limits allow no further request to the live endpoint."""
        ...

    @property
    def awaits_first(self) -> bool:
        """True while the first request can still decide between replay and recording."""
        ...

    def fits(self, message: Message) -> bool:
        """Return True if a request has a recorded answer without any change. Has no side effects."""
        ...

    def peek(self, message: Message) -> RecordedEntry | None:
        """Return the entry that would be served now. Has no side effects."""
        ...

    def start_recording(self) -> None:
        """Send every request from now on to the live endpoint."""
        ...

    def expect(self, message: Message) -> None:
        """Note a request that is being sent to the live endpoint. A call of `record` follows once it is answered."""
        ...

    def record(self, interaction: Interaction) -> None:
        """Keep one live exchange."""
        ...

    def answer(self, message: Message) -> RecordedEntry | Miss:
        """Return the recorded answer, or the miss."""
        ...


def replays(responder: Responder, message: Callable[[], Message]) -> bool:
    """Return True if `answer` should get a request; otherwise it goes to the live endpoint.

    Clients ask more than once. If the very first request does not fit, the cassette is recorded again.
    """
    if responder.awaits_first and not responder.recording and not responder.fits(message()):
        responder.start_recording()
    return responder.capped if responder.recording else True


class ClosedCassette:
    """Refuses every request after a cassette was closed, even on connections that were opened before."""

    path = Path("closed")
    size = 0
    urls: tuple[str, ...] = ()
    recording = capped = awaits_first = False

    def __init__(self, refuse: Callable[[Message], Never]) -> None:
        """`refuse` raises the error for the client."""
        self._refuse = refuse

    def fits(self, message: Message) -> bool:  # noqa: ARG002 - as the protocol names it
        """Return False: nothing is recorded."""
        return False

    def peek(self, message: Message) -> None:
        """Return None: nothing would be served."""

    def start_recording(self) -> Never:
        """Fail, because no request can be the first any more."""
        raise AssertionError("a closed cassette cannot record")

    def expect(self, message: Message) -> Never:  # noqa: ARG002 - as the protocol names it
        """Fail: every request is refused."""
        raise AssertionError("a closed cassette cannot record")

    def record(self, interaction: Interaction) -> Never:  # noqa: ARG002 - as the protocol names it
        """Fail: every request is refused."""
        raise AssertionError("a closed cassette cannot record")

    def answer(self, message: Message) -> Never:
        """Refuse a request."""
        self._refuse(message)


_ACTIVE: list[Responder] = []
"""The innermost responder is last."""


def active_responder() -> Responder | None:
    """Return the innermost responder; None if no cassette is open."""
    return _ACTIVE[-1] if _ACTIVE else None


def start_answering(responder: Responder) -> None:
    """Let `responder` answer until `stop_answering`, or until another one starts."""
    _ACTIVE.append(responder)


def stop_answering(responder: Responder) -> None:
    """Stop `responder` from answering."""
    _ACTIVE.remove(responder)


@contextmanager
def answering(responder: Responder) -> Iterator[None]:
    """Let `responder` answer for the length of a `with` block."""
    start_answering(responder)
    try:
        yield
    finally:
        stop_answering(responder)
