"""Where the parts of a JSON text stand, by offset. Used only after a failure.

Values that are not asked for are skipped with the C scanner of the standard library.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ..limits import MAX_DEPTH
from .json_load import scan, string_end

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..path import Path


# Before Python 3.11.5 a possessive group keeps what it took and failed on: here at most a backslash that ends the text.
_STRUCTURE = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)


def region_end(text: str, start: int) -> tuple[int | None, int | None]:
    """Return the offset after the bracket that closes the one at `start`, and the offset of the first bracket too deep.

    Either is None where there is none; wrong closing brackets count as right ones. The scan stops at too deep.
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
    """Return whether a text that no parser took goes too deep before its first value ends.

    Where Python's own parser gives up, near 1,000 levels or past 50,000, depends on the version of Python.
    """
    return region_end(text, 0)[1] is not None


class _Asked:
    """The key under which a tree of steps keeps the path that ends here."""


_Tree = dict[Any, Any]
# The white space of JSON: a no-break space or a form feed is none.
_SPACE = re.compile(r"[ \t\n\r]*+")
# `"a": ` at the start of an object; a key with an escape in it is left to the scanner.
_KEY = re.compile(r'[ \t\n\r]*+"([^"\\]*+)"[ \t\n\r]*+:[ \t\n\r]*+')
# `, "b": ` behind a value, or the "}" that ends the object; its comma alone comes before a key with an escape.
_NEXT_KEY = re.compile(r'[ \t\n\r]*+(?:,[ \t\n\r]*+"([^"\\]*+)"[ \t\n\r]*+:[ \t\n\r]*+|([,}]))')
# "," or "]" behind an item.
_NEXT = re.compile(r"[ \t\n\r]*+([,\]])[ \t\n\r]*+")


class _Complete(Exception):
    """Everything that was asked for is found."""


def locate_many(text: str, paths: Iterable[Path], *, unique_keys: bool = True) -> dict[Path, tuple[int, int]]:
    """Start and end offsets of the values at `paths` in a sound JSON text; a path that leads nowhere is left out.

    Without `unique_keys` the last of equal keys counts, as it does for the parser. Linear in the text up to the last
    value that is asked for.
    """
    tree, count = _tree(paths)
    found: dict[Path, tuple[int, int]] = {}
    if tree:
        start = _SPACE.match(text).end()  # type: ignore[union-attr]  # matches the empty text
        with suppress(_Complete):
            _value(text, start, tree, _Search(found, count if unique_keys else -1))
    return found


class _Search:
    __slots__ = ("count", "found")

    def __init__(self, found: dict[Path, tuple[int, int]], count: int) -> None:
        self.found = found
        self.count = count


def _tree(paths: Iterable[Path]) -> tuple[_Tree, int]:
    """Return the paths as nested steps, and how many different ones there are."""
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
        end = (_object if char == "{" else _list)(text, start + 1, tree, search)
    else:
        end = scan(text, start)[1]
    if asked is not None:
        search.found[asked] = (start, end)
        if len(search.found) == search.count:
            raise _Complete
    return end


def _object(text: str, position: int, tree: _Tree, search: _Search) -> int:
    member = _KEY.match(text, position)
    while True:
        if member is not None and (key := member[1]) is not None:
            start = member.end()
        else:  # a key with an escape in it, or the end of an empty object
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


def _list(text: str, position: int, tree: _Tree, search: _Search) -> int:
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
