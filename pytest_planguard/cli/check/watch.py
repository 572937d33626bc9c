"""What a process that judges files tells the one that watches it: which file it judges, and what it has printed."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path

BEGINS, TOGETHER, TOLD, DONE = "begins", "together", "told", "done"
"""What a message begins with; a number follows: of the file, of bytes, of reports, of reports."""


@dataclass(slots=True)
class Watch:
    """Where a process is among its files. Without a watcher nothing is written."""

    numbers: Mapping[Path, int] = field(default_factory=dict)
    """The files by number."""
    ended: Mapping[Path, str] = field(default_factory=dict)
    """Files that ended a process before this one, and how: they are not judged again."""
    told_before: int = 0
    """Reports that a process before this one has printed."""
    one_by_one: bool = False
    """Whether files that are judged together must be judged one by one before that: one of them ended a process."""
    pipe: int | None = None

    def begins(self, path: Path) -> None:
        """Tell that a file is judged from now on."""
        if path in self.numbers:
            self._tell(BEGINS, self.numbers[path])

    def together(self, size: int) -> None:
        """Tell that several files are judged at once, of so many bytes in all."""
        self._tell(TOGETHER, size)

    def told(self, reports: int) -> None:
        """Tell how many reports are printed."""
        if self.pipe is not None:
            sys.stdout.flush()
            self._tell(TOLD, reports)

    def done(self, reports: int) -> None:
        """Tell that every file is judged."""
        self._tell(DONE, reports)

    def printing(self, number: int) -> AbstractContextManager[object]:
        """Return what a report is printed in, by its number from zero: one that is printed already prints nothing."""
        return redirect_stdout(io.StringIO()) if number < self.told_before else nullcontext()

    def _tell(self, what: str, number: int) -> None:
        if self.pipe is None:
            return
        try:
            os.write(self.pipe, f"{what} {number}\n".encode())
        except BrokenPipeError:  # nobody waits for the result any more
            os._exit(1)
