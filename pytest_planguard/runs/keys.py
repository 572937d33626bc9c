"""By which key the items of two lists are told apart: named by the user, else found, else none is stable."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .identical import fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ID_LIKE = re.compile(r"(?i:id|key|uuid|guid|slug)|\w*(?:_id|_key|_uuid|Id|ID|Uuid)", re.ASCII)
NAME_LIKE = ("name", "title")
"""Tried after keys that look like ids."""
STABLE_SHARE = 0.5
"""Share of the shorter list's keys that both lists must have: below it a pairing by that key says nothing."""
UNSTABLE_FROM = 4
"""Items that both lists must have before their keys are called unstable; fewer may well be other items."""


@dataclass(frozen=True, slots=True)
class KeyChoice:
    """What was found out about the items of two lists."""

    key: str | None = None
    """The key to align by; None to align by content and order."""
    unstable: str | None = None
    """A key that tells items apart in each list but is not shared between them; None where there is none."""
    shared: int = 0
    """How many values of the key (or of the unstable one) both lists have."""


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
            return KeyChoice(key, shared=len(old & new))
    return _found(before, after)


def _found(before: Sequence[dict[str, Any]], after: Sequence[dict[str, Any]]) -> KeyChoice:
    unstable: KeyChoice | None = None
    shorter = min(len(before), len(after))
    for key in _candidates(before[0], after[0]):
        old, new = _labels(before, key), _labels(after, key)
        if old is None or new is None:
            continue
        shared = len(old & new)
        if shared and shared >= STABLE_SHARE * shorter:
            return KeyChoice(key, shared=shared)
        if shorter >= UNSTABLE_FROM and unstable is None:
            unstable = KeyChoice(unstable=key, shared=shared)
    return unstable or NO_KEY


def _candidates(one: dict[str, Any], other: dict[str, Any]) -> Iterator[str]:
    """Keys of both that may tell items apart, the likeliest first, in an order that does not depend on the side."""
    both = sorted(one.keys() & other.keys())
    yield from sorted((key for key in both if ID_LIKE.fullmatch(key)), key=lambda key: (len(key), key))
    yield from (name for name in NAME_LIKE if name in both)


def _objects(items: Sequence[Any]) -> bool:
    return all(isinstance(item, dict) for item in items)


def _labels(items: Sequence[dict[str, Any]], key: str) -> set[str] | None:
    """The values of a key as text; None where an item lacks it, it is no text or number, or two items share one."""
    found = set()
    for item in items:
        value = item.get(key)
        if isinstance(value, bool) or not isinstance(value, str | int):
            return None
        found.add(fingerprint(value))
    return found if len(found) == len(items) else None
