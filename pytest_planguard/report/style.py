"""Colour, only where it was asked for. The text is the same with and without it."""

from __future__ import annotations

from typing import NamedTuple

RESET = "\x1b[0m"


class Style(NamedTuple):
    """Paints pieces of text, or leaves them as they are."""

    color: bool = False

    def bad(self, text: str) -> str:
        """What fails."""
        return self._paint("31", text)

    def good(self, text: str) -> str:
        """What holds."""
        return self._paint("32", text)

    def warn(self, text: str) -> str:
        """What deserves a look."""
        return self._paint("33", text)

    def dim(self, text: str) -> str:
        """What is there for orientation."""
        return self._paint("2", text)

    def strong(self, text: str) -> str:
        """What to read first."""
        return self._paint("1", text)

    def _paint(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}{RESET}" if self.color and text else text
