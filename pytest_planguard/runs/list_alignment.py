"""Decide if two JSON values are the same, and match the items of two lists."""

from __future__ import annotations

import json
import marshal
import re
from bisect import bisect_left
from collections import Counter
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


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
        from ..document.path_pattern import walk

        return repr([(path, _leaf(inner)) for path, inner in walk(value)])


def _leaf(value: object) -> object:
    return type(value).__name__ if isinstance(value, dict | list) else value


Pair = tuple[int, int]
"""Index before and index after, both 0-based."""


class Alignment(NamedTuple):
    """The alignment of two lists. `pairs`, `removed` and `added` cover every item once.

    A plain tuple, as there are many.
    """

    pairs: tuple[Pair, ...] = ()
    """Matching items, in the new order."""
    moved: frozenset[Pair] = frozenset()
    """The pairs that moved. All others keep their order."""
    removed: tuple[int, ...] = ()
    """Indices before."""
    added: tuple[int, ...] = ()
    """Indices after."""
    same: frozenset[Pair] = frozenset()
    """Pairs already known to be identical."""


def align_keyed(before: Sequence[str | int], after: Sequence[str | int]) -> Alignment:
    """Align items by their keys, given item by item. Keys are unique within a list."""
    if before == after:
        return Alignment(tuple(enumerate(range(len(before)))))
    at = {label: index for index, label in enumerate(before)}
    labelled = {(at[label], index): fingerprint(label) for index, label in enumerate(after) if label in at}
    return _alignment(len(before), len(after), labelled, frozenset(labelled) - _stays(labelled))


def align_listed(before: Sequence[object], after: Sequence[object]) -> Alignment:
    """Align items without a key: equal ones first, then the ones between those that keep their order, one by one."""
    start, end = _ends(before, after)
    ends = {(i, i) for i in range(start)}
    ends |= {(len(before) - i, len(after) - i) for i in range(1, end + 1)}
    labelled = _equal(before, after, start, end)
    stays = _stays(labelled)
    same = frozenset(ends | set(labelled))
    ordered = _between(len(before), len(after), sorted(ends | stays), labelled)
    return _alignment(len(before), len(after), [*same, *ordered], frozenset(labelled) - stays, same)


def _alignment(
    before: int, after: int, pairs: Iterable[Pair], moved: frozenset[Pair], same: frozenset[Pair] = frozenset()
) -> Alignment:
    found = tuple(sorted(pairs, key=lambda pair: pair[1]))
    old, new = {i for i, _ in found}, {j for _, j in found}
    removed = tuple(i for i in range(before) if i not in old)
    return Alignment(found, moved, removed, tuple(j for j in range(after) if j not in new), same)


def _ends(before: Sequence[object], after: Sequence[object]) -> tuple[int, int]:
    """Return how many items are equal at the start, and how many of the others are equal at the end."""
    shorter = min(len(before), len(after))
    start = 0
    while start < shorter and identical(before[start], after[start]):
        start += 1
    end = 0
    while end < shorter - start and identical(before[-1 - end], after[-1 - end]):
        end += 1
    return start, end


def _equal(before: Sequence[object], after: Sequence[object], start: int, end: int) -> dict[Pair, str]:
    """Return pairs of equal items in the middle. Repeated items are paired first to first, second to second."""
    places: dict[str, int] = {}
    seen: Counter[str] = Counter()
    for index in range(start, len(before) - end):
        text = fingerprint(before[index])
        seen[text] += 1
        places[f"{seen[text]} {text}"] = index
    found: dict[Pair, str] = {}
    seen.clear()
    for index in range(start, len(after) - end):
        text = fingerprint(after[index])
        seen[text] += 1
        label = f"{seen[text]} {text}"
        if label in places:
            found[places[label], index] = label
    return found


def _between(before: int, after: int, stays: list[Pair], taken: Iterable[Pair]) -> list[Pair]:
    """Return pairs of the items left over in each gap between pairs that stay, in order."""
    old, new = {i for i, _ in taken}, {j for _, j in taken}
    pairs: list[Pair] = []
    left, right = 0, 0
    for i, j in [*stays, (before, after)]:
        rest = [k for k in range(left, i) if k not in old]
        pairs += zip(rest, (k for k in range(right, j) if k not in new), strict=False)
        left, right = i + 1, j + 1
    return pairs


def _stays(labelled: dict[Pair, str]) -> frozenset[Pair]:
    """Return a longest set of pairs with the same order on both sides.

    If there are several, the side whose labels sort first decides, so that both directions of a diff agree.
    """
    by_old = sorted(labelled)
    by_new = sorted(labelled, key=lambda pair: pair[1])
    if by_old == by_new:
        return frozenset(by_old)
    if [labelled[p] for p in by_old] <= [labelled[p] for p in by_new]:
        return frozenset(_longest(by_old, 1))
    return frozenset(_longest(by_new, 0))


