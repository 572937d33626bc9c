"""Forked children have copies of all that is noted here: what they miss goes back to the process that forked them."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from typing import Any
from weakref import finalize


class ChildReports:
    """Reports of forked children to the process that made this object. A file without a name carries them."""

    def __init__(self) -> None:
        self._pid = os.getpid()
        self._descriptor: int | None = None

    @property
    def in_child(self) -> bool:
        """Whether this process is a forked child of the one that reads the reports."""
        return os.getpid() != self._pid

    def open(self) -> None:
        """Make the file that children inherit. Call it before a fork; the second call does nothing."""
        if self._descriptor is None and not self.in_child:
            self._descriptor, path = tempfile.mkstemp()
            os.unlink(path)  # noqa: PTH108  # a name that nobody sees again
            finalize(self, os.close, self._descriptor).atexit = False

    def send(self, kind: str, *fields: str | int | None) -> None:
        """Report to the parent; nothing where this process is the parent itself."""
        if self._descriptor is None or not self.in_child:
            return
        with suppress(OSError):  # a daemon may have closed what it inherited
            os.write(self._descriptor, json.dumps([kind, *fields]).encode() + b"\n")  # one write: lines stay whole

    @property
    def expected(self) -> bool:
        """Whether any child may have reported: one was forked since this object was made."""
        return self._descriptor is not None

    def received(self, kind: str) -> tuple[tuple[Any, ...], ...]:
        """Return the fields of each report of a kind, each report once however often it came."""
        if self._descriptor is None or self.in_child:
            return ()
        written = os.pread(self._descriptor, os.fstat(self._descriptor).st_size, 0)
        reports = map(json.loads, written.splitlines())
        return tuple(dict.fromkeys(tuple(report[1:]) for report in reports if report[0] == kind))
