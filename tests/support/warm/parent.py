"""The test session's side of the process that forks all warm runs."""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

FORKING = Path(__file__).with_name("forking.py")


class Parent:
    """The process; it starts with the first warm run and ends with the session."""

    def __init__(self) -> None:
        env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        self._process = subprocess.Popen(
            [sys.executable, str(FORKING)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, env=env
        )
        self._one_at_a_time = threading.Lock()

    def run(
        self, args: Sequence[str], folder: Path, env: Mapping[str, str], streams: tuple[Path, Path], timeout_s: float
    ) -> int:
        """The exit code of one forked run, negative for a signal, as `subprocess` has it.

        Raises:
            subprocess.TimeoutExpired: the run took longer; it is killed.
        """
        asked = {"args": args, "folder": str(folder), "env": dict(env), "streams": list(map(str, streams))}
        with self._one_at_a_time:
            assert self._process.stdin is not None
            self._process.stdin.write(json.dumps(asked).encode() + b"\n")
            self._process.stdin.flush()
            child = self._read()
            if not select.select([self._process.stdout], [], [], timeout_s)[0]:
                os.kill(child, signal.SIGKILL)
                self._read()
                raise subprocess.TimeoutExpired(list(args), timeout_s)
            return int(self._read())

    def end(self) -> None:
        """End of input ends the process."""
        self._process.communicate()

    def _read(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())


@cache
def parent() -> Parent:
    """Return the process of this test session."""
    made = Parent()
    atexit.register(made.end)
    return made
