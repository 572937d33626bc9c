"""Single keys from a terminal, nothing lost: what is typed while a screen is being drawn counts as well."""

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
    """Keys one by one. A key that sends a sequence (an arrow) is one key that means nothing, not the letters in it."""

    def __init__(self, *, posix: bool) -> None:
        self._posix = posix
        self._typed: deque[str] = deque()

    def key(self) -> str:
        """Return the next key in lower case; "" where the input has ended or was broken off."""
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
    """The keyboard without waiting for Enter and without echo; the terminal is as before afterwards."""
    if not _is_posix():
        yield Keyboard(posix=False)
        return
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)  # by default typed keys would be thrown away
        _without_signals(terminal)
        yield Keyboard(posix=True)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _is_posix() -> bool:
    """Return whether terminals are those of POSIX: not on Windows, and not on other systems without them."""
    return find_spec("termios") is not None


def _without_signals(terminal: int) -> None:
    """Ctrl-C becomes a key as well: it leaves the review where a key is awaited, and breaks nothing off."""
    import termios

    mode = termios.tcgetattr(terminal)
    mode[3] &= ~termios.ISIG
    termios.tcsetattr(terminal, termios.TCSADRAIN, mode)
