"""Readers that remember what they read, since every finding asks about the same words."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

READ_LIMIT = 2_000
"""Maximum number of characters of a message to read, since a rule is named early and longer texts are data."""
_Sense = TypeVar("_Sense")


def remembered(read: Callable[[str], _Sense]) -> Callable[[str], _Sense]:
    """Return a reader of the first `READ_LIMIT` characters of a text that remembers its last results."""
    kept = lru_cache(maxsize=4_096)(read)
    return lambda words: kept(words[:READ_LIMIT])
