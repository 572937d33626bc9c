"""Statistics that layers share, against values by hand."""

from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.statistics import exact_paired, wilson

COUNTS = st.integers(0, 3_000)


def test_by_hand() -> None:
    """2 · 0.5^9 = .0039, and Wilson's interval of 3 of 4."""
    assert round(exact_paired(0, 9), 4) == 0.0039
    assert exact_paired(5, 5) == 1.0
    assert [round(bound, 4) for bound in wilson(3, 4)] == [0.3006, 0.9544]
    assert wilson(0, 0) == (0.0, 1.0)


@given(COUNTS, COUNTS)
def test_p_values(one: int, other: int) -> None:
    """From 0 to 1, and equal from both sides."""
    assert 0 <= exact_paired(one, other) == exact_paired(other, one) <= 1


@given(COUNTS, COUNTS)
def test_intervals(hits: int, misses: int) -> None:
    """Around the share, within 0 and 1, mirrored for the misses."""
    total = hits + misses
    low, high = wilson(hits, total)
    assert 0 <= low <= high <= 1
    assert total == 0 or low - 1e-9 <= hits / total <= high + 1e-9
    assert abs(1 - high - wilson(misses, total)[0]) < 1e-9
