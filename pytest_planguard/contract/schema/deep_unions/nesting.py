"""How deeply a value is nested: what is flat needs no care."""

from __future__ import annotations

from typing import Any

FLAT = 2
"""Objects and lists in an answer up to which nothing is judged often: `{"title": "a", "steps": ["b"]}` has two."""


def is_flat(text: str | None) -> bool:
    """Return whether JSON text has at most `FLAT` objects and lists; False where there is no text."""
    return text is not None and text.count("{") + text.count("[") <= FLAT


def levels(data: Any, limit: int) -> int:
    """Return how many objects and lists stand around each other at most, `limit` for more."""
    here, count = [data], 0
    while count < limit:
        here = [inner for value in here for inner in _inside(value)]
        if not here:
            return count
        count += 1
    return limit


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
