"""Feedback inside JSON: `{"status": "error", "details": "…"}` and a text in quotes say what their strings say."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from .wordings.error_lists import PLACE_KEYS
from .wordings.error_maps import WRAPPERS

_DEPTH = 2
_LIMIT = 400_000
_FEWEST_WORDS = 2


def opened(text: str) -> str:
    r"""Return the strings of an object that wraps feedback, one a line, or the text of a JSON string; else the text.

    An object is a wrapper where it has texts and no place of its own, and nothing else but more of the kind. Inside
    of it every quote and line break is escaped, so that no reader would know them.
    """
    stripped = text.strip()
    if stripped[:1] + stripped[-1:] not in ("{}", '""') or len(stripped) > _LIMIT:
        return text
    try:
        value = json.loads(stripped)
    except (ValueError, RecursionError):
        return text
    if isinstance(value, str):
        return value or text
    strings = list(_strings("", value, _DEPTH))
    return text if None in strings else "\n".join(filter(None, strings)) or text


def _strings(key: str, value: Any, depth: int) -> Iterator[str | None]:
    """Yield every text below a wrapper's key, nothing for words and numbers beside it; None for anything else."""
    if isinstance(value, str) and len(value.split()) >= _FEWEST_WORDS:
        yield value if key.lower() in WRAPPERS else None
    elif isinstance(value, Mapping) and depth and not PLACE_KEYS & value.keys():
        for name, inner in value.items():
            around = not isinstance(inner, Mapping) or str(name).lower() in WRAPPERS
            yield from _strings(str(name), inner, depth - 1) if around else (None,)
    elif isinstance(value, (Mapping, list)):
        yield None
