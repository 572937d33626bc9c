"""Estimators against values by hand, and unbiased where the plug-in is not."""

import random
import re
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.errors import UsageError
from pytest_planguard.search.experiments.estimators import expected_attempts, expected_calls, pass_at_k


@pytest.mark.parametrize(
    ("samples", "good", "k", "value"),
    [
        (8, 2, 3, 0.6429),  # 1 - 20/56
        (10, 3, 1, 0.3),
        (10, 3, 5, 0.9167),  # 1 - 21/252
        (5, 0, 5, 0.0),
        (5, 5, 1, 1.0),
        (5, 1, 0, 0.0),
    ],
)
def test_pass_at_k_by_hand(samples: int, good: int, k: int, value: float) -> None:
    """To four digits."""
    assert round(pass_at_k(samples, good, k), 4) == value


@pytest.mark.parametrize(
    ("samples", "good", "budget", "value"),
    [
        (8, 2, 5, 2.8571),  # 1 + 6/8 + 15/28 + 20/56 + 15/70
        (4, 4, 3, 1.0),
        (4, 0, 3, 3.0),
        (4, 1, 1, 1.0),
        (4, 1, 0, 0.0),
    ],
)
def test_expected_calls_by_hand(samples: int, good: int, budget: int, value: float) -> None:
    """To four digits."""
    assert round(expected_calls(samples, good, budget), 4) == value


@given(st.data(), st.integers(1, 7))
def test_pass_at_k_is_the_share_of_subsets(data: st.DataObject, samples: int) -> None:
    """Counted out."""
    good, k = data.draw(st.integers(0, samples)), data.draw(st.integers(0, samples))
    subsets = list(combinations(range(samples), k))
    share = Fraction(sum(any(n < good for n in subset) for subset in subsets), len(subsets))
    assert pass_at_k(samples, good, k) == pytest.approx(float(share))


def test_unbiased_where_the_plug_in_is_not() -> None:
    """40,000 seeded draws of 8 samples with a rate of .3: true .6570 and 2.7731; the plug-in gives .603."""
    draw = random.Random(1)
    counts = [sum(draw.random() < 0.3 for _ in range(8)) for _ in range(40_000)]
    unbiased = sum(pass_at_k(8, good, 3) for good in counts) / len(counts)
    calls = sum(expected_calls(8, good, 5) for good in counts) / len(counts)
    plug_in = sum(1 - (1 - good / 8) ** 3 for good in counts) / len(counts)
    assert abs(unbiased - 0.6570) < 0.005
    assert abs(calls - 2.7731) < 0.02
    assert abs(plug_in - 0.6570) > 0.05


def test_expected_attempts() -> None:
    """1 / rate, and none for a rate of 0."""
    assert (expected_attempts(0.25), expected_attempts(0.0)) == (4.0, None)
    with pytest.raises(UsageError, match=r"^a rate must be from 0 to 1: got 1\.5; divide the good by all$"):
        expected_attempts(1.5)


@pytest.mark.parametrize(("samples", "good", "k"), [(3, 4, 1), (3, 1, 4), (3, -1, 1)])
def test_counts_that_do_not_fit(samples: int, good: int, k: int) -> None:
    """The message has all three."""
    message = f"got good={good}, samples={samples}, k={k}; record more samples"
    with pytest.raises(UsageError, match=re.escape(message)):
        pass_at_k(samples, good, k)
