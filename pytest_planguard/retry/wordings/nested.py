r"""Errors inside the strings of a JSON value: tool results often wrap a validator's text as `{"error": "…\\n…"}`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..entry import Entry
from .error_lists import values
from .inner import inner_entries

_DEPTH = 4


def nested_entries(text: str) -> Iterator[Entry]:
    """The entries of every string of several lines in a JSON value; each stands where the value stands."""
    for value, start, end in values(text):
        for words in _strings(value, _DEPTH):
            yield from inner_entries(words, start, end)


def _strings(value: Any, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        if "\n" in value:
            yield value
    elif depth and isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner, depth - 1)
    elif depth and isinstance(value, list):
        for inner in value:
            yield from _strings(inner, depth - 1)
