"""Judges that end their worker or stop the command; each worker imports this module, so it imports little."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field

from pytest_planguard import Contract
from pytest_planguard.runs.logs.judging import LogJudge
from pytest_planguard.runs.logs.summary import LogSummary
from pytest_planguard.wire.logs.logged import Logged


class Ticket(BaseModel):
    title: str
    priority: Literal["low", "medium", "high"]
    steps: list[str] = Field(min_length=2)


TICKET = Contract(Ticket)
PARENT = os.getpid()


@dataclass(frozen=True, slots=True)
class Make:
    """Makes a judge; one with a `deadly` group ends the worker that judges it, always or until a file is there."""

    deadly: str = ""
    once: str = ""
    parent: int = PARENT
    """The process that is never ended. A worker that imports this module has another number in its place."""

    def __call__(self) -> LogJudge:
        """Return the judge."""
        return Deadly(contracts=(TICKET,), deadly=self.deadly, once=self.once, parent=self.parent)


@dataclass(frozen=True, slots=True)
class Deadly(LogJudge):
    deadly: str = ""
    once: str = ""
    parent: int = PARENT
    """The process that is never ended. A worker that imports this module has another number in its place."""

    def group(self, key: str, parts: Iterable[Logged], into: LogSummary) -> None:
        """Judge a group, or end the worker."""
        if key == self.deadly and os.getpid() != self.parent and not (self.once and Path(self.once).exists()):
            if self.once:
                Path(self.once).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        LogJudge.group(self, key, parts, into)


@dataclass(frozen=True, slots=True)
class Stopped(LogJudge):
    """Stops the command once something is judged, and makes itself."""

    folder: Path = Path()

    def __call__(self) -> LogJudge:
        """Return the judge."""
        return self

    def group(self, key: str, parts: Iterable[Logged], into: LogSummary) -> None:
        """Judge a group, or stop."""
        if self.folder.exists():
            raise KeyboardInterrupt
        LogJudge.group(self, key, parts, into)
