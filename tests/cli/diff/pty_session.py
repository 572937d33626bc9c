"""A command on a terminal of its own: what a person at a keyboard sees."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import subprocess
import sys
import termios
from pathlib import Path

TIMEOUT_S = 20.0
SGR = re.compile(r"\x1b\[[0-9;]*m")
"""Colours and weights; anything else that a terminal obeys stays on the screen that tests see."""
CODE = "from pytest_planguard.cli.main import main; main()"


class Terminal:
    """`planguard` in a process whose terminal is ours: keys go in, the screen comes out."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self._ours, theirs = pty.openpty()
        kept = {k: v for k, v in os.environ.items() if k not in ("CI", "GITHUB_STEP_SUMMARY")}
        env = {**kept, "NO_COLOR": "1", "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40"}
        self._process = subprocess.Popen(
            [sys.executable, "-c", CODE, *arguments],
            cwd=folder,
            env=env,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # so that Ctrl-C is a signal, as for a person
        )
        os.close(theirs)
        self._raw, self.screen = b"", ""
        self._seen = 0

    def until(self, text: str) -> str:
        """Read on until the screen shows a text; all that came since the last call."""
        while text not in self.screen[self._seen :]:
            assert self._read(), f"{text!r} was never shown, and the command ended:\n{self.screen}"
        start, self._seen = self._seen, len(self.screen)
        return self.screen[start:]

    def press(self, keys: str) -> None:
        """Type."""
        os.write(self._ours, keys.encode())

    def end(self) -> int:
        """Read the rest; the exit code."""
        while self._read():
            pass
        os.close(self._ours)
        return self._process.wait(TIMEOUT_S)

    def _read(self) -> bool:
        """Take what is there; False where the other side has hung up."""
        ready, _, _ = select.select([self._ours], [], [], TIMEOUT_S)
        assert ready, f"nothing more came:\n{self.screen}"
        try:
            piece = os.read(self._ours, 65_536)
        except OSError:  # Linux says so where the last process has closed the terminal
            return False
        self._raw += piece
        self.screen = SGR.sub("", self._raw.decode(errors="replace"))
        return bool(piece)
