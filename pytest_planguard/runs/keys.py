"""By which key the items of two lists are told apart: named by the user, else found, else none is stable."""

from __future__ import annotations

import re
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

ID_LIKE = re.compile(r"(?i:id|key|uuid|guid|slug)|\w*(?:_id|_key|_uuid|Id|ID|Uuid)", re.ASCII)
NAME_LIKE = ("name", "title")
"""Tried after keys that look like ids."""
LONGEST_KEY = 60
"""Characters of a key that may be called an id."""
STABLE_SHARE = 0.5
"""Share of the shorter list's keys that both lists must have: below it a pairing by that key says nothing."""
UNSTABLE_FROM = 4
"""Items that both lists must have before their keys are called unstable; fewer may well be other items."""

_OBJECT = frozenset((dict,))
_LABELS = frozenset((str, int))
"""Types of values that may tell items apart."""


class KeyChoice(NamedTuple):
    """What was found out about the items of two lists. A plain tuple: there is one for every pair of lists."""

    key: str | None = None
    """The key to align by; None to align by content and order."""
    unstable: str | None = None
    """A key that tells items apart in each list but is not shared between them; None where there is none."""
    shared: int = 0
    """How many values of the key (or of the unstable one) both lists have."""
    labels: tuple[list[Any], list[Any]] = ([], [])
    """The values of the key in both lists, item by item."""


NO_KEY = KeyChoice()


def choose_key(before: Sequence[Any], after: Sequence[Any], named: Sequence[str] = ()) -> KeyChoice:
    """The key by which two lists are aligned.

    Args:
        before: one list.
        after: the other list.
        named: keys that the user named; the first that tells the items apart is taken, however few are shared.
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
    for key in _candidates(before[0], after[0]):
        old, new = _labels(before, key), _labels(after, key)
        if old is None or new is None:
            continue
        shared = _shared(old, new)
        if shared and shared >= STABLE_SHARE * shorter:
            return KeyChoice(key, shared=shared, labels=(old, new))
        if shorter >= UNSTABLE_FROM and unstable is None:
            unstable = KeyChoice(unstable=key, shared=shared)
    return unstable or NO_KEY


def _candidates(one: dict[str, Any], other: dict[str, Any]) -> tuple[str, ...]:
    """Keys of both that may tell items apart, the likeliest first, in an order that does not depend on the side."""
    return _likely(frozenset(one).intersection(other))


@lru_cache(maxsize=1_024)
def _likely(keys: frozenset[str]) -> tuple[str, ...]:
    ids = [key for key in keys if len(key) <= LONGEST_KEY and ID_LIKE.fullmatch(key)]
    return (*sorted(ids, key=lambda key: (len(key), key)), *(name for name in NAME_LIKE if name in keys))


def _objects(items: Sequence[Any]) -> bool:
    return _OBJECT.issuperset(map(type, items))


def _shared(before: list[Any], after: list[Any]) -> int:
    return len(before) if before == after else len(set(before).intersection(after))


def _labels(items: Sequence[dict[str, Any]], key: str) -> list[Any] | None:
    """The values of a key; None where an item lacks it, it is no text or whole number, or two items share one."""
    try:
        found = [*map(itemgetter(key), items)]
    except KeyError:
        return None
    if not _LABELS.issuperset(map(type, found)) or len(set(found)) != len(found):
        return None
    return found
