"""Who records a file: a lock of the operating system on its journal, which ends with the process that holds it."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO


def lock(file: IO[str]) -> bool | None:
    """Lock an open journal for this session.

    Returns:
        True once it is locked, False where another session holds it, None where the system has no locks for files.
    """
    try:
        import fcntl
    except ImportError:
        return None
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return False if error.errno in (errno.EACCES, errno.EAGAIN) else None
    return True


def is_locked(path: Path) -> bool:
    """Return whether a running session holds a journal; False for a file that is not there or cannot be opened."""
    try:
        with path.open(encoding="utf-8") as file:
            return lock(file) is False
    except OSError:
        return False


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Keep other sessions from opening journals in a folder meanwhile; without locks they are not kept from it.

    Two sessions that begin in the same instant would otherwise both look before either has its lock.
    """
    try:
        import fcntl

        opened = os.open(folder, os.O_RDONLY)
    except (ImportError, OSError):
        yield
        return
    try:
        with suppress(OSError):
            fcntl.flock(opened, fcntl.LOCK_EX)
        yield
    finally:
        os.close(opened)


def is_same_file(path: Path, file: IO[str]) -> bool:
    """Return whether a path still leads to an open file: another session may have moved it."""
    try:
        return os.path.samestat(path.stat(), os.fstat(file.fileno()))
    except OSError:
        return False


def holder(path: Path) -> str:
    """Return who holds a file, as a message says it: "process 4711", or "another process" where that is not known."""
    try:
        number = f":{path.stat().st_ino} "
        locks = Path("/proc/locks").read_text(encoding="ascii").splitlines()
    except (OSError, ValueError):
        return "another process"
    # "1: FLOCK  ADVISORY  WRITE 4711 08:01:1234 0 EOF"
    pids = [line.split()[4] for line in locks if number in line and "FLOCK" in line]
    return f"process {pids[0]}" if pids else "another process"
