"""A window of words around the first change between two texts, for reports of what drifted."""

from __future__ import annotations

_CHUNK = 4_096


def window(old: str, new: str, width: int = 80) -> tuple[str, str]:
    """One line of each text, at most `width` characters, with the first word that differs in the middle.

    Whitespace is shown as one space each, "…" stands where something is left out. Equal texts give their starts.
    Linear in the length of what the texts have in common.
    """
    word = _word_start(old, common_prefix(old, new), width)
    return _around(old, word, width), _around(new, word, width)


def common_prefix(old: str, new: str) -> int:
    """How many characters two texts have in common at their start."""
    limit = min(len(old), len(new))
    start = 0
    while start < limit and old[start : start + _CHUNK] == new[start : start + _CHUNK]:
        start += _CHUNK
    for index in range(start, min(start + _CHUNK, limit)):
        if old[index] != new[index]:
            return index
    return limit


def _word_start(text: str, at: int, width: int) -> int:
    """The start of the word that contains `at`, unless the word is longer than a third of the window."""
    start = at
    while start > 0 and not text[start - 1].isspace():
        start -= 1
        if at - start > width // 3:
            return at
    return start


def _around(text: str, at: int, width: int) -> str:
    room = width - 2
    start = max(0, at - room // 2)
    end = min(len(text), start + room)
    line = " ".join(text[start:end].split())
    return f"{'…' if start else ''}{line}{'…' if end < len(text) else ''}"
