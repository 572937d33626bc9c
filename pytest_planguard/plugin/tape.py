"""The recording of one running test: what was asked and answered, what had no answer, and how that is judged."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..retry.convergence import Convergence
    from .case import Case

IDENTIFIED: ContextVar[str | None] = ContextVar("planguard_conversation", default=None)
"""The name of the conversation that requests belong to; tasks started inside inherit it."""


class Tape:
    """Wraps an open recording for the plugin; closed twice is closed once."""

    misses: tuple[str, ...] = ()
    unplayed: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()
    seen = "no request was sent"

    def __init__(self, case: Case) -> None:
        self._case = case

    def close(self) -> None:
        """End the recording."""

    def judged(self) -> tuple[Convergence, ...]:
        """The conversations so far."""
        return ()


def open_tape(case: Case) -> Tape | None:
    """Open the recording of a case."""
    return Tape(case)
