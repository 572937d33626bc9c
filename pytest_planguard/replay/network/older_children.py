"""Child processes from before a test that run while it does: workers of a pool, or a server that a fixture started."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

_PROC = Path("/proc")
_FORKSERVER = "multiprocessing.forkserver"
"""A word in the command of the process that forks multiprocessing's workers. That process sends nothing itself."""


def cpu_times() -> Mapping[int, int]:
    """Return the time in ns that each living descendant of this process has run; {} except on Linux."""
    return {pid: time for pid in _descendants(os.getpid()) if (time := _cpu_time(pid)) is not None}


def active_since(before: Mapping[int, int]) -> Iterator[list[str]]:
    """Yield the commands of the processes that have run since `cpu_times` returned `before`."""
    for pid, time in before.items():
        if _cpu_time(pid) not in (time, None):
            yield _read(_PROC / str(pid) / "cmdline").rstrip("\0").split("\0")


def _descendants(pid: int, command: str = "") -> Iterator[int]:
    for thread in (_PROC / str(pid) / "task").glob("*/children"):
        for child in map(int, _read(thread).split()):
            own = _read(_PROC / str(child) / "cmdline")
            if _FORKSERVER not in own or _FORKSERVER in command:  # its workers have the same command
                yield child
            yield from _descendants(child, own)


def _cpu_time(pid: int) -> int | None:
    """Return the time of all threads of a process; None if it is gone."""
    # "193245671 2410 35": ns on the CPU, ns waiting for it, turns.
    times = [_read(file).split()[:1] for file in (_PROC / str(pid) / "task").glob("*/schedstat")]
    return sum(int(time) for (time,) in filter(None, times)) if any(times) else None


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:  # the process has ended
        return ""
