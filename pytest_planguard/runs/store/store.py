"""The store of kept runs: `.planguard/` beside the tests, a folder that excludes itself from version control.

A session's rows are written as they come, so that a killed session leaves them behind.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ...errors import RunError, UsageError
from ...statistics import Rate
from ..figures import figures_of_run
from .project_files import write_whole
from .run_file import record_lines

if TYPE_CHECKING:
    from collections.abc import Iterable
    from io import FileIO

    from ..model.run import CaseRow, Run, RunHeader


FOLDER = ".planguard"
LAST = "last"
"""The name of the last run. Every session replaces it."""
SAVED = "runs"
SUFFIX = ".jsonl"
UNFINISHED = "unfinished-"
"""Prefix of runs whose session is unfinished or was killed. No run can be saved under such a name."""
IGNORE = ".gitignore"
IGNORE_ALL = "# Written by planguard: what runs found. Nothing here belongs into version control.\n*\n"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
"""A valid file name on every system that is not an option: "main", "v1.2"; not ".hidden", "-x", "a/b"."""


class Store(NamedTuple):
    """The runs kept under one folder."""

    root: Path
    """The folder that holds `.planguard/`, usually pytest's root directory."""

    @property
    def folder(self) -> Path:
        """The store's own folder."""
        return self.root / FOLDER

    def path(self, name: str) -> Path:
        """Return the path for a run of that name. Raises UsageError for an invalid name."""
        if name == LAST:
            return self.folder / f"{LAST}{SUFFIX}"
        return self.folder / SAVED / f"{checked_name(name)}{SUFFIX}"

    def has(self, name: str) -> bool:
        """Return True if a run of that name is kept; False for an invalid name."""
        return NAME.fullmatch(name) is not None and self.path(name).is_file()

    def paths(self) -> tuple[Path, ...]:
        """Return the files of all kept runs, valid names or not: the last run's first, then sorted."""
        last = self.folder / f"{LAST}{SUFFIX}"
        kept = (last,) if os.path.lexists(last) else ()
        return (*kept, *sorted((self.folder / SAVED).glob(f"*{SUFFIX}")))

    def names(self) -> tuple[str, ...]:
        """Return the names of all kept runs: the last run's first, then sorted.

        A file that a person put there, such as "main (copy).jsonl", or a link that leads nowhere, is no kept run.
        """
        saved = {path.stem for path in (self.folder / SAVED).glob(f"*{SUFFIX}")} - {LAST}
        return tuple(name for name in (LAST, *sorted(saved)) if self.has(name))

    def save(self, name: str, header: RunHeader, rows: Iterable[CaseRow | str]) -> Path:
        """Keep a run and replace any run of the same name. Return its path. Rows are as for `record_lines`.

        Raises:
            UsageError: the name is invalid.
            RunError: it cannot be written. A previous run of that name is kept.
        """
        path = self.path(name if name == LAST else name_to_save(name))
        self.prepare()
        return write_whole(path, record_lines(replace(header, name=name), rows), "the run")

    def prepare(self) -> None:
        """Create the folder, which ignores itself and is private to the user. Raises RunError."""
        ignore = self.folder / IGNORE
        if not ignore.exists():
            write_whole(ignore, [IGNORE_ALL], "the run's folder")
            with suppress(OSError):
                self.folder.chmod(0o700)

    def unfinished(self, run: str) -> Path:
        """Return the path at which the session of that id keeps its rows until it ends.

        A killed session leaves them there as a run of this name.
        """
        return self.folder / SAVED / f"{UNFINISHED}{run}{SUFFIX}"

    def load(self, name: str, known: dict[bytes, CaseRow] | None = None) -> Run:
        """Return a kept run. `known` is as for `read_record`.

        Raises RunError if it does not exist, with the nearest name and all others.
        """
        if not self.has(name):
            names = self.names()
            from ...errors import nearest

            near = nearest(name, names)
            hint = f" Did you mean {near!r}?" if near else ""
            kept = ", ".join(names) or "none"
            raise RunError(f"there is no run {name!r} in {self.folder}.{hint} Kept runs: {kept}.")
        from .run_file import read_record

        return read_record(self.path(name), name, known)


def name_to_save(name: str) -> str:
    """Return the name. Raises UsageError if no run can be saved under it."""
    if name.startswith(UNFINISHED):
        raise UsageError(f"{name!r}: names that begin with {UNFINISHED!r} belong to sessions that have not ended")
    return checked_name(name)


def checked_name(name: str) -> str:
    """Return the name. Raises UsageError if it is not a valid file name on every system."""
    if NAME.fullmatch(name) is None or name == LAST:
        why = "names the last run" if name == LAST else "is not a valid run name"
        raise UsageError(
            f"{name!r} {why}; use up to 80 letters, digits, '.', '-' and '_', starting with a letter or digit"
        )
    return name


SHOWN = 20
"""Number of newest kept runs in a chart."""


class RunPoint(NamedTuple):
    """One run of a history."""

    name: str
    created: str | None
    """Time of writing, as ISO 8601; None if unknown."""
    cases: Rate
    """The good cases among the judged ones."""


def kept_history(store: Store, shown: int = SHOWN) -> tuple[RunPoint, ...]:
    """Return the newest kept runs in the order of writing.

    If the last run is also kept under a name, it counts once, under that name. A run that judged nothing, or cannot be
    read, is left out.
    """
    # A file is written once, when its session ends, so its time shows which are newest without reading them. Twice as
    # many are read as shown: the last run may repeat one, and a run of unmarked tests judged nothing.
    newest = sorted(store.names(), key=lambda name: _changed_s(store.path(name)), reverse=True)[: 2 * shown]
    points: dict[object, RunPoint] = {}
    for name in newest:
        try:
            run = store.load(name)
        except RunError:
            continue
        cases = figures_of_run(run).cases
        if cases.total:
            same = run.header.run or (run.header.created, name)
            if same not in points or name != LAST:
                points[same] = RunPoint(name, run.header.created, cases)
    return tuple(sorted(points.values(), key=lambda point: point.created or "")[-shown:])


def _changed_s(path: Path) -> float:
    """Return when a file was changed, in seconds since 1970; 0 for one that another session has just replaced."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


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
