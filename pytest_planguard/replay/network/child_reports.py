"""Reports between a process and its forked children, through memory that they share."""

from __future__ import annotations

import os
import pickle
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from typing import Any
from weakref import finalize

Report = tuple[Any, ...]
"""The kind of a report and its fields."""


class ChildReports:
    """Reports of forked children to the process that made this object, and what all of them tell each other."""

    def __init__(self) -> None:
        self._pid = os.getpid()
        self._descriptor: int | None = None
        self._read = 0

    @property
    def in_child(self) -> bool:
        """True if this process is a forked child of the one that reads the reports."""
        return os.getpid() != self._pid

    def open(self) -> None:
        """Make the file that children inherit. Call it before a fork; the second call does nothing."""
        if self._descriptor is None and not self.in_child:
            self._descriptor = _unnamed_file()
            finalize(self, os.close, self._descriptor).atexit = False

    def send(self, kind: str, *fields: str | int | None) -> None:
        """Report to the parent; do nothing in the parent itself."""
        if self.in_child:
            self._write(kind, *fields)

    def share(self, kind: str, *fields: object) -> None:
        """Tell all other processes, within an `alone` block of this one."""
        if self._descriptor is not None:
            self._write(kind, *fields)
            self._read = os.fstat(self._descriptor).st_size

    @contextmanager
    def alone(self) -> Iterator[list[Report]]:
        """Keep other processes out of such a block, and yield what they wrote since the last one."""
        if self._descriptor is None:
            yield []
            return
        from fcntl import LOCK_EX, LOCK_UN, lockf  # a lock of this process: `flock` would be shared with its children

        lockf(self._descriptor, LOCK_EX)
        try:
            unread, self._read = _reports(self._descriptor, self._read)
            yield unread
        finally:
            lockf(self._descriptor, LOCK_UN)

    @property
    def expected(self) -> bool:
        """True if any child may have reported: one was forked since this object was made."""
        return self._descriptor is not None

    def received(self, kind: str) -> tuple[Report, ...]:
        """Return the fields of each report of a kind, each distinct report once."""
        if self._descriptor is None or self.in_child:
            return ()
        reports, _ = _reports(self._descriptor, 0)
        return tuple(dict.fromkeys(report[1:] for report in reports if report[0] == kind))

    def _write(self, *report: object) -> None:
        if self._descriptor is not None:
            with suppress(OSError):  # a daemon may have closed what it inherited
                os.write(self._descriptor, pickle.dumps(report))  # one write, so that reports do not mix


def _unnamed_file() -> int:
    """Return a new file without a name: in memory, as requests hold secrets, if the system has such files."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("planguard")
    descriptor, path = tempfile.mkstemp()
    os.unlink(path)  # noqa: PTH108  # the descriptor stays open
    return descriptor


def _reports(descriptor: int, start: int) -> tuple[list[Report], int]:
    """Return the reports in a file from a position on, and the position behind them."""
    end = os.fstat(descriptor).st_size
    stream, reports = BytesIO(os.pread(descriptor, end - start, start)), []
    while stream.tell() < end - start:
        reports.append(pickle.load(stream))  # written by this process and its own children
    return reports, end
