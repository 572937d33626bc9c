"""Where nothing is replayed or recorded, each connection is refused, with what the user can do."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import pytest

from ...errors import CassetteError
from ...replay.network.guard import NetworkBlocked, NetworkGuard

if TYPE_CHECKING:
    from ..case import Case


class NotRecorded(CassetteError):  # named for what happened
    """A model was asked where no recording is open. Not an OSError: SDKs would take it for a passing failure."""


class Refusing(NetworkGuard):
    """Refuses every connection to a host that is not allowed, and remembers why: apps swallow the error."""

    def __init__(self, allowed_hosts: Iterable[str], explain: Callable[[str], str]) -> None:
        super().__init__(allowed_hosts)
        self._explain = explain
        self.refused: str | None = None
        """What was said last; None as long as nothing was refused."""
        self.times = 0
        """How many connections were refused."""

    def check(self, host: str, port: int | None) -> None:
        """Raise NotRecorded for a host that is not allowed."""
        try:
            super().check(host, port)
        except NetworkBlocked:
            self.times += 1
            self.refused = self._explain(host if port is None else f"{host}:{port}")
            raise NotRecorded(self.refused) from None


# Why a refused test took seconds: clients take a refusal for a lost connection, wait, and send the request again.

SAID: pytest.StashKey[str] = pytest.StashKey()
"""The test that was told; the others of a session took their time for the same reason."""


def note_of_waiting(case: Case, times: int) -> tuple[str, ...]:
    """One note for the first test of a session that was refused so many `times`; () where that was once.

    Where no recording is open connections are refused, and nobody knows whether all were for the same request.
    """
    if times < 2 or case.item.config.stash.setdefault(SAID, case.nodeid) != case.nodeid:
        return ()
    waited = f"{times} requests were refused; SDKs send a refused one again and wait before it, for seconds in all"
    return (f"{waited}: a client with max_retries=0 in tests spares that",)
