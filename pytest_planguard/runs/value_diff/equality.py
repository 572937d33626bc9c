"""Decide if two values are the same JSON value."""

from __future__ import annotations

import json
import marshal
from typing import Any

_DISTINCT = frozenset((str, int, type(None)))
"""Types that have no value in common: a value of one never equals a value of another."""


def identical(one: Any, other: Any) -> bool:
    """Return True if both are the same JSON value, at any depth: 1 is not true, 1 is not 1.0, NaN is NaN."""
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


def surely_same(one: Any, other: Any) -> bool:
    """Return True if a cheap test proves that two containers of one type are the same; False proves nothing.

    Python's `==` treats 1, 1.0 and true as equal, so equal values are compared again as marshal writes them, with
    types. In version 2 the bytes have no references, so they don't depend on the interpreter's state. Nothing is ever
    loaded. If all items are strings, integers or null, no confusion of types is possible.
    """
    try:
        return bool(one == other) and (
            (_distinct(one) and _distinct(other)) or marshal.dumps(one, 2) == marshal.dumps(other, 2)
        )
    except (ValueError, RecursionError):  # a type that marshal does not know, or too much depth for C
        return False


def _distinct(container: Any) -> bool:
    return _DISTINCT.issuperset(map(type, container.values() if type(container) is dict else container))


def fingerprint(value: object) -> str:
    """Return compact JSON with sorted keys. If the value is too deep for that, return its paths and leaves."""
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"))
    except RecursionError:
        from ...document.path_pattern import walk

        return repr([(path, _leaf(inner)) for path, inner in walk(value)])


def _leaf(value: object) -> object:
    return type(value).__name__ if isinstance(value, dict | list) else value
