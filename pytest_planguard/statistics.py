"""Rates with their intervals, pairs and what they show, by the exact paired test. Standard library only."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from math import ceil, comb, exp, fsum, lgamma, log, sqrt

ALPHA = 0.05
"""Largest p-value that counts as evidence: the usual 5 %. 6 cases that all got worse have p = 0.031, 5 have 0.063."""
Z_95 = 1.959963984540054
"""Standard normal quantile of a two-sided 95 % interval."""
EXACT_UP_TO = 1_000
"""Pairs up to which binomial coefficients are whole numbers; beyond, logarithms are as good and far quicker."""


def exact_paired(one: int, other: int) -> float:
    """Return the two-sided p value of McNemar's exact test for `one` against `other` discordant pairs.

    1.0 where there is no discordant pair. With several trials of one case, count the case once, by the sign of its
    difference: trials of one case are not independent, cases are.
    """
    total, fewer = one + other, min(one, other)
    if one == other:
        return 1.0
    if total <= EXACT_UP_TO:
        tail = sum(comb(total, k) for k in range(fewer + 1))
        return min(1.0, float(2 * tail / 2**total))
    log_all = lgamma(total + 1) - total * log(2)
    return min(1.0, 2 * fsum(exp(log_all - lgamma(k + 1) - lgamma(total - k + 1)) for k in range(fewer + 1)))


def wilson(hits: int, total: int, z: float = Z_95) -> tuple[float, float]:
    """Return Wilson's score interval of a share: within 0 and 1 even for 0 or all hits. (0, 1) where total is 0."""
    if total == 0:
        return 0.0, 1.0
    share = hits / total
    scale = 1 + z * z / total
    middle = (share + z * z / (2 * total)) / scale
    half = z / scale * sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    return max(0.0, middle - half), min(1.0, middle + half)


def pass_at(k: int, good: int, total: int) -> float:
    """Return pass@k: the chance that at least one of k tries is good, estimated from `good` of `total` samples.

    1 - C(total - good, k) / C(total, k), the share of all choices of k samples with a good one among them: the unbiased
    estimator of Chen et al., "Evaluating Large Language Models Trained on Code" (2021), section 2.1. 1 <= k <= total.
    """
    return 1 - comb(total - good, k) / comb(total, k)


def pass_all(k: int, good: int, total: int) -> float:
    """Return pass^k: the chance that all of k tries are good, estimated from `good` of `total` samples.

    C(good, k) / C(total, k): the unbiased estimator of Yao et al., "tau-bench" (2024), section 3. 1 <= k <= total.
    """
    return comb(good, k) / comb(total, k)


# What comparisons count.


def sum_of_known(numbers: Iterable[int | None]) -> int | None:
    """Return the sum of the numbers that are known; None where none is."""
    known = [number for number in numbers if number is not None]
    return sum(known) if known else None


class Evidence(StrEnum):
    """What a comparison shows."""

    BETTER = "better"
    WORSE = "worse"
    NONE = "no evidence"
    """Neither: too few pairs differ, or they differ in both directions."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How many of how many, with the 95 % interval after Wilson."""

    hits: int
    total: int

    @property
    def share(self) -> float | None:
        """From 0 to 1; None of nothing."""
        return self.hits / self.total if self.total else None

    @property
    def interval(self) -> tuple[float, float]:
        """Lower and upper bound of the share; (0, 1) of nothing."""
        return wilson(self.hits, self.total)


@dataclass(frozen=True, slots=True)
class Paired:
    """Pairs of which one side is good and the other is not, and what that shows."""

    better: int
    """Pairs where only the candidate is good, or where its share of good samples is higher."""
    worse: int
    """Pairs where only the base is good, or where its share is higher."""
    pairs: int
    """All pairs, the equal ones included."""

    @property
    def p(self) -> float:
        """Two-sided p value of the exact test: the chance of a split as uneven as this where neither is better."""
        return exact_paired(self.better, self.worse)

    @property
    def evidence(self) -> Evidence:
        """Better or worse where p is at most `ALPHA`."""
        if self.p > ALPHA:
            return Evidence.NONE
        return Evidence.BETTER if self.better > self.worse else Evidence.WORSE

    @property
    def more_pairs(self) -> int | None:
        """How many more pairs like these would show that one side is better; None if they do already, or never would.

        It takes the same shares of better and worse pairs for granted, and McNemar's test with its correction for
        continuity, (|b - w| - 1)^2 / (b + w) = z^2, solved for a factor on all pairs. The exact test agrees but for
        the rounding to whole pairs: 3 of 20 that got better, none worse, ask for 18 more, 6 of 38.
        """
        apart, differing = abs(self.better - self.worse), self.better + self.worse
        if not apart or self.evidence is not Evidence.NONE:
            return None
        half = apart + Z_95**2 * differing / 2
        factor = (half + sqrt(half * half - apart * apart)) / apart**2
        return max(1, ceil(self.pairs * (factor - 1)))

    def mirrored(self) -> Paired:
        """Return the same pairs seen from the other side."""
        return Paired(self.worse, self.better, self.pairs)
