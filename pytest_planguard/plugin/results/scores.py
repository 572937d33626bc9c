"""The scores of a run's cases with expected values: which fields are wrong how often, and what is taken for what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...contract.comparison.score import FieldScore, SuiteScore, mean, suite_score
from ...printable import one_line
from ...report.media.text_table import columns

if TYPE_CHECKING:
    from ...runs.model.run import CaseRow

FIELDS_SHOWN = 20
"""Fields that are listed, the worst first; the rest is counted."""
CONFUSIONS_SHOWN = 5
"""Confusions that are listed, the most frequent first."""
_ENOUGH = 1e-9
"""What floats may lack of a bound: 0.9 of ten cases is 0.9."""


def run_score(rows: Sequence[CaseRow]) -> SuiteScore:
    """Return the scores of all cases that have some; the mean is over cases, whatever the number of their answers."""
    scored = [row for row in rows if row.expected]
    together = suite_score(score for row in scored for score in row.expected)
    return replace(together, cases=len(scored), total=mean([row.score or 0.0 for row in scored]))


def is_below(rows: Sequence[CaseRow], bound: float | None) -> bool:
    """Return whether a run fails by its score: cases have expected values, and their mean is below the bound."""
    score = run_score(rows)
    return bound is not None and bool(score.cases) and score.total < bound - _ENOUGH


def score_lines(rows: Sequence[CaseRow], bound: float | None) -> Iterator[tuple[str, dict[str, bool]]]:
    """Yield the lines about expected values with their markup; fields are listed if one of them is not always right."""
    score = run_score(rows)
    failing = is_below(rows, bound)
    cases = f"{score.cases:,} {'case' if score.cases == 1 else 'cases'}"
    needed = "" if bound is None else f", at least {bound:g} is needed"
    yield f"expected values: score {score.total:.3f} over {cases}{needed}", {"red": True} if failing else {}
    wrong = sorted((field for field in score.fields if field.f1 < 1), key=lambda field: field.f1)
    if not wrong:
        return
    for line in _table(wrong[:FIELDS_SHOWN]).split("\n"):
        yield f"  {line}", {}
    others = len(score.fields) - len(wrong[:FIELDS_SHOWN])
    if others:
        right = len(score.fields) - len(wrong)
        yield f"  and {others} more {'field' if others == 1 else 'fields'}, {right} always right", {}
    for mistake, number in score.confusions[:CONFUSIONS_SHOWN]:
        times = "once" if number == 1 else f"{number:,} times"
        said = f'"{mistake.actual}" in place of "{mistake.expected}"'
        yield f"  {one_line(mistake.field, 60)}: {one_line(said, 120)}, {times}", {}


def _table(fields: Sequence[FieldScore]) -> str:
    rows = [(f.name[:60], f"{f.right:g} of {f.expected:,}", f"{f.precision:.2f}", f"{f.recall:.2f}") for f in fields]
    return columns([("field", "right", "precision", "recall"), *rows], right=frozenset({1, 2, 3}), limit=160)
