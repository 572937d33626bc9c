"""The scores of a run's cases with expected values: how often each field is wrong, and which values are confused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..page import Facts, Foreign, Table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...contract.comparison.score import SuiteScore
    from ..page import Block

FIELDS_SHOWN = 20
"""Maximum number of fields to list, the worst first. The rest are counted."""
CONFUSIONS_SHOWN = 10
"""Maximum number of confusions to list, most frequent first."""


def score_data(score: SuiteScore | None) -> dict[str, Any] | None:
    """Return the mean over the cases, the totals of each field, and the confusions; None without expected values."""
    if score is None:
        return None
    return {
        "cases": score.cases,
        "total": score.total,
        "fields": [
            {
                "name": field.name,
                "right": field.right,
                "expected": field.expected,
                "found": field.found,
                "precision": field.precision,
                "recall": field.recall,
            }
            for field in score.fields
        ],
        "confusions": [
            {"field": mistake.field, "expected": mistake.expected, "actual": mistake.actual, "times": number}
            for mistake, number in score.confusions
        ],
    }


def score_blocks(score: SuiteScore | None, bound: float | None = None) -> Iterator[Block]:
    """Yield the score of a run, its fields if any is ever wrong, and the confusions of short values.

    `bound` is the required score, or None.
    """
    if score is None:
        return
    cases = f"{score.cases:,} {'case' if score.cases == 1 else 'cases'}"
    needed = "" if bound is None else f", at least {bound:g} is needed"
    yield Facts((("expected values", f"score {score.total:.3f} over {cases}{needed}"),))
    if any(field.f1 < 1 for field in score.fields):
        yield _fields(score)
    if score.confusions:
        yield _confusions(score)


def _fields(score: SuiteScore) -> Table:
    fields = sorted(score.fields, key=lambda field: field.f1)
    rows = [
        (Foreign(f.name, 60), f"{f.right:g} of {f.expected:,}", f"{f.precision:.2f}", f"{f.recall:.2f}")
        for f in fields[:FIELDS_SHOWN]
    ]
    others = len(fields) - len(rows)
    more = [(f"and {others:,} more", "", "", "")] if others else []
    return Table(("field", "right", "precision", "recall"), (*rows, *more), right=frozenset({1, 2, 3}))


def _confusions(score: SuiteScore) -> Table:
    rows = tuple(
        (Foreign(mistake.field, 60), Foreign(mistake.expected), Foreign(mistake.actual), f"{number:,}")
        for mistake, number in score.confusions[:CONFUSIONS_SHOWN]
    )
    return Table(("field", "expected", "taken for", "times"), rows, right=frozenset({3}))
