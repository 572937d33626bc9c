"""Statistics against numbers that can be computed by hand or are printed in textbooks."""

from itertools import combinations
from math import ceil, floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.statistics import Evidence, Paired, Rate, exact_paired, pass_all, pass_at, wilson

COUNTS = st.integers(0, 60)
MANY = st.integers(0, 3_000)


@pytest.mark.parametrize(
    ("one", "other", "p"),
    [
        (0, 0, 1.0),
        (1, 0, 1.0),  # 2 * 1/2
        (5, 0, 0.0625),  # 2 * 1/32
        (6, 0, 0.03125),  # 2 * 1/64
        (12, 0, 2 / 4096),
        (13, 1, 2 * (1 + 14) / 16384),
        (3, 3, 1.0),
        (17, 2, 2 * (1 + 19 + 171) / 2**19),
        (9, 3, 2 * (1 + 12 + 66 + 220) / 4096),
    ],
)
def test_the_exact_test_equals_the_sum_by_hand(one: int, other: int, p: float) -> None:
    """The p value is twice the binomial tail with a fair coin, at most 1."""
    assert exact_paired(one, other) == pytest.approx(p, rel=1e-12)


def test_many_pairs_are_as_exact_and_quick() -> None:
    """Beyond a thousand pairs logarithms give the p value of the normal limit, here 3 standard deviations."""
    assert exact_paired(5_150, 4_850) == pytest.approx(0.0028, abs=1e-4)  # continuity-corrected normal: 0.00279
    assert exact_paired(1_000, 1) == pytest.approx(2 * (1 + 1_001) / 2**1_001, rel=1e-6)


@given(st.lists(st.booleans(), min_size=1, max_size=7), st.data())
def test_chances_of_several_tries_are_shares_of_all_choices(samples: list[bool], data: st.DataObject) -> None:
    """Of k samples chosen in every way, so many have a good one, and so many are all good."""
    k = data.draw(st.integers(1, len(samples)))
    choices = list(combinations(samples, k))
    found = [pass_at(k, sum(samples), len(samples)), pass_all(k, sum(samples), len(samples))]
    assert found == pytest.approx([sum(map(one, choices)) / len(choices) for one in (any, all)])


@given(COUNTS, COUNTS, COUNTS)
def test_so_many_more_pairs_would_decide(better: int, worse: int, equal: int) -> None:
    """With the same shares the exact test then finds evidence, and with three quarters of all these pairs it does not.

    Whole pairs are rounded in favour of the claim each time.
    """
    paired = Paired(better, worse, better + worse + equal)
    if paired.more_pairs is None:
        assert better == worse or paired.p <= 0.05
        return
    more, fewer = sorted((better, worse), reverse=True)
    factor = (paired.pairs + paired.more_pairs) / paired.pairs
    assert exact_paired(ceil(more * factor), floor(fewer * factor)) <= 0.05
    part = max(1.0, 0.75 * factor)
    assert exact_paired(floor(more * part), ceil(fewer * part)) > 0.05
    assert Paired(worse, better, paired.pairs).more_pairs == paired.more_pairs


@given(COUNTS, COUNTS)
def test_the_test_does_not_depend_on_the_side(one: int, other: int) -> None:
    """Swapping the runs keeps p, and turns better into worse."""
    there, back = Paired(one, other, one + other), Paired(one, other, one + other).mirrored()
    assert there.p == back.p
    swapped = {Evidence.BETTER: Evidence.WORSE, Evidence.WORSE: Evidence.BETTER, Evidence.NONE: Evidence.NONE}
    assert back.evidence is swapped[there.evidence]


def test_two_regressions_among_twenty_are_no_evidence_and_twelve_to_none_are() -> None:
    """Few discordant pairs show nothing, many in one direction do."""
    assert Paired(1, 2, 20).evidence is Evidence.NONE
    assert Paired(0, 12, 48).evidence is Evidence.WORSE
    assert Paired(13, 1, 48).evidence is Evidence.BETTER


@pytest.mark.parametrize(
    ("hits", "total", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (5, 10, 0.2366, 0.7634),
        (81, 263, 0.2553, 0.3662),  # Newcombe 1998, method 3
        (15, 148, 0.0624, 0.1605),  # the same
        (1, 29, 0.0061, 0.1718),  # the same
    ],
)
def test_wilsons_interval_equals_the_literature(hits: int, total: int, low: float, high: float) -> None:
    """Bounds agree with Newcombe's published table to four digits."""
    assert wilson(hits, total) == pytest.approx((low, high), abs=5e-5)


def test_a_rate_of_nothing_is_unknown() -> None:
    """No cases: no share, and an interval that says nothing."""
    assert (Rate(0, 0).share, Rate(0, 0).interval) == (None, (0.0, 1.0))


@given(MANY, MANY)
def test_p_values(one: int, other: int) -> None:
    """From 0 to 1, and equal from both sides."""
    assert 0 <= exact_paired(one, other) == exact_paired(other, one) <= 1


@given(MANY, MANY)
def test_intervals(hits: int, misses: int) -> None:
    """Around the share, within 0 and 1, mirrored for the misses."""
    total = hits + misses
    low, high = wilson(hits, total)
    assert 0 <= low <= high <= 1
    assert total == 0 or low - 1e-9 <= hits / total <= high + 1e-9
    assert abs(1 - high - wilson(misses, total)[0]) < 1e-9
