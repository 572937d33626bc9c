"""Where nothing is replayed or recorded, no connection is made: each is refused, with what the user can do."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..errors import CassetteError
from ..replay.network.guard import NetworkBlocked, NetworkGuard


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
