"""A forked process that runs tests silently, with a limit of CPU time."""

from __future__ import annotations

import os
import resource
import signal
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

SURVIVED, KILLED, BROKEN = 0, 1, 3


def forked(work: Callable[[], int], cpu: int) -> str:
    """Run `work` in a forked process; return "survived", "killed" or "timeout"."""
    pid = os.fork()
    if not pid:
        _end(work, cpu)
    code = _waited(pid, 60 + 10 * cpu)  # a test may wait forever without using CPU time
    return "timeout" if code < 0 else "survived" if code == SURVIVED else "killed"


def fairly(tests: Sequence[str], fit: dict[str, bool], killer: Path, run: Callable[[Sequence[str], bool], str]) -> str:
    """Return the result for a mutant. A test that also fails or hangs without it kills nothing.

    `run` runs tests with the mutant or without it, and writes the name of each into `killer` when it begins. `fit` says
    which killing tests pass without a mutant, also in a forked process.
    """
    while left := [name for name in tests if fit.get(name, True)]:
        killer.write_text("", "utf-8")
        ended = run(left, True)
        if ended == "survived":
            return ended
        last = killer.read_text("utf-8")
        asked = [last] if last else left  # no test began: check if the package loads without the change
        if any(name not in fit for name in asked):
            fit |= dict.fromkeys(asked, run(asked, False) == "survived")
            killer.write_text(last, "utf-8")
        if all(fit[name] for name in asked):
            return ended
    return "survived"


def _end(work: Callable[[], int], cpu: int) -> NoReturn:
    code = BROKEN
    try:
        silent = os.open(os.devnull, os.O_RDWR)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        used = int(time.process_time())
        resource.setrlimit(resource.RLIMIT_CPU, (used + cpu, used + cpu + 5))
        code = work()
    finally:
        os._exit(code)


def _waited(pid: int, limit: float) -> int:
    start = time.monotonic()
    while time.monotonic() - start < limit:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return -signal.SIGKILL
