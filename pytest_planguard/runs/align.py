"""Which items of two lists belong together: by a key, else by equal content and then by order."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from .identical import fingerprint, identical

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Pair = tuple[int, int]
"""Index before and index after, both from 0."""


class Alignment(NamedTuple):
    """How two lists relate. `pairs`, `removed` and `added` cover every item once. A plain tuple, as there are many."""

    pairs: tuple[Pair, ...] = ()
    """Items that belong together, in the order after."""
    moved: frozenset[Pair] = frozenset()
    """The pairs that stand elsewhere; all others keep their order."""
    removed: tuple[int, ...] = ()
    """Indices before."""
    added: tuple[int, ...] = ()
    """Indices after."""
    same: frozenset[Pair] = frozenset()
    """Pairs known to be identical already."""


def align_keyed(before: Sequence[str | int], after: Sequence[str | int]) -> Alignment:
    """Align items by their keys, given item by item; no two items of a list share one."""
    if before == after:
        return Alignment(tuple(enumerate(range(len(before)))))
    at = {label: index for index, label in enumerate(before)}
    labelled = {(at[label], index): fingerprint(label) for index, label in enumerate(after) if label in at}
    return _alignment(len(before), len(after), labelled, frozenset(labelled) - _stays(labelled))


def align_listed(before: Sequence[Any], after: Sequence[Any]) -> Alignment:
    """Align items without a key: equal ones first, then, between those that keep their order, one by one in order."""
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


def _ends(before: Sequence[Any], after: Sequence[Any]) -> tuple[int, int]:
    """How many items are the same at the start and, of the rest, at the end."""
    shorter = min(len(before), len(after))
    start = 0
    while start < shorter and identical(before[start], after[start]):
        start += 1
    end = 0
    while end < shorter - start and identical(before[-1 - end], after[-1 - end]):
        end += 1
    return start, end


def _equal(before: Sequence[Any], after: Sequence[Any], start: int, end: int) -> dict[Pair, str]:
    """Pairs of equal items in the middle; of equal ones the first belongs to the first, the second to the second."""
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
    """Pairs of the items left over in each gap between pairs that stay, in order."""
    old, new = {i for i, _ in taken}, {j for _, j in taken}
    pairs: list[Pair] = []
    left, right = 0, 0
    for i, j in [*stays, (before, after)]:
        rest = [k for k in range(left, i) if k not in old]
        pairs += zip(rest, (k for k in range(right, j) if k not in new), strict=False)
        left, right = i + 1, j + 1
    return pairs


def _stays(labelled: dict[Pair, str]) -> frozenset[Pair]:
    """A longest set of pairs in the same order on both sides.

    Of several, the one found from the side whose labels sort first: so both directions of a diff agree.
    """
    by_old = sorted(labelled)
    by_new = sorted(labelled, key=lambda pair: pair[1])
    if by_old == by_new:
        return frozenset(by_old)
    if [labelled[p] for p in by_old] <= [labelled[p] for p in by_new]:
        return frozenset(_longest(by_old, 1))
    return frozenset(_longest(by_new, 0))


def _longest(pairs: Sequence[Pair], side: int) -> list[Pair]:
    """A longest subsequence whose indices on one side increase."""
    tails: list[int] = []  # per length - 1: position of the pair with the smallest last index
    values: list[int] = []
    previous: list[int] = []
    for position, pair in enumerate(pairs):
        length = bisect_left(values, pair[side])
        previous.append(tails[length - 1] if length else -1)
        # A slice of one item: it replaces the item that stands there, or appends where none does.
        tails[length : length + 1] = [position]
        values[length : length + 1] = [pair[side]]
    found = []
    at = tails[-1] if tails else -1
    while at >= 0:
        found.append(pairs[at])
        at = previous[at]
    return found
