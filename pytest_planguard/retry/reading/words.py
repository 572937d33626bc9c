"""The words of each language for rules, and readers that remember what they read."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from typing import TypeVar

READ_LIMIT = 2_000
"""Maximum number of characters of a message to read, since a rule is named early and longer texts are data."""
_Sense = TypeVar("_Sense")


def remembered(read: Callable[[str], _Sense]) -> Callable[[str], _Sense]:
    """Return a reader of the first `READ_LIMIT` characters of a text that remembers its last results."""
    kept = lru_cache(maxsize=4_096)(read)
    return lambda words: kept(words[:READ_LIMIT])


def stems(kind: str) -> tuple[str, ...]:
    """Return the words of a kind in `languages.txt`, a pattern for each language: "more" -> "größer|höher", …."""
    return tuple(words for name, words in _stems() if name == kind)


@cache
def _stems() -> list[tuple[str, str]]:
    text = Path(__file__).with_name("languages.txt").read_text(encoding="utf-8")
    rows = (line.split("  ")[1:] for line in text.splitlines() if not line.startswith("#"))
    return [(name, words) for row in rows for name, _, words in (one.partition("=") for one in row)]