def _longest(pairs: Sequence[Pair], side: int) -> list[Pair]:
    """Return a longest subsequence whose indices on one side increase."""
    tails: list[int] = []  # per length - 1: position of the pair with the smallest last index
    values: list[int] = []
    previous: list[int] = []
    for position, pair in enumerate(pairs):
        length = bisect_left(values, pair[side])
        previous.append(tails[length - 1] if length else -1)
        # A slice of one item: it replaces the item at that index, or appends if there is none.
        tails[length : length + 1] = [position]
        values[length : length + 1] = [pair[side]]
    found = []
    at = tails[-1] if tails else -1
    while at >= 0:
        found.append(pairs[at])
        at = previous[at]
    return found


# The key that matches the items of two lists: named by the user, else detected, else none.

# "id", "task_id", "taskId", "uuid"; not "paid" or "width", which end in the same letters.
ID_LIKE = re.compile(r"(?i:id|key|uuid|guid|slug)|\w*(?:_id|_key|_uuid|Id|ID|Uuid)", re.ASCII)
NAME_LIKE = ("name", "title")
"""Fields that identify an item without an id, in this order. They come after keys that look like ids."""
LONGEST_KEY = 60
"""Maximum number of characters of a key that may count as an id."""
STABLE_SHARE = 0.5
"""Share of the shorter list's keys that both lists must have. Below it, a pairing by that key proves nothing.

For example, lists of 6 and 8 items must share 3 keys. With fewer, the ids are made up for each answer.
"""
UNSTABLE_FROM = 4
"""Number of items that both lists must have before their keys count as unstable. Fewer may be different items."""

_OBJECT = frozenset((dict,))
_LABELS = frozenset((str, int))
"""Types of values that may identify items."""


class KeyChoice(NamedTuple):
    """The result of looking for a key in two lists. A plain tuple, as there is one for every pair of lists."""

    key: str | None = None
    """The key to align by; None to align by content and order."""
    unstable: str | None = None
    """A key that is unique in each list but not shared between them, or None."""
    shared: int = 0
    """Number of shared values of the key (or of the unstable one)."""
    labels: tuple[list[Any], list[Any]] = ([], [])
    """The values of the key in both lists, item by item."""


NO_KEY = KeyChoice()


def choose_key(before: Sequence[Any], after: Sequence[Any], named: Sequence[str]) -> KeyChoice:
    """Return the key by which to align two lists.

    Args:
        before: one list.
        after: the other list.
        named: keys that the user named. The first unique one is used, even if few values are shared.
    """
    if not (before and after and _objects(before) and _objects(after)):
        return NO_KEY
    for key in named:
        old, new = _labels(before, key), _labels(after, key)
        if old is not None and new is not None:
            return KeyChoice(key, shared=_shared(old, new), labels=(old, new))
    return _found(before, after)


def _found(before: Sequence[dict[str, Any]], after: Sequence[dict[str, Any]]) -> KeyChoice:
    unstable: KeyChoice | None = None
    shorter = min(len(before), len(after))
    for key in _likely(frozenset(before[0]).intersection(after[0])):
        old, new = _labels(before, key), _labels(after, key)
        if old is None or new is None:
            continue
        shared = _shared(old, new)
        if shared >= STABLE_SHARE * shorter:
            return KeyChoice(key, shared=shared, labels=(old, new))
        if shorter >= UNSTABLE_FROM and unstable is None:
            unstable = KeyChoice(unstable=key, shared=shared)
    return unstable or NO_KEY


@lru_cache(maxsize=1_024)
def _likely(keys: frozenset[str]) -> tuple[str, ...]:
    """Return the keys that may identify items, the likeliest first. The order doesn't depend on the side."""
    ids = [key for key in keys if len(key) <= LONGEST_KEY and ID_LIKE.fullmatch(key)]
    # The shortest first: "id" names the item, and "parent_id" beside it another one.
    return (*sorted(ids, key=lambda key: (len(key), key)), *(name for name in NAME_LIKE if name in keys))


def _objects(items: Sequence[object]) -> bool:
    return _OBJECT.issuperset(map(type, items))


def _shared(before: list[Any], after: list[Any]) -> int:
    return len(before) if before == after else len(set(before).intersection(after))


def _labels(items: Sequence[dict[str, Any]], key: str) -> list[object] | None:
    """Return the values of a key; None if one is missing, repeated, or neither text nor a whole number."""
    try:
        found = [*map(itemgetter(key), items)]
    except KeyError:
        return None
    # By exact type: true is an int in Python, and 1, 1.0 and true are one element of a set.
    if not _LABELS.issuperset(map(type, found)) or len(set(found)) != len(found):
        return None
    return found
