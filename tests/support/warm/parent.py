"""The test session's side of the process that forks all warm runs."""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any
from uuid import uuid4

FORKING = Path(__file__).with_name("forking.py")
TRIES = 100
"""Times that a worker tries to connect; the one that starts the process needs two."""


class Parent:
    """A connection to the process. The first warm run starts it, and all workers of a session use the same one.

    It takes four seconds to import everything. The process ends when no worker is connected any more.
    """

    def __init__(self) -> None:
        self._link = _connected()
        self._answers = self._link.makefile("rb", buffering=0)
        self._one_at_a_time = threading.Lock()
        self.spent_s = 0.0

    def run(
        self, args: Sequence[str], folder: Path, env: Mapping[str, str], streams: tuple[Path, Path], timeout_s: float
    ) -> int:
        """The exit code of one forked run, negative for a signal, as `subprocess` has it.

        Raises:
            subprocess.TimeoutExpired: the run took longer; it is killed.
        """
        asked = {"args": args, "folder": str(folder), "env": dict(env), "streams": list(map(str, streams))}
        with self._one_at_a_time:
            self._link.sendall(json.dumps(asked).encode() + b"\n")
            child = self._read()
            if not select.select([self._link], [], [], timeout_s)[0]:
                os.kill(child, signal.SIGKILL)
                self._read()
                raise subprocess.TimeoutExpired(list(args), timeout_s)
            code, spent_s = self._read()
            self.spent_s += spent_s
            return int(code)

    def end(self) -> None:
        """Disconnect."""
        self._answers.close()
        self._link.close()

    def _read(self) -> Any:
        return json.loads(self._answers.readline())


def _connected() -> socket.socket:
    """Connect to the process of this session, and start it if no worker has done so."""
    session = os.environ.get("PYTEST_XDIST_TESTRUNUID", uuid4().hex)
    address = Path(tempfile.gettempdir(), f"warm-{session}")
    link = socket.socket(socket.AF_UNIX)
    for _ in range(TRIES):
        with suppress(ConnectionRefusedError, FileNotFoundError):
            link.connect(str(address))
            return link
        with suppress(OSError):  # the address is in use: another worker has just started it
            _start(address)
        time.sleep(0.05)
    raise ConnectionError(f"{address}: no answer")


def _start(address: Path) -> None:
    """Start the process, which answers at this address and goes on without this worker."""
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(address))
        listening.listen()
        command = [sys.executable, str(FORKING), str(address)]
        subprocess.run(command, stdin=listening.fileno(), stdout=subprocess.DEVNULL, env=env, check=True)


@cache
def parent() -> Parent:
    """Return the connection of this worker."""
    made = Parent()
    atexit.register(made.end)
    return made
