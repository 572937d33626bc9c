"""Pair the items of two lists: by keys, by the best total similarity, or in order."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Sequence

Pair = tuple[int, int]
"""The 0-based indices of an expected and an actual item that belong together."""
Similarity = Callable[[int, int], float]
"""Takes the indices of an expected and an actual item, and returns their similarity, from 0 to 1."""

MOST_PAIRS = 40_000
"""The maximum number of pairs (200 by 200 items) for an optimal alignment, which takes a few seconds at this size; the
time is cubic. Longer lists pair equal items first. If too many items are left, they are paired in order."""


def align(
    expected: Sequence[object], actual: Sequence[object], similarity: Similarity, key: Sequence[str] = ()
) -> list[Pair]:
    """Return the pairs with the largest total similarity, ordered by expected item, without pairs of similarity 0.

    Args:
        expected: the expected items.
        actual: the actual items.
        similarity: how well two of them fit.
        key: fields whose values must be equal for two items to be paired. Items without one are paired with each other.
    """
    pairs: list[Pair] = []
    for these, those in _groups(expected, actual, key):
        if len(these) * len(those) > MOST_PAIRS:
            equal, these, those = _equal_items(expected, actual, these, those)
            pairs += equal
        if len(these) * len(those) > MOST_PAIRS:
            pairs += zip(these, those, strict=False)
        else:
            pairs += _best(these, those, similarity)
    return sorted(pair for pair in pairs if similarity(*pair) > 0)


def _groups(
    expected: Sequence[object], actual: Sequence[object], key: Sequence[str]
) -> list[tuple[list[int], list[int]]]:
    """Return the indices of both lists grouped by the values of their keys; one group if there is no key."""
    if not key:
        return [(list(range(len(expected))), list(range(len(actual))))]
    found: dict[str, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for side, items in enumerate((expected, actual)):
        for index, item in enumerate(items):
            found[key_of(item, key)][side].append(index)
    return list(found.values())


def key_of(item: object, key: Sequence[str]) -> str:
    """Return the values of an item's keys as text; "" if one is missing."""
    if not isinstance(item, dict) or not all(name in item for name in key):
        return ""
    return _as_text([item[name] for name in key])


def _as_text(value: object) -> str:
    return json.dumps(value, sort_keys=True, default=repr)


def _equal_items(
    expected: Sequence[object], actual: Sequence[object], these: list[int], those: list[int]
) -> tuple[list[Pair], list[int], list[int]]:
    """Return pairs of equal items, and the remaining indices of both lists."""
    waiting: dict[str, list[int]] = defaultdict(list)
    # Reversed, so that `pop` gives the first of several equal items.
    for index in reversed(those):
        waiting[_as_text(actual[index])].append(index)
    pairs = [(index, same.pop()) for index in these if (same := waiting[_as_text(expected[index])])]
    first, second = ({pair[side] for pair in pairs} for side in (0, 1))
    return pairs, [i for i in these if i not in first], [i for i in those if i not in second]


def _best(these: Sequence[int], those: Sequence[int], similarity: Similarity) -> list[Pair]:
    """Return the pairs with the largest total similarity. Ties keep the order of the lists if possible."""
    if len(these) > len(those):
        return [(i, j) for j, i in _best(those, these, lambda j, i: similarity(i, j))]
    costs = [[1.0 - similarity(i, j) for j in those] for i in these]
    return [(these[row], those[column]) for row, column in enumerate(assignment(costs))]


def assignment(costs: Sequence[Sequence[float]]) -> list[int]:
    """Return a distinct column for each row, so that the sum of the costs is minimal.

    This is the Hungarian method with potentials (Kuhn 1955, Munkres 1957), with one shortest path for each row. It
    takes O(rows² · columns) time, and needs at least as many columns as rows.
    """
    columns = len(costs[0]) if costs else 0
    row_of = [-1] * (columns + 1)  # the row of each column; each search starts at the last one
    row_potential, column_potential = [0.0] * len(costs), [0.0] * (columns + 1)
    for row in range(len(costs)):
        row_of[columns] = row
        _free_column(costs, columns, row_of, row_potential, column_potential)
    column_of = [0] * len(costs)
    for column in range(columns):
        if row_of[column] >= 0:
            column_of[row_of[column]] = column
    return column_of


def _free_column(
    costs: Sequence[Sequence[float]],
    columns: int,
    row_of: list[int],
    row_potential: list[float],
    column_potential: list[float],
) -> None:
    """Find the cheapest path from the starting row to a free column, and shift every row along it."""
    least = [float("inf")] * columns  # the cost of reaching each column
    before = [columns] * columns  # the previous column on that path
    done: set[int] = set()
    current = columns
    while row_of[current] >= 0:
        done.add(current)
        row = row_of[current]
        for column in range(columns):
            if column not in done:
                cost = costs[row][column] - row_potential[row] - column_potential[column]
                if cost < least[column]:
                    least[column], before[column] = cost, current
        following = min((c for c in range(columns) if c not in done), key=least.__getitem__)
        step = least[following]
        for column in done:
            row_potential[row_of[column]] += step
            column_potential[column] -= step
        for column in range(columns):
            if column not in done:
                least[column] -= step
        current = following
    while current != columns:
        row_of[current] = row_of[before[current]]
        current = before[current]
