"""An experiment as a page, CSV and data."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ...plan_search.experiment import BUDGETS, MISS_LIMIT
from ...printable import one_line
from ..page import Foreign, Page, Table

if TYPE_CHECKING:
    from ...plan_search.experiment import Delta, Experiment, Share
    from ..page import Words

FULL = "full"
"""The control strategy that `delta_vs_full` uses for comparison."""


def scorecard(
    experiment: Experiment, *, budgets: Sequence[int] = BUDGETS, controls: Iterable[str] = (FULL,)
) -> list[dict[str, Any]]:
    """Return a row for each category and policy. The category "" holds all problems.

    Args:
        experiment: the trials.
        budgets: calls at which rates are given. The last one applies to `search_epsilon`, `avg_calls` and the deltas.
        controls: policies that all others are compared with.
    """
    categories = [name for name in experiment.categories if name]
    rows = []
    for category in ["", *categories]:
        part = experiment.of_category(category) if category else experiment
        rows += [_row(part, policy, category, budgets, list(controls)) for policy in part.policies]
    return rows


def _row(
    experiment: Experiment, policy: str, category: str, budgets: Sequence[int], controls: Sequence[str]
) -> dict[str, Any]:
    last = budgets[-1]
    return {
        "category": category,
        "policy": policy,
        "trials": len(experiment.of(policy)),
        "censored": experiment.censored(policy),
        "miss_rate": experiment.miss_rate(policy),
        "search_epsilon": _share(experiment.epsilon(policy, last)),
        "epsilon": {str(budget): _share(experiment.epsilon(policy, budget)) for budget in budgets},
        "avg_calls": experiment.mean_calls(policy, last),
        "backtrack_rate": _share(experiment.backtrack_rate(policy)),
        "backtrack_depths": {str(depth): times for depth, times in experiment.depths(policy).items()},
        "calls_by_step": experiment.calls_by_step(policy),
        "blame_precision": _share(experiment.blame_precision(policy)),
        "planning_s": _planning(experiment, policy),
        **{
            f"delta_vs_{control}": _delta(experiment.delta(policy, control, last))
            for control in controls
            if control != policy
        },
    }


def _share(share: Share) -> dict[str, Any]:
    low, high = share.interval
    return {"hits": share.hits, "total": share.total, "share": share.value, "low": low, "high": high}


def _delta(delta: Delta | None) -> dict[str, Any] | None:
    if delta is None:
        return None
    return {"difference": delta.difference, "better": delta.better, "worse": delta.worse, "p": delta.p}


def _planning(experiment: Experiment, policy: str) -> float | None:
    timed = [trial.planning_s for trial in experiment.of(policy) if trial.planning_s is not None]
    return sum(timed) / len(timed) if timed else None


def scorecard_page(rows: Sequence[dict[str, Any]]) -> Page:
    """Return the rows as a page, one line each."""
    budgets = list(rows[0]["epsilon"]) if rows else []
    deltas = list(dict.fromkeys(name for row in rows for name in row if name.startswith("delta_vs_")))
    head = ["category", "policy", *(f"ε({budget})" for budget in budgets), "95 %", "calls", "backtracks"]
    cells = tuple((*_figures(row), *(_change(row, name) for name in deltas)) for row in rows)
    table = Table((*head, *map(Foreign, deltas)), cells, right=frozenset(range(2, len(head) + len(deltas))))
    return Page("Policies", blocks=(table,), notes=tuple(_notes(rows)))


def scorecard_csv(rows: Sequence[dict[str, Any]]) -> str:
    """Return the rows as CSV, one number per cell. Missing values are empty."""
    flat = [_flat(row) for row in rows]
    names = list(dict.fromkeys(name for row in flat for name in row))
    out = io.StringIO()
    writer = csv.DictWriter(out, names, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(flat)
    return out.getvalue()


def _flat(row: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    cells: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, dict):
            cells |= _flat(value, f"{prefix}{name}.")
        else:
            cells[prefix + name] = one_line(value) if isinstance(value, str) else value
    return cells


def _figures(row: dict[str, Any]) -> Iterator[Words]:
    epsilon = row["search_epsilon"]
    yield from (Foreign(row["category"] or "all"), Foreign(row["policy"]))
    yield from (_number(share["share"], 3) for share in row["epsilon"].values())
    yield f"{epsilon['low']:.2f}-{epsilon['high']:.2f}"
    yield _number(row["avg_calls"], 1)
    yield _number(row["backtrack_rate"]["share"], 2)


def _number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _change(row: dict[str, Any], name: str) -> str:
    delta = row.get(name)
    return "-" if delta is None else f"{delta['difference']:+.3f} (p={delta['p']:.3g})"


def _notes(rows: Sequence[dict[str, Any]]) -> Iterator[Words]:
    """Yield a line for each policy with too many unrecorded calls to compare it."""
    for row in rows:
        if row["miss_rate"] > MISS_LIMIT and not row["category"]:
            share = f": {row['miss_rate']:.0%} of the calls are not recorded, more than {MISS_LIMIT:.0%}; it is not "
            yield Foreign(row["policy"], 40), f"{share}compared. Record the searches of this policy."
