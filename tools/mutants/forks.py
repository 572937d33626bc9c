"""A forked process that runs tests silently, with a limit of CPU time."""

from __future__ import annotations

import os
import resource
import signal
import time
from collections.abc import Callable
from typing import NoReturn

SURVIVED, KILLED, BROKEN = 0, 1, 3


def forked(work: Callable[[], int], cpu: int) -> str:
    """Run `work` in a forked process; return "survived", "killed" or "timeout"."""
    pid = os.fork()
    if not pid:
        _end(work, cpu)
    code = _waited(pid, 60 + 10 * cpu)  # a test may wait forever without using CPU time
    return "timeout" if code < 0 else "survived" if code == SURVIVED else "killed"


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
