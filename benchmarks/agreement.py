"""Whether two simulations are the same one: rates over independent instances, compared with chance taken into account.

The rates of one simulation belong together: every policy meets the same instances, and what is solved within 4 calls is
solved within 10. So the p values come from resampling whole instances, not from a table of the chi-square distribution.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from smoke import size

ROUNDS = size(2_000, 20)
"""Pairs of samples that are drawn: a p value of 0.05 is then known to 0.005."""
SEED = 7
_FIELD = 32
"""Bits of one count, so that all counts of a sample are the sum of one integer an instance."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """The rates of one sample against those of another one, drawn from other instances."""

    errors: tuple[float, ...]
    """Standard error of the difference of each rate, where both simulate the same thing."""
    scores: tuple[float, ...]
    """Each difference in its standard errors, the z score."""
    outside: int
    """Rates that differ by more than the tolerance."""
    expected_outside: float
    """Mean number of those between two samples of one simulation."""
    chi_square: float
    """Sum of the squared z scores."""
    p: float
    """Share of pairs of samples of one simulation whose chi-square is at least as large."""
    p_outside: float
    """Share of those pairs in which at least as many rates are outside."""


def agreement(
    solved: Sequence[Sequence[bool]], stated: Sequence[float], stated_size: int, tolerance: float
) -> Agreement:
    """Compare a sample with the stated rates of another one.

    Args:
        solved: for each instance, whether each of the rates counts it.
        stated: the other sample's rates.
        stated_size: its instances.
        tolerance: the difference of two rates above which one is outside.
    """
    size = len(solved)
    packed = [sum(hit << place * _FIELD for place, hit in enumerate(instance)) for instance in solved]
    rates = _rates(packed, len(stated))
    errors = _errors(rates, size, stated, stated_size)
    scores = _scores(rates, stated, errors)
    outside, chi_square = _outside(rates, stated, tolerance), sum(score**2 for score in scores)
    draw = random.Random(SEED)
    pairs = []
    for _ in range(ROUNDS):
        one, other = (_rates(draw.choices(packed, k=count), len(stated)) for count in (size, stated_size))
        drawn = _scores(one, other, _errors(one, size, other, stated_size))
        pairs.append((sum(score**2 for score in drawn), _outside(one, other, tolerance)))
    return Agreement(
        tuple(errors), tuple(scores), outside, sum(pair[1] for pair in pairs) / ROUNDS, chi_square,
        sum(pair[0] >= chi_square for pair in pairs) / ROUNDS, sum(pair[1] >= outside for pair in pairs) / ROUNDS,
    )  # fmt: skip


def _rates(packed: Sequence[int], count: int) -> list[float]:
    total = sum(packed)
    return [(total >> place * _FIELD & (1 << _FIELD) - 1) / len(packed) for place in range(count)]


def _errors(rates: Sequence[float], size: int, others: Sequence[float], other_size: int) -> list[float]:
    pooled = [(a * size + b * other_size) / (size + other_size) for a, b in zip(rates, others, strict=True)]
    return [math.sqrt(rate * (1 - rate) * (1 / size + 1 / other_size)) for rate in pooled]


def _scores(rates: Sequence[float], others: Sequence[float], errors: Sequence[float]) -> list[float]:
    return [(a - b) / error if error else 0.0 for a, b, error in zip(rates, others, errors, strict=True)]


def _outside(rates: Sequence[float], others: Sequence[float], tolerance: float) -> int:
    return sum(abs(a - b) > tolerance for a, b in zip(rates, others, strict=True))
