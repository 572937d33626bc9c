"""Whether two JSON values are the same, type for type, and a text that is equal exactly for the same values."""

from __future__ import annotations

import json
from typing import Any


def identical(one: Any, other: Any) -> bool:
    """True where both are the same JSON value: 1 is not true, 1 is not 1.0, NaN is NaN. Any depth."""
    stack = [(one, other)]
    while stack:
        a, b = stack.pop()
        if a is b:
            continue
        if type(a) is not type(b):
            return False
        if isinstance(a, dict):
            if a.keys() != b.keys():
                return False
            stack.extend((a[key], b[key]) for key in a)
        elif isinstance(a, list):
            if len(a) != len(b):
                return False
            stack.extend(zip(a, b, strict=True))
        elif a != b and not (a != a and b != b):  # only NaN differs from itself
            return False
    return True


def fingerprint(value: Any) -> str:
    """Compact JSON with sorted keys. A value too deep for the JSON writer has one of its paths and leaves."""
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"))
    except RecursionError:
        from ..document.path import walk

        return repr([(path, _leaf(inner)) for path, inner in walk(value)])


def _leaf(value: Any) -> object:
    return type(value).__name__ if isinstance(value, dict | list) else value
