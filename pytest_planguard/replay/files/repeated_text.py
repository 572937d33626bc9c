"""Long texts of recorded answers that later requests repeat. The file has each of them only once.

A request's body is then a list of texts and references. `{of: *answer1, from: 93, to: 5000093}` means those
characters of the first answer, whose body has the YAML anchor `&answer1`.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

from ...document.limits import CLOSED_STRING

LEAST = 100_000
"""Minimum number of characters of a text that is not repeated. Shorter ones stay readable in their place."""
_MOST = 32
"""Maximum number of texts to look for in each request, the latest ones."""
_STRING = re.compile(CLOSED_STRING, re.DOTALL)


@dataclass(frozen=True, slots=True)
class Reference:
    """A part of an earlier answer's body."""

    answer: int
    """1-based position of the answer in the cassette."""
    start: int
    end: int
    """0-based characters of the body; the last one is not included."""

    def __str__(self) -> str:
        """Return the reference as YAML."""
        return f"{{of: *answer{self.answer}, from: {self.start}, to: {self.end}}}"


class RepeatedTexts:
    """The long texts of the answers written so far."""

    def __init__(self) -> None:
        self._known: deque[tuple[str, Reference]] = deque(maxlen=_MOST)
        self._count = 0

    def add(self, body: str) -> str:
        """Note the long texts of the next answer; return the anchor that its body needs, or ""."""
        self._count += 1
        known = len(body) >= LEAST
        for found in _STRING.finditer(body) if known else ():
            start, end = found.start() + 1, found.end() - 1
            if end - start >= LEAST:
                self._known.append((body[start:end], Reference(self._count, start, end)))
        return f"&answer{self._count} " if known else ""

    def split(self, body: str) -> list[str | Reference]:
        """Return a request's body with a reference in place of each known text."""
        pieces: list[str | Reference] = [body]
        for text, reference in sorted(self._known, key=lambda known: -len(known[0])) if len(body) >= LEAST else ():
            pieces = [part for piece in pieces for part in _around(piece, text, reference)]
        return [piece for piece in pieces if piece != ""]


def _around(piece: str | Reference, text: str, reference: Reference) -> list[str | Reference]:
    if isinstance(piece, Reference):
        return [piece]
    parts: list[str | Reference] = []
    for rest in piece.split(text):
        parts += [reference, rest]
    return parts[1:]


def referenced(piece: Mapping[str, object]) -> str:
    """Return the characters of a reference in a file; "" if it is not one."""
    whole, start, end = (piece.get(name) for name in ("of", "from", "to"))
    if not isinstance(whole, str) or not isinstance(start, int) or not isinstance(end, int):
        return ""
    return whole[max(start, 0) : max(end, 0)]
