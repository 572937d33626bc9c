"""Rates with intervals, and paired comparisons with the exact test. Standard library only."""

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
"""Number of pairs up to which binomial coefficients are computed exactly. Beyond it, logarithms are as good and far
faster."""


def exact_paired(one: int, other: int) -> float:
    """Return the two-sided p-value of McNemar's exact test for `one` against `other` discordant pairs.

    1.0 without discordant pairs. If a case has several trials, count it once, by the sign of its difference: trials of
    one case are not independent, cases are.
    """
    total, fewer = one + other, min(one, other)
    if total <= EXACT_UP_TO:
        tail = sum(comb(total, k) for k in range(fewer + 1))
        return min(1.0, float(2 * tail / 2**total))
    log_all = lgamma(total + 1) - total * log(2)
    return min(1.0, 2 * fsum(exp(log_all - lgamma(k + 1) - lgamma(total - k + 1)) for k in range(fewer + 1)))


def wilson(hits: int, total: int, z: float = Z_95) -> tuple[float, float]:
    """Return Wilson's score interval of a share: within 0 and 1 even for 0 or all hits. (0, 1) if total is 0."""
    if total == 0:
        return 0.0, 1.0
    share = hits / total
    scale = 1 + z * z / total
    middle = (share + z * z / (2 * total)) / scale
    half = z / scale * sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    # Rounding leaves 1 + 2e-16 for 16 of 16, and less than 0 for none of 27.
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


def sum_of_known(numbers: Iterable[int | None]) -> int | None:
    """Return the sum of the known numbers; None if none is known."""
    known = [number for number in numbers if number is not None]
    return sum(known) if known else None


class Evidence(StrEnum):
    """The result of a comparison."""

    BETTER = "better"
    WORSE = "worse"
    NONE = "no evidence"
    """Neither: too few pairs differ, or they differ in both directions."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A number of hits out of a total, with Wilson's 95 % interval."""

    hits: int
    total: int

    @property
    def share(self) -> float | None:
        """From 0 to 1; None if the total is 0."""
        return self.hits / self.total if self.total else None

    @property
    def interval(self) -> tuple[float, float]:
        """Lower and upper bound of the share; (0, 1) if the total is 0."""
        return wilson(self.hits, self.total)


@dataclass(frozen=True, slots=True)
class Paired:
    """Pairs of results, of a base and a candidate, and the evidence in them."""

    better: int
    """Pairs in which only the candidate is good, or its share of good samples is higher."""
    worse: int
    """Pairs in which only the base is good, or its share is higher."""
    pairs: int
    """All pairs, including equal ones."""

    @property
    def p(self) -> float:
        """Two-sided p-value of the exact test: the chance of a split as uneven as this if neither side is better."""
        return exact_paired(self.better, self.worse)

    @property
    def evidence(self) -> Evidence:
        """Better or worse if p is at most `ALPHA`."""
        if self.p > ALPHA:
            return Evidence.NONE
        return Evidence.BETTER if self.better > self.worse else Evidence.WORSE

    @property
    def more_pairs(self) -> int | None:
        """Number of such pairs that would show that one side is better; None if they do already, or never would.

        This assumes the same shares of better and worse pairs, and McNemar's test with continuity correction, (|b - w|
        - 1)^2 / (b + w) = z^2, solved for a factor on all pairs. The exact test agrees, except for rounding to whole
        pairs. For example, if 3 of 20 got better and none worse, 18 more pairs are needed: 6 of 38.
        """
        apart, differing = abs(self.better - self.worse), self.better + self.worse
        if not apart or self.evidence is not Evidence.NONE:
            return None
        half = apart + Z_95**2 * differing / 2
        factor = (half + sqrt(half * half - apart * apart)) / apart**2
        return max(1, ceil(self.pairs * (factor - 1)))

    def mirrored(self) -> Paired:
        """Return the same pairs with the sides swapped."""
        return Paired(self.worse, self.better, self.pairs)
