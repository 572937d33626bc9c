"""The places of a JSON text's values, by offset. Used only after a failure. Python's C scanner skips other values."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from .json_load import scan, string_end

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..path import Path


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
            # No number of places is -1: with equal keys, the last one may come at the end.
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
