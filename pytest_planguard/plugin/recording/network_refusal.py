"""Refuse connections where nothing is replayed or recorded, and say what the user can do."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import pytest

from ...errors import CassetteError
from ...replay.network.guard import NetworkBlocked, NetworkGuard
from ...replay.network.stragglers import with_sender

if TYPE_CHECKING:
    from ..case import Case


class UnrecordedRequest(CassetteError):  # named for what happened
    """A model was asked where no recording is open. Not an OSError: SDKs would take it for a passing failure."""


class RefusingGuard(NetworkGuard):
    """Refuses every connection to a host that is not allowed, and remembers why: apps swallow the error."""

    def __init__(self, allowed_hosts: Iterable[str], explain: Callable[[str], str]) -> None:
        super().__init__(allowed_hosts)
        self._explain = explain
        self.refused: str | None = None
        """The explanation of the last refusal; None as long as nothing was refused."""
        self.times = 0
        """How many connections were refused."""

    def check(self, host: str, port: int | None) -> None:
        """Raise UnrecordedRequest for a host that is not allowed."""
        try:
            super().check(host, port)
        except NetworkBlocked:
            self.times += 1
            self.refused = with_sender(self._explain(host if port is None else f"{host}:{port}"))
            raise UnrecordedRequest(self.refused) from None


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
