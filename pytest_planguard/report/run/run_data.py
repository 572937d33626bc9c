"""One run in figures as plain JSON types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...runs.model.row_write import rerecord_data

if TYPE_CHECKING:
    from ...runs.model.run import CaseRow, Run
    from ...runs.run_figures import RunFigures
    from ...runs.statistics import Rate

SCHEMA = 1
"""Version of the shape."""


def run_data(run: Run, figures: RunFigures) -> dict[str, Any]:
    """Return a run: good cases, outcomes, broken rules, models with their failure kinds."""
    return {
        "schema": SCHEMA,
        "name": run.name,
        "created": run.header.created,
        "commit": run.header.commit,
        "dirty": run.header.dirty,
        "good": _rate(figures.cases),
        "stale": figures.stale,
        "stale_cases": [_stale(row) for row in run.rows if row.stale],
        "outcomes": dict(figures.outcomes),
        "rules": dict(figures.rules),
        "models": [
            {"model": m.model, "good": _rate(m.cases), "valid_answers": _rate(m.attempts), "kinds": dict(m.kinds)}
            for m in figures.models
        ],
        "notes": list(run.problems),
    }


def _stale(row: CaseRow) -> dict[str, Any]:
    return {
        "case": row.key,
        "variant": row.variant,
        "reasons": list(row.stale),
        "rerecord": None if row.rerecord is None else rerecord_data(row.rerecord),
    }


def _rate(rate: Rate) -> dict[str, int]:
    return {"hits": rate.hits, "total": rate.total}
