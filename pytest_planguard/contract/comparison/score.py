"""How right answers are, in figures: one field, one answer, the answers of many cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..finding import Finding

# How a score is made, here and nowhere else. A *leaf* is a field that holds no object. A leaf that fits counts 1, any
# other 0; a list is one leaf and counts its F1. The score of an object, a list's item among them, is the mean of its
# leaves, those of inner objects included. The score of a suite is the mean over its cases (macro); a field's score over
# a suite is its F1 over all cases together (micro).


@dataclass(frozen=True, slots=True)
class FieldScore:
    """How often one field is right, over a case or over a suite."""

    name: str
    """"vendor", "lines[*].sku"; "lines" counts the items of a list."""
    right: float
    """Fields that fit; of a list the similarities of its pairs, added up."""
    expected: int
    """Fields that the expected values have."""
    found: int
    """Fields that the answers have in their place; of a list its items, invented ones included."""

    @property
    def precision(self) -> float:
        """The share of what was found that is right, from 0 to 1; 1 if nothing was found."""
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        """The share of what was expected that is right, from 0 to 1; 1 if nothing was expected."""
        return self.right / self.expected if self.expected else 1.0

    @property
    def f1(self) -> float:
        """The harmonic mean of both, from 0 to 1; of a field that every answer has it is the share that is right."""
        return 2 * self.right / (self.expected + self.found) if self.expected + self.found else 1.0


@dataclass(frozen=True, slots=True)
class Mistake:
    """A short value that was taken for another one: what a table of confusions counts."""

    field: str
    expected: str
    actual: str


@dataclass(frozen=True, slots=True)
class Score:
    """How right one answer is."""

    total: float
    """From 0 to 1: the mean of its leaves; 1 if nothing is expected of it."""
    fields: tuple[FieldScore, ...] = ()
    """Each field that the expected value has, in its order, with those of the items of lists."""
    findings: tuple[Finding, ...] = ()
    """What does not fit, with its place in the answer."""
    mistakes: tuple[Mistake, ...] = ()

    def __str__(self) -> str:
        wrong = [field.name for field in self.fields if field.right < max(field.expected, field.found)]
        return f"{self.total:.2f}" + (f" (wrong: {', '.join(wrong)})" if wrong else "")


def field_scores(counts: Iterable[tuple[str, float, int, int]]) -> tuple[FieldScore, ...]:
    """Return one score for each field: name, right, expected and found of the same name added up, in their order."""
    sums: dict[str, tuple[float, int, int]] = {}
    for name, right, expected, found in counts:
        before = sums.get(name, (0.0, 0, 0))
        sums[name] = (before[0] + right, before[1] + expected, before[2] + found)
    return tuple(FieldScore(name, *counts) for name, counts in sums.items())


def mean(scores: Sequence[float]) -> float:
    """Return the mean; 1 if there is nothing to be right or wrong."""
    return sum(scores) / len(scores) if scores else 1.0


@dataclass(frozen=True, slots=True)
class SuiteScore:
    """How right the answers of many cases are."""

    cases: int
    total: float
    """Mean of the cases' scores, from 0 to 1; 1 without a case."""
    fields: tuple[FieldScore, ...]
    """Each field over all cases together, in the order in which the cases name them."""
    confusions: tuple[tuple[Mistake, int], ...]
    """Short values that were taken for others, with their number, the most frequent first."""


def suite_score(scores: Iterable[Score]) -> SuiteScore:
    """Return the scores of cases taken together: the mean of the totals, the sums of the fields."""
    found = list(scores)
    fields = field_scores(
        (field.name, field.right, field.expected, field.found) for score in found for field in score.fields
    )
    confusions = Counter(mistake for score in found for mistake in score.mistakes)
    return SuiteScore(len(found), mean([score.total for score in found]), fields, tuple(confusions.most_common()))
