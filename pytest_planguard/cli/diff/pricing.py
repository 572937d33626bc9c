"""What the runs of a command cost, and what a reader must know about those numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from ...runs.compare.run_diff import RunDiff
    from ...runs.gate.gate import Budgets
    from ...runs.model.run import Run


def with_costs(runs: Sequence[Run], file: Path | None) -> Sequence[Run]:
    """Return the runs with costs: those that they have, else by planguard's own table.

    All by the user's where one is named.

    Raises RunError for a file that is no table of prices.
    """
    from ...runs.prices import priced, read_prices

    prices = read_prices(file)
    return tuple(priced(run, prices, again=file is not None) for run in runs)


def cost_notes(runs: Sequence[Run], file: Path | None, found: RunDiff, limits: Budgets) -> Iterator[str]:
    """Yield of which day the prices are, where a cost is shown; what a budget could not look at, where one was set."""
    from ...runs.prices import read_prices, unpriced_models

    if any(row.cost is not None and row.input_tokens is not None for run in runs for row in run.rows):
        sources = ", ".join(map(str, read_prices(file).sources))
        yield f"costs that no run recorded are by list prices: {sources}; name others with --prices FILE"
    if (limits.cost is not None or file is not None) and (unknown := unpriced_models(runs)):
        yield f"no price is known for {', '.join(unknown)}: their cases have no cost; add one with --prices FILE"
    yield from _partial(found, limits)


def _partial(found: RunDiff, limits: Budgets) -> Iterator[str]:
    """Yield a note for each budget that covers only a part of the cases."""
    from ...runs.gate.gate import FIGURES

    compared = sum(case.comparable for case in found.cases)
    for kind, names in FIGURES.items():
        known = [figure.cases for figure in found.figures if figure.name in names]
        if getattr(limits, kind) is not None and known and min(known) < compared:
            yield f"the budget for {kind} looked at {min(known):,} of {compared:,} cases: the others lack it in a run"
