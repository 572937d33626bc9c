"""A test without a recording: nothing is replayed, and nothing reaches the network."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from ..errors import CassetteError
from ..replay.network import NetworkBlocked, NetworkGuard, installed

if TYPE_CHECKING:
    from ..retry.convergence import Convergence
    from .case import Case


class NotRecorded(CassetteError):  # named for what happened
    """A test without a recording tried to reach a model. Not an OSError: SDKs would take it for a passing failure."""


class EmptyTape:
    """Stands for the recording of a test that has none: any connection is refused, and fails the test.

    Opening it costs next to nothing, so a test that only checks answers pays for no recording.
    """

    misses: tuple[str, ...] = ()
    unplayed: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    recorded = False
    outgrown = False
    outcome: str | None = None
    seen = "no request was sent and no answer was checked"

    def __init__(self, case: Case) -> None:
        self._open = ExitStack()
        self._open.enter_context(installed(_Refusing(case, self)))

    def close(self, _error: BaseException | None = None) -> None:
        """Let connections through again."""
        self._open.close()

    def judged(self) -> tuple[Convergence, ...]:
        """Nothing can have been exchanged."""
        return ()


class _Refusing(NetworkGuard):
    def __init__(self, case: Case, tape: EmptyTape) -> None:
        super().__init__(case.settings.allowed_hosts)
        self._case, self._tape = case, tape

    def check(self, host: str, port: int | None) -> None:
        """Raise NotRecorded for a host that is not allowed."""
        try:
            super().check(host, port)
        except NetworkBlocked:
            where = host if port is None else f"{host}:{port}"
            text = (
                "nothing is recorded for this test yet\n"
                f"  sent:      a connection to {where}\n"
                f"  recording: {self._case.shown_path} (does not exist)\n"
                f"  to record: {self._case.record_command('missing')}"
            )
            self._tape.misses, self._tape.outcome = (text,), "unrecorded"
            raise NotRecorded(text) from None
