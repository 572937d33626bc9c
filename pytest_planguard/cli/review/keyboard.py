"""Read single keys from a terminal. Keys typed while a screen is drawn are not lost."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

import click

ESCAPE = b"\x1b"
LEAVES = ("", "\x03", "\x04", "\x1a")
"""End of input, Ctrl-C, Ctrl-D, Ctrl-Z."""


class Keyboard:
    """Reads keys one by one. A key that sends a sequence, such as an arrow, counts as one key without a meaning."""

    def __init__(self, *, posix: bool) -> None:
        self._posix = posix
        self._typed: deque[str] = deque()

    def key(self) -> str:
        """Return the next key in lower case; "" if the input has ended or was interrupted."""
        try:
            while not self._typed:
                self._typed.extend(self._read())
            key = self._typed.popleft()
        except (EOFError, KeyboardInterrupt):
            return ""
        return "" if key in LEAVES else key.lower()

    def _read(self) -> list[str]:
        if not self._posix:
            return [click.getchar()]
        data = os.read(sys.stdin.fileno(), 32)
        if not data:
            raise EOFError
        text = data.decode(errors="replace")
        return [text] if data.startswith(ESCAPE) else list(text)


@contextmanager
def keyboard() -> Iterator[Keyboard]:
    """Provide a keyboard that needs no Enter and echoes nothing, and restore the terminal afterwards."""
    if not _is_posix():
        yield Keyboard(posix=False)
        return
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)  # the default would discard keys that are already typed
        _without_signals(terminal)
        yield Keyboard(posix=True)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _is_posix() -> bool:
    """Return True if terminals are those of POSIX, unlike on Windows and some other systems."""
    return find_spec("termios") is not None


def _without_signals(terminal: int) -> None:
    """Make Ctrl-C an ordinary key, so that it leaves the review at a prompt and never interrupts a write."""
    import termios

    mode = termios.tcgetattr(terminal)
    mode[3] &= ~termios.ISIG
    termios.tcsetattr(terminal, termios.TCSADRAIN, mode)
