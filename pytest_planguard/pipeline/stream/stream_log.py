"""`stream.log` in the folder of a run: what a model writes, while it writes it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from ..compat import switched_on

STREAM_LOG = "stream.log"


class StreamLog:
    """Appends the text of answers to a file, so that `tail -f` shows them. A disk error ends the log, not the run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problem: OSError | None = None
        """Why nothing more is written; None while all is well."""
        self._file: IO[str] | None = None

    def write(self, text: str) -> None:
        """Write a piece and flush it."""
        if self.problem is not None:
            return
        try:
            if self._file is None:
                self._file = self._open()
            self._file.write(text)
            self._file.flush()
        except OSError as error:
            self.problem = error

    def close(self) -> None:
        """Close the file; a later `write` opens it again, and begins a new line."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _open(self) -> IO[str]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        file = self.path.open("a", encoding="utf-8", errors="backslashreplace", newline="")
        if file.tell():
            file.write("\n")
        return file


def stream_log(run_dir: str | os.PathLike[str], environ: Mapping[str, str] = os.environ) -> StreamLog | None:
    """Return the log of a run's folder where `PLANGUARD_STREAM_LOG=true` asks for it, else None.

    `PLANEXE_STREAM_LOG` means the same. The file is made with the first piece of text.
    """
    return StreamLog(Path(run_dir) / STREAM_LOG) if switched_on(environ, "STREAM_LOG") else None
