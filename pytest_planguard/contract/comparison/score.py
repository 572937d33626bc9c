"""Scores of one field, of one answer, and of a suite of cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..finding import Finding

# How a score is computed: a *leaf* is a field that does not hold an object. A leaf scores 1 if it fits, else 0. A list
# is one leaf and scores its F1. The score of an object, including a list's item, is the mean of its leaves, including
# those of inner objects. The score of a suite is the mean over its cases (macro); a field's score over a suite is its
# F1 over all cases together (micro).


@dataclass(frozen=True, slots=True)
class FieldScore:
    """How often a field is right, in one case or in a suite."""

    name: str
    """"vendor", "lines[*].sku"; "lines" counts the items of a list."""
    right: float
    """Number of right fields; for a list, the sum of its pairs' similarities."""
    expected: int
    """Number of fields in the expected values."""
    found: int
    """Number of fields in the answers; for a list, the number of its items, including invented ones."""

    @property
    def precision(self) -> float:
        """The share of found values that are right, from 0 to 1; 1 if nothing was found."""
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        """The share of expected values that were found, from 0 to 1; 1 if nothing was expected."""
        return self.right / self.expected if self.expected else 1.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall, from 0 to 1. If every answer has the field, it is the accuracy."""
        # The harmonic mean 2pr/(p+r) of p = right/found and r = right/expected, without a division by 0.
        return 2 * self.right / (self.expected + self.found) if self.expected + self.found else 1.0


@dataclass(frozen=True, slots=True)
class Mistake:
    """A wrong short value: what was expected, and what the answer has. Confusion tables count these."""

    field: str
    expected: str
    actual: str


@dataclass(frozen=True, slots=True)
class Score:
    """The score of one answer."""

    total: float
    """The mean over all leaves, from 0 to 1; 1 if nothing is expected."""
    fields: tuple[FieldScore, ...] = ()
    """The score of each field of the expected value, in document order, including fields of list items."""
    findings: tuple[Finding, ...] = ()
    """The mismatches, with their places in the answer."""
    mistakes: tuple[Mistake, ...] = ()

    def __str__(self) -> str:
        wrong = [field.name for field in self.fields if field.right < max(field.expected, field.found)]
        return f"{self.total:.2f}" + (f" (wrong: {', '.join(wrong)})" if wrong else "")


def field_scores(counts: Iterable[tuple[str, float, int, int]]) -> tuple[FieldScore, ...]:
    """Return a score for each name, in order of appearance, from the sums of right, expected and found."""
    sums: dict[str, tuple[float, int, int]] = {}
    for name, right, expected, found in counts:
        before = sums.get(name, (0.0, 0, 0))
        sums[name] = (before[0] + right, before[1] + expected, before[2] + found)
    return tuple(FieldScore(name, *counts) for name, counts in sums.items())


def mean(scores: Sequence[float]) -> float:
    """Return the mean; 1 for an empty list."""
    return sum(scores) / len(scores) if scores else 1.0


@dataclass(frozen=True, slots=True)
class SuiteScore:
    """The score of a suite of cases."""

    cases: int
    total: float
    """The mean score of the cases, from 0 to 1; 1 without cases."""
    fields: tuple[FieldScore, ...]
    """The score of each field over all cases, in order of appearance."""
    confusions: tuple[tuple[Mistake, int], ...]
    """Mistakes and how often each occurred, most frequent first."""


def suite_score(scores: Iterable[Score]) -> SuiteScore:
    """Return the combined score of many cases: the mean of the totals, the sums of the fields."""
    found = list(scores)
    fields = field_scores(
        (field.name, field.right, field.expected, field.found) for score in found for field in score.fields
    )
    confusions = Counter(mistake for score in found for mistake in score.mistakes)
    return SuiteScore(len(found), mean([score.total for score in found]), fields, tuple(confusions.most_common()))
