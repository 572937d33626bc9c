"""Refuse connections where nothing is replayed or recorded, and say what the user can do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Never

import pytest

from ...errors import CassetteError
from ...replay.network.clients import any_loaded
from ...replay.network.contacts import place_of
from ...replay.network.guard import NetworkBlocked, NetworkGuard, installed
from ...replay.network.stragglers import with_sender
from ...replay.session.active import answering
from ...replay.session.responder import ClosedRecording

if TYPE_CHECKING:
    from ...wire.exchange import Message
    from ..case import Case


class UnrecordedRequest(CassetteError):  # named for what happened
    """A model was asked where no recording is open. Not an OSError: SDKs would take it for a passing failure."""


class RefusingGuard(NetworkGuard):
    """Refuses every connection to a host that is not allowed, and remembers why: apps swallow the error."""

    def __init__(self, allowed_hosts: Iterable[str], explain: Callable[[str], str]) -> None:
        super().__init__(allowed_hosts)
        self._explain = explain
        self._refused: str | None = None
        self.times = 0
        """How many connections were refused."""

    @property
    def refused(self) -> str | None:
        """The explanation of the last refusal, in this process or a forked child; None where nothing was refused."""
        return self._refused or next((text for (text,) in self.reports.received("refused")), None)

    def check(self, host: str, port: int | None) -> None:
        """Raise UnrecordedRequest for a host that is not allowed."""
        try:
            super().check(host, port)
        except NetworkBlocked:
            raise self._refusal(host, port) from None

    def refuse(self, message: Message) -> Never:
        """Refuse the request of a client, whatever connection it would take. Raises UnrecordedRequest."""
        raise self._refusal(*place_of(message.url))

    def lets_pass(self, url: str) -> bool:
        """Return whether a URL is at an allowed host."""
        host, port = place_of(url)
        return port is not None and self.allows(host, port)

    def _refusal(self, host: str, port: int | None) -> UnrecordedRequest:
        self.times += 1
        self._refused = with_sender(self._explain(host if port is None else f"{host}:{port}"))
        self.reports.send("refused", self._refused)
        return UnrecordedRequest(self._refused)


@contextmanager
def refusing(guard: RefusingGuard) -> Iterator[None]:
    """Refuse connections, and what loaded clients send, for the length of a `with` block.

    A client with an open connection is refused above it, since its writes may go to the descriptor (OpenSSL, uvloop).
    """
    closed = ClosedRecording(guard.refuse)
    with answering(closed), _loaded_clients(closed, guard), installed(guard):
        yield


def _loaded_clients(closed: ClosedRecording, guard: RefusingGuard) -> AbstractContextManager[None]:
    if not any_loaded():
        return _NOTHING
    from ...replay.session.cassette import refusing_loaded

    return refusing_loaded(closed, guard.lets_pass)


_NOTHING = nullcontext()


# Why a refused test took seconds: clients take a refusal for a lost connection, wait, and send the request again.

FIRST_REFUSED: pytest.StashKey[str] = pytest.StashKey()
"""The one test that gets the note; the others of a session took their time for the same reason."""


def backoff_note(case: Case, times: int) -> tuple[str, ...]:
    """Return a note for the first test of a session that was refused so many `times`; () where that was once.

    Where no recording is open connections are refused, and nobody knows whether all were for the same request.
    """
    if times < 2 or case.item.config.stash.setdefault(FIRST_REFUSED, case.nodeid) != case.nodeid:
        return ()
    cause = f"{times} connection attempts were refused; SDK retry back-off made this test slow"
    return (f"{cause}; set max_retries=0 on the client in tests",)
