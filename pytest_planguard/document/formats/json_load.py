"""Strict JSON: Python's C parser, plus checks for three faults of real answers that it accepts.

Duplicate keys, NaN and Infinity, and numbers that overflow to infinity are detected while parsing, at the cost of one
small Python call for each object and each fraction.
"""

from __future__ import annotations

import json
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
    number = float(digits)
    if isinf(number):
        raise Unsound
    return number


_STRICT = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_fraction)
_LAX = json.JSONDecoder()
_scan_strictly: Callable[[str, int], tuple[Any, int]] = _STRICT.scan_once  # type: ignore[attr-defined]  # the same
_scan_once: Callable[[str, int], tuple[Any, int]] = _LAX.scan_once  # type: ignore[attr-defined]  # set in __init__
_scanstring: Callable[[str, int, bool], tuple[str, int]] = json.decoder.scanstring  # type: ignore[attr-defined]


def load(text: str) -> Any:
    """Return the value of a text that is one JSON document, possibly with white space around it.

    Raises:
        json.JSONDecodeError: it is not JSON.
        Unsound: it is JSON with duplicate keys or numbers that are not finite.
        ValueError: it holds an integer with more digits than Python reads.
        RecursionError: it is nested too deeply for Python's parser.
    """
    return _STRICT.decode(text)


def load_bare(text: str) -> Any:
    """Return the same as `load` for a text without white space around it, in half the time."""
    try:
        found, end = _scan_strictly(text, 0)
    except StopIteration:
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


def load_lax(text: str) -> Any:
    """Return the same as `load`, but let the last of equal keys win, and accept NaN and Infinity as numbers."""
    return _LAX.decode(text)


def scan(text: str, start: int) -> tuple[Any, int]:
    """Return the lax value that starts at `start`, and the offset after it.

    Raises the same errors as `load`, and StopIteration.
    """
    return _scan_once(text, start)


def string_end(text: str, start: int) -> tuple[str, int]:
    """Return the string that starts, after its quote, at `start`, and the offset after its closing quote."""
    return _scanstring(text, start, True)
