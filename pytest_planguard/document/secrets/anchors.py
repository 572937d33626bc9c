"""Search a text only where a match can begin: at literal words, which are found much faster than a pattern is tried."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

Place = tuple[int, int, str]
"""Start, end and kind of what looks like a secret."""


def places(text: str, word: str, offset: int = 0) -> Iterator[int]:
    """Yield `offset` characters after every place at which a word begins, overlapping ones too."""
    at = text.find(word)
    while at >= 0:
        yield at + offset
        at = text.find(word, at + 1)


def matches_at(pattern: re.Pattern[str], text: str, starts: Iterable[int]) -> Iterator[re.Match[str]]:
    """Yield what `pattern.finditer` would, given all places at which a match can begin. Further places do no harm."""
    end = 0
    for start in sorted(set(starts)):
        match = pattern.match(text, start) if start >= end else None
        if match is not None:
            yield match
            end = match.end()


def in_lower_case(text: str) -> str | None:
    """Return the text in lower case, as `re.IGNORECASE` compares it, with every character in its place.

    None where that cannot be: "İ" alone has two characters in lower case. A long s (U+017F) counts as an s.
    """
    lower = text.lower().replace("\u017f", "s")
    return lower if len(lower) == len(text) else None
