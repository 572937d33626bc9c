"""Strict JSON: Python's C parser, checks for three faults of real answers that it accepts, and the places of values.

Duplicate keys, NaN and Infinity, and numbers that overflow to infinity are detected while parsing, at the cost of one
small Python call for each object and each fraction.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from itertools import chain
from math import isinf
from typing import TYPE_CHECKING, Any, NamedTuple

from ..limits import MAX_DEPTH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..path import Path


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


def string_end(text: str, start: int) -> tuple[str, int]:
    """Return the string that starts, after its quote, at `start`, and the offset after its closing quote."""
    return _scanstring(text, start, True)


# The places of a JSON text's parts, by offset. Used only after a failure. Python's C scanner skips the other values.


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


class _Asked:
    """The key for the requested path that ends at this node of a tree of steps."""


_Tree = dict[Any, Any]
# JSON's white space, without no-break spaces and form feeds.
_SPACE = re.compile(r"[ \t\n\r]*+")
# `"a": ` at the start of an object; the scanner reads a key with an escape.
_KEY = re.compile(r'[ \t\n\r]*+"([^"\\]*+)"[ \t\n\r]*+:[ \t\n\r]*+')
# `, "b": ` after a value, or the "}" that ends the object; before a key with an escape only the comma matches.
_NEXT_KEY = re.compile(r'[ \t\n\r]*+(?:,[ \t\n\r]*+"([^"\\]*+)"[ \t\n\r]*+:[ \t\n\r]*+|([,}]))')
# "," or "]" after an item.
_NEXT = re.compile(r"[ \t\n\r]*+([,\]])[ \t\n\r]*+")


class _Complete(Exception):
    """Raised when all requested places are found."""


def locate_many(text: str, paths: Iterable[Path], *, unique_keys: bool = True) -> dict[Path, tuple[int, int]]:
    """Return start and end offsets of the values at `paths` in a sound JSON text; paths that lead nowhere are left out.

    Without `unique_keys` the last of equal keys counts, as in the parser. Takes linear time up to the last requested
    value.
    """
    tree, count = _tree(paths)
    found: dict[Path, tuple[int, int]] = {}
    if tree:
        start = _SPACE.match(text).end()  # type: ignore[union-attr]  # matches the empty text
        with suppress(_Complete):
            _value(text, start, tree, _Search(found, count if unique_keys else -1))
    return found


class _Search(NamedTuple):
    found: dict[Path, tuple[int, int]]
    count: int  # type: ignore[assignment]  # hides `tuple.count`, which no caller needs


def _tree(paths: Iterable[Path]) -> tuple[_Tree, int]:
    """Return the paths as nested steps, and the number of distinct paths."""
    tree: _Tree = {}
    different = set(paths)
    for path in different:
        branch = tree
        for part in path:
            branch = branch.setdefault(part, {})
        branch[_Asked] = path
    return tree, len(different)


def _value(text: str, start: int, tree: _Tree, search: _Search) -> int:
    """Return the offset after the value at `start`. The recursion goes no deeper than the longest path."""
    char = text[start]
    asked = tree.get(_Asked)
    if char in "{[" and len(tree) > (asked is not None):
        end = (_in_object if char == "{" else _in_list)(text, start + 1, tree, search)
    else:
        end = scan(text, start)[1]
    if asked is not None:
        search.found[asked] = (start, end)
        if len(search.found) == search.count:
            raise _Complete
    return end


def _in_object(text: str, position: int, tree: _Tree, search: _Search) -> int:
    member = _KEY.match(text, position)
    while True:
        if member is not None and (key := member[1]) is not None:
            start = member.end()
        else:  # a key with an escape, or the end of an empty object
            start = _SPACE.match(text, position).end()  # type: ignore[union-attr]
            if text[start] == "}":
                return start + 1
            key, start = _escaped_key(text, start)
        below = tree.get(key)
        end = scan(text, start)[1] if below is None else _value(text, start, below, search)
        member = _NEXT_KEY.match(text, end)
        assert member is not None
        position = member.end()
        if member[2] == "}":
            return position


def _escaped_key(text: str, start: int) -> tuple[str, int]:
    key, end = string_end(text, start + 1)
    colon = text.index(":", end) + 1
    return key, _SPACE.match(text, colon).end()  # type: ignore[union-attr]


def _in_list(text: str, position: int, tree: _Tree, search: _Search) -> int:
    position = _SPACE.match(text, position).end()  # type: ignore[union-attr]
    if text[position] == "]":
        return position + 1
    index = 0
    while True:
        below = tree.get(index)
        end = scan(text, position)[1] if below is None else _value(text, position, below, search)
        after = _NEXT.match(text, end)
        assert after is not None
        if after.group(1) != ",":
            return after.end(1)
        position = after.end()
        index += 1
