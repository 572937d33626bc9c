"""The folder in which a command runs: its name in a cassette, and its files before and after."""

from __future__ import annotations

import hashlib
import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from .taped_run import EVERYTHING, TapeScope, WrittenFile

WORK = "<work-folder>"
"""The folder in which a command runs."""
TEMPORARY = "<test-folder>"
"""The temporary folder of the test."""


class FolderNames:
    """Shortens the paths of one run, and expands them again."""

    def __init__(self, work: Path, temporary: Path | None = None) -> None:
        folders = [(work, WORK), *([] if temporary is None else [(temporary, TEMPORARY)])]
        self._pairs = [
            (os.fsencode(spelling), name.encode()) for folder, name in folders for spelling in _spellings(folder)
        ]
        # The end of a name must follow: a replay in "/home/me/plans" would turn "/apple" into "/home/me/plansle".
        self._patterns = [(re.compile(re.escape(folder) + _NAME_ENDS), name) for folder, name in self._pairs]

    def shortened(self, content: bytes) -> bytes:
        """Return the content with placeholders for the folders."""
        for folder, name in self._patterns:
            content = folder.sub(name, content)
        return content

    def shortened_text(self, text: str) -> str:
        """Return an argument with placeholders for the folders."""
        return os.fsdecode(self.shortened(os.fsencode(text)))

    def spelt_out(self, content: bytes) -> bytes:
        """Return the content with the folders of this run for the placeholders."""
        for folder, name in self._pairs:
            content = content.replace(name, folder)
        return content


# After "/app": a slash, a quote, a full stop, but not the rest of "/apple", "/app-2" or "/app.bak".
_NAME_ENDS = rb"(?![A-Za-z0-9_-]|\.\w)"


def _spellings(folder: Path) -> Iterable[Path]:
    """Return the folder as named and as resolved, the longer path first, since one may be a prefix of the other.

    The root has none: its path "/" is in every path and every URL, and is the same on all machines.
    """
    return sorted({folder, folder.resolve()} - {Path(folder.anchor)}, key=lambda path: -len(str(path)))


ABSENT = "absent"
"""State of a file that does not exist."""
MAX_FILES = 5_000
"""Maximum number of files in a folder to examine."""
MAX_SIZE = 1_000_000
"""Maximum size of a recorded file, in bytes."""
MAX_TOTAL = 10_000_000
"""Maximum total size of the files that one run records, in bytes."""
_PASSED_OVER = frozenset({"__pycache__", "node_modules", "venv"})
"""Folders with the output of tools; hidden ones are skipped, too."""
_REFUSED_NAMES = frozenset({"conftest.py", "sitecustomize.py", "usercustomize.py"})
_REFUSED_ENDS = (".pth", ".pyc")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The files of a folder at one moment."""

    files: Mapping[str, tuple[int, int, str]]
    """Path to its modification time in nanoseconds, its size, and its state."""
    taken_ns: int
    """The time of the snapshot, in nanoseconds since the epoch."""
    complete: bool = True
    """False if the folder has more files than are examined."""


def is_recorded_path(path: str) -> bool:
    """Return True if a file with that path may be recorded and written again.

    It must be inside the folder and not hidden, and it must not be a file that Python or pytest run by themselves.
    """
    parts = path.split("/")
    plain = bool(path) and "\\" not in path and "\0" not in path and ":" not in path
    if not plain or any(part in ("", ".", "..") or part.startswith(".") for part in parts):
        return False
    name = parts[-1].lower()
    return name not in _REFUSED_NAMES and not name.endswith(_REFUSED_ENDS)


def state_of(content: bytes) -> str:
    """Return 'sha256:' and 16 hex digits."""
    return f"sha256:{hashlib.sha256(content).hexdigest()[:16]}"


def look(folder: Path, names: FolderNames, scope: TapeScope = EVERYTHING) -> Snapshot:
    """Return the files of a folder that are recorded with a run. Links do not count as files and are not followed."""
    files: dict[str, tuple[int, int, str]] = {}
    now = time.time_ns()
    for path, status in _files(folder, scope):
        if len(files) >= MAX_FILES:
            return Snapshot(files, now, complete=False)
        state = _state(folder / path, status.st_size, names)
        if state is not None:
            files[path] = (status.st_mtime_ns, status.st_size, state)
    return Snapshot(files, now)


def _state(path: Path, size: int, names: FolderNames) -> str | None:
    if size > MAX_SIZE:
        return f"size:{size}"
    try:
        return state_of(names.shortened(path.read_bytes()))
    except OSError:  # gone, or not readable
        return None


def _files(folder: Path, scope: TapeScope) -> Iterator[tuple[str, os.stat_result]]:
    pending = [""]
    while pending:
        prefix = pending.pop()
        try:
            entries = sorted(os.scandir(folder / prefix), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            path = f"{prefix}{entry.name}"
            if entry.is_symlink():  # it may lead out of the folder, or to a folder around it
                continue
            if entry.is_dir():
                if not entry.name.startswith(".") and entry.name not in _PASSED_OVER:
                    pending.append(f"{path}/")
            elif entry.is_file() and is_recorded_path(path) and scope.records(path):
                try:
                    status = entry.stat()
                except OSError:  # gone since the folder was listed: a child may outlive the command
                    continue
                yield path, status


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes of a run to its folder."""

    files: tuple[WrittenFile, ...]
    notes: tuple[str, ...]
    """Changes that are not recorded, one line each."""


def changes(folder: Path, before: Snapshot, after: Snapshot, names: FolderNames) -> Changes:
    """Return the files that were written between two snapshots, with their current content."""
    written: list[WrittenFile] = []
    notes = [] if before.complete and after.complete else [f"more than {MAX_FILES:,} files: the rest is not recorded"]
    total = 0
    for path, state in after.files.items():
        # A file beyond the limit of examined files may have been there before.
        was_passed_over = not before.complete and path not in before.files and state[0] < before.taken_ns
        if before.files.get(path) == state or was_passed_over:
            continue
        size = state[1]
        if size > MAX_SIZE or total + size > MAX_TOTAL:  # a file that is left out takes no room from the next ones
            most = f"a file may have {MAX_SIZE:,}" if size > MAX_SIZE else f"a run may write {MAX_TOTAL:,} in all"
            notes.append(f"{path} is not recorded: got {size:,} bytes, {most}")
            continue
        try:
            content = names.shortened((folder / path).read_bytes())
        except OSError as error:  # a child that outlives the command may remove its files at any moment
            notes.append(f"{path} is not recorded: it cannot be read ({error.strerror or error})")
            continue
        total += size
        written.append(WrittenFile(path, content, before.files[path][2] if path in before.files else ABSENT))
    if after.complete:
        notes += [f"{path} was removed: a replay removes no file" for path in before.files if path not in after.files]
    return Changes(tuple(written), tuple(notes))
