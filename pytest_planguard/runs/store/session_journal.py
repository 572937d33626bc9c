"""Write the rows of a session to disk as they come, so that a killed session leaves them behind."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING

from ...errors import RunError
from .run_file import record_lines
from .store import SAVED, SUFFIX, UNFINISHED

if TYPE_CHECKING:
    from io import FileIO

    from ..model.header import RunHeader
    from .store import Store

KEPT_S = 7 * 24 * 3600.0
"""Number of seconds to keep the rows of a killed session."""


class Journal:
    """A run record that grows by one line per row. If the disk is full, it stops without an error.

    The rows are still in memory, and saving the run reports a failure to keep them.
    """

    def __init__(self, store: Store, header: RunHeader) -> None:
        self._store = store
        self._path = store.unfinished(header.run or "session")
        self._file: FileIO | None = None
        try:
            store.prepare()
            self._path.parent.mkdir(exist_ok=True)
            self._file = self._path.open("wb", buffering=0)  # unbuffered, so that each line is written at once
        except (OSError, RunError):
            return
        self._write("".join(record_lines(header, ())))

    def add(self, row: str) -> None:
        """Keep a row: its JSON as plain ASCII on one line."""
        self._write(f"{row}\n")

    def discard(self) -> None:
        """Delete the journal when the session ends normally, along with those of sessions killed long ago."""
        self._close()
        with contextlib.suppress(OSError):
            self._path.unlink(missing_ok=True)
        for path in self._store.folder.glob(f"{SAVED}/{UNFINISHED}*{SUFFIX}"):
            with contextlib.suppress(OSError):
                if time.time() - path.stat().st_mtime > KEPT_S:
                    path.unlink()

    def _write(self, text: str) -> None:
        if self._file is None:
            return
        line = text.encode("ascii")
        try:
            whole = self._file.write(line) == len(line)
        except OSError:
            whole = False
        if not whole:  # a full disk may accept a part
            self._close()

    def _close(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            with contextlib.suppress(OSError):
                file.close()
