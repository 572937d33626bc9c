"""Feedback inside JSON: `{"status": "error", "details": "…"}` and a text in quotes say what their texts say."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from .wordings.lines import WRAPPERS
from .wordings.structures import PLACES

_LIMIT = 400_000


def opened(text: str) -> str:
    r"""Return the texts of an object that wraps feedback, one a line, or the text of a JSON string; else the text.

    Inside of a wrapper every quote and line break is escaped, so that no reader would know them. Words and numbers
    beside the texts are left out.
    """
    try:
        value = json.loads(text) if text.strip()[:1] in ("{", '"') and len(text) <= _LIMIT else None
    except (ValueError, RecursionError):
        return text
    leaves = list(_leaves((), value))
    if any(isinstance(leaf, list) or not PLACES.isdisjoint(keys) for keys, leaf in leaves):
        return text
    said = [(keys, leaf) for keys, leaf in leaves if isinstance(leaf, str) and " " in leaf]
    is_wrapper = all(key.lower() in WRAPPERS for keys, _ in said for key in keys)
    return "\n".join(leaf for _, leaf in said if is_wrapper) or text


def _leaves(keys: tuple[str, ...], value: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield everything in nested objects with the keys that lead there."""
    if not isinstance(value, Mapping):
        yield keys, value
        return
    for key, inner in value.items():
        yield from _leaves((*keys, str(key)), inner)
