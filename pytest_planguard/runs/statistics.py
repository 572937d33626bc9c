"""What comparisons count: rates with their intervals, pairs and what they show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from ..statistics import ALPHA, exact_paired, wilson


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

    def mirrored(self) -> Paired:
        """Return the same pairs seen from the other side."""
        return Paired(self.worse, self.better, self.pairs)
