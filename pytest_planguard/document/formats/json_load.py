"""Strict JSON: Python's C parser, and checks for three faults of real answers that it accepts.

Duplicate keys, NaN and Infinity, and numbers that overflow to infinity are detected while parsing, at the cost of one
small Python call for each object and each fraction.
"""

from __future__ import annotations

import json
import re
from itertools import chain
from math import isinf
from typing import TYPE_CHECKING, Any

from ..limits import MAX_DEPTH

if TYPE_CHECKING:
    from collections.abc import Callable


class Unsound(ValueError):
    """Python's parser accepts the text, but it is not sound JSON: `syntax_errors.defects` locates the faults."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Unsound
    return found


def _constant(_: str) -> None:
    raise Unsound


def _fraction(digits: str) -> float:
    # JSON allows 1e999, and Python reads it as Infinity, which no JSON can hold.
    number = float(digits)
    if isinf(number):
        raise Unsound
    return number


_STRICT = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_fraction)
_LAX = json.JSONDecoder()
_scan_strictly: Callable[[str, int], tuple[Any, int]] = _STRICT.scan_once  # type: ignore[attr-defined]  # the same
scan: Callable[[str, int], tuple[Any, int]] = _LAX.scan_once  # type: ignore[attr-defined]  # set in __init__
"""Returns the lax value that starts at an offset, and the offset after it. Raises as `load`, and StopIteration."""
load = _STRICT.decode
"""Returns the value of a text that is one JSON document, possibly with white space around it.

Raises JSONDecodeError if it is not JSON, Unsound for duplicate keys or numbers that are not finite, another ValueError
for an integer with more digits than Python reads, and RecursionError if it is nested too deeply for Python's parser.
"""
load_lax = _LAX.decode
"""Returns the same as `load`, but lets the last of equal keys win, and accepts NaN and Infinity as numbers."""
_scanstring: Callable[[str, int, bool], tuple[str, int]] = json.decoder.scanstring  # type: ignore[attr-defined]


def load_bare(text: str) -> Any:
    """Return the same as `load` for a text without white space around it, in half the time."""
    try:
        found, end = _scan_strictly(text, 0)
    except StopIteration:  # `scan_once` raises it if no value starts there
        raise Unsound from None
    if end != len(text):
        raise Unsound
    return found


_NESTED = frozenset((dict, list))


def is_too_deep(data: Any, text: str) -> bool:
    """Return True if a value read from `text` is nested deeper than `MAX_DEPTH`.

    Takes linear time, and almost none for most texts.
    """
    if len(text) <= 2 * MAX_DEPTH:  # each level has two brackets
        return False
    level = [data] if type(data) in _NESTED else []  # a parser makes no subclasses
    for _ in range(MAX_DEPTH):
        if not level:
            return False
        children = chain.from_iterable([one.values() if type(one) is dict else one for one in level])
        level = [child for child in children if type(child) in _NESTED]
    return bool(level)


def string_end(text: str, start: int) -> tuple[str, int]:
    """Return the string that starts, after its quote, at `start`, and the offset after its closing quote."""
    return _scanstring(text, start, True)


# The depth and the end of a text that no parser may read.

# Before Python 3.11.5 a possessive group keeps what it took before failing: here at most a final backslash.
_STRUCTURE = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)


def region_end(text: str, start: int) -> tuple[int | None, int | None]:
    """Return the offset after the bracket that closes the one at `start`, and that of the first bracket too deep.

    Either may be missing. A wrong closing bracket counts as a right one. The scan stops at a bracket too deep.
    """
    depth = 0
    for token in _STRUCTURE.finditer(text, start):
        char = text[token.start()]
        if char == '"':
            continue
        depth += 1 if char in "[{" else -1
        if depth > MAX_DEPTH:
            return None, token.start()
        if depth <= 0:
            return token.end(), None
    return None, None


def opens_too_deep(text: str) -> bool:
    """Return True if a text that no parser accepts goes too deep before its first value ends.

    Python's parser gives up near 1,000 levels or beyond 50,000, depending on its version.
    """
    return region_end(text, 0)[1] is not None
