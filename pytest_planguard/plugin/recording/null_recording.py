"""A test without a recording: nothing is replayed, and nothing reaches the network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...replay.network.guard import installed
from .network_refusal import Refusing

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from ...replay.refresh.rerecord_hint import RerecordHint
    from ...retry.convergence import Convergence
    from ..case import Case


class EmptyTape:
    """Stands for the recording of a test that has none: any connection is refused, and fails the test.

    Opening it costs next to nothing, so a test that only checks answers pays for no recording.
    """

    unplayed: tuple[str, ...] = ()
    replayed = ()
    asked = False
    stale: tuple[str, ...] = ()
    misfits: tuple[str, ...] = ()
    expired: tuple[str, ...] = ()
    anew: RerecordHint | None = None
    secrets: tuple[str, ...] = ()
    recorded = False
    outgrown = False

    def __init__(self, case: Case) -> None:
        self._case = case
        self._guard = Refusing(case.settings.allowed_hosts, self._explain)
        self._open: AbstractContextManager[object] | None = installed(self._guard)
        self._open.__enter__()

    def close(self, _error: BaseException | None = None) -> None:
        """Let connections through again."""
        if self._open is not None:
            self._open.__exit__(None, None, None)
            self._open = None

    @property
    def misses(self) -> tuple[str, ...]:
        """The connection that was refused, explained; first line first."""
        return () if self._guard.refused is None else (self._guard.refused,)

    @property
    def notes(self) -> tuple[str, ...]:
        """Why a test took its time."""
        from .network_refusal import note_of_waiting

        return note_of_waiting(self._case, self._guard.times)

    @property
    def outcome(self) -> str | None:
        """Of the case: `unrecorded` once a connection was refused."""
        return None if self._guard.refused is None else "unrecorded"

    @property
    def seen(self) -> str:
        """What there was to judge, for a test that judged nothing."""
        checks = self._case.spec.mode == "check"
        return "no answer was checked" if checks else "no request was sent and no answer was checked"

    def kept(self) -> tuple[Convergence, ...]:
        """Nothing is recorded."""
        return ()

    def judged(self) -> tuple[Convergence, ...]:
        """Nothing can have been exchanged."""
        return ()

    def _explain(self, where: str) -> str:
        if self._case.spec.mode == "check":
            return (
                'mode="check" opens no recording, so no model can be asked\n'
                f"  sent:      a connection to {where}\n"
                '  to do:     judge recorded answers with planguard.check; or leave mode="check" out, and record'
            )
        return (
            "nothing is recorded for this test yet\n"
            f"  sent:      a connection to {where}\n"
            f"  recording: {self._case.shown_path} (does not exist)\n"
            f"  to record: {self._case.record_command('missing')}"
        )
