"""Which items of two lists belong together."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.contract.comparison.alignment import MOST_PAIRS, align, assignment

SIDE = st.integers(0, 5)


@st.composite
def similarities(draw: st.DrawFn) -> list[list[float]]:
    """Rows of similarities in quarters: ties are frequent, and sums are exact."""
    rows, columns = draw(SIDE), draw(SIDE)
    return [[draw(st.integers(0, 4)) / 4 for _ in range(columns)] for _ in range(rows)]


def best_by_trying(table: list[list[float]]) -> float:
    """The largest total of all ways to pair rows with columns."""
    rows, columns = len(table), len(table[0]) if table else 0
    if rows > columns:
        return best_by_trying([[table[row][column] for row in range(rows)] for column in range(columns)])
    return max(
        (sum(table[row][column] for row, column in enumerate(way)) for way in permutations(range(columns), rows)),
        default=0.0,
    )


@given(similarities())
def test_no_other_alignment_is_better(table: list[list[float]]) -> None:
    """The total equals that of the best way among all; no item has two partners."""
    columns = len(table[0]) if table else 0
    pairs = align(range(len(table)), range(columns), lambda i, j: table[i][j])
    assert sum(table[i][j] for i, j in pairs) == best_by_trying(table)
    assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)
    assert all(table[i][j] > 0 for i, j in pairs)


@given(st.integers(1, 5).flatmap(lambda n: st.lists(st.lists(st.integers(0, 9), min_size=n, max_size=n), max_size=n)))
def test_an_assignment_costs_the_least(costs: list[list[int]]) -> None:
    """Each row has a column of its own, and no other choice is cheaper."""
    chosen = assignment(costs)
    assert len(set(chosen)) == len(costs)
    columns = len(costs[0]) if costs else 0
    ways = permutations(range(columns), len(costs))
    assert sum(costs[row][column] for row, column in enumerate(chosen)) == min(
        (sum(costs[row][column] for row, column in enumerate(way)) for way in ways), default=0
    )


def test_a_key_says_which_items_may_be_paired() -> None:
    """Equal values of the key make a pair, even if another item is more similar; without a partner there is none."""
    expected = [{"sku": "a", "n": 1}, {"sku": "b", "n": 2}, {"sku": "c", "n": 3}]
    actual = [{"sku": "b", "n": 1}, {"sku": "a", "n": 2}, {"n": 3}]
    assert align(expected, actual, lambda _i, _j: 0.5, ("sku",)) == [(0, 1), (1, 0)]


def test_items_with_the_same_key_are_paired_as_they_fit_best() -> None:
    """Two lines of one article."""
    expected = [{"sku": "a", "n": 1}, {"sku": "a", "n": 2}]
    actual = [{"sku": "a", "n": 2}, {"sku": "a", "n": 1}]
    assert align(expected, actual, lambda i, j: 0.5 + 0.5 * (expected[i] == actual[j]), ("sku",)) == [(0, 1), (1, 0)]


def test_long_lists_pair_equal_items_first() -> None:
    """Beyond the bound equal items still find each other, and the rest is paired in order."""
    number = int(MOST_PAIRS**0.5) + 50
    expected = [f"item {index}" for index in range(number)]
    actual = [*reversed(expected[: number - 1]), "another"]
    pairs = dict(align(expected, actual, lambda i, j: float(expected[i] == actual[j])))
    assert pairs == {index: number - 2 - index for index in range(number - 1)}


def test_long_lists_leave_each_item_for_one_partner() -> None:
    """What no equal item was found for is paired too, if it is similar: the last one with the first."""
    number = int(MOST_PAIRS**0.5) + 50
    expected = [f"item {index}" for index in range(number)]
    pairs = dict(align(expected, ["another", *expected[:-1]], lambda _i, _j: 0.5))
    assert pairs == {**{index: index + 1 for index in range(number - 1)}, number - 1: 0}
