"""Two long texts side by side, word by word: what stayed is shortened to a few words around what changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

from ..media.sanitise import one_line

CONTEXT = 5
"""Words shown before and after a change."""
ALIGNED = 300
"""Words that are aligned one by one; of longer changes only the common beginning and end are found."""
LONGEST = 20_000
"""Characters of a text that are looked at."""
PIECE_LIMIT = 400
"""Characters of one piece."""


class Part(StrEnum):
    """What a piece is."""

    SAME = "same"
    GONE = "gone"
    NEW = "new"
    CUT = "cut"
    """Words that both texts have and that are not shown."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Some words."""

    part: Part
    text: str
    """On one line and safe to print; "…" for what was cut."""


CUT = Piece(Part.CUT, "…")


def word_window(before: str, after: str) -> tuple[Piece, ...]:
    """Return the difference of two texts as pieces in reading order; () where their words are the same."""
    old, new = before[:LONGEST].split(), after[:LONGEST].split()
    if old == new:
        return ()
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    pieces = [
        *_context(old[:start], first=True),
        *_changed(old[start : len(old) - end], new[start : len(new) - end]),
        *_context(old[len(old) - end :], last=True),
    ]
    return tuple(pieces)


def _common(one: list[str], other: list[str]) -> int:
    """Return how many words at the beginning are the same."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _changed(old: list[str], new: list[str]) -> Iterator[Piece]:
    if max(len(old), len(new)) > ALIGNED:
        yield from _replaced(old, new)
        return
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            yield from _context(old[a:b])
        else:
            yield from _replaced(old[a:b], new[c:d])


def _replaced(old: list[str], new: list[str]) -> Iterator[Piece]:
    if old:
        yield _piece(Part.GONE, old)
    if new:
        yield _piece(Part.NEW, new)


def _context(words: list[str], *, first: bool = False, last: bool = False) -> Iterator[Piece]:
    """Words that stayed: those beside a change, the rest cut."""
    head, tail = words[: 0 if first else CONTEXT], words[max(0, len(words) - (0 if last else CONTEXT)) :]
    if len(head) + len(tail) >= len(words):
        if words:
            yield _piece(Part.SAME, words)
        return
    if head:
        yield _piece(Part.SAME, head)
    yield CUT
    if tail:
        yield _piece(Part.SAME, tail)


def _piece(part: Part, words: list[str]) -> Piece:
    return Piece(part, one_line(" ".join(words), PIECE_LIMIT))
