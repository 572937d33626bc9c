"""Three and more runs as one self-contained HTML page: the strategies, every pair tested, every pair compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..media.html_page import render_page
from ..media.sanitise import one_line
from ..words.change_text import value_text
from ..words.comparison_words import PAIRS, STRATEGIES, headline, metric_text
from ..words.strategies_report import PAIR_HEAD, pair_evidence, strategy_cells, strategy_head

if TYPE_CHECKING:
    from ...runs.compare.run_diff import RunDiff
    from ...runs.compare.strategies import StrategyPair
    from ..words.strategies_report import StrategyReport

LINE = 400
NAME = 120


def render_strategies_html(report: StrategyReport) -> str:
    """Return the page; it needs no script."""
    found = report.table
    return render_page(
        "strategies.html",
        head=strategy_head(found) if found is not None else (),
        strategies=[[one_line(cell, NAME) for cell in strategy_cells(strategy)] for strategy in found.strategies]
        if found is not None
        else [],
        pairs=[_pair(pair) for pair in found.pairs] if found is not None else [],
        pair_head=PAIR_HEAD,
        legends=(STRATEGIES, PAIRS),
        pairwise=[_pairwise(diff) for diff in report.comparisons],
        comparisons=[_comparison(diff) for diff in report.comparisons],
        notes=[one_line(note, LINE) for note in report.notes],
    )


def _pair(pair: StrategyPair) -> tuple[str, ...]:
    one, other = one_line(pair.one, NAME), one_line(pair.other, NAME)
    return (other, one, *pair_evidence(pair, one, other))


def _pairwise(diff: RunDiff) -> tuple[str, str, str]:
    return one_line(diff.base.name, NAME), one_line(diff.candidate.name, NAME), headline(diff)


def _comparison(diff: RunDiff) -> dict[str, Any]:
    tables = [
        {
            "field": one_line(table.field, NAME),
            "agree": f"{table.agree:,} of {table.total:,}",
            "turns": [(value_text(old), value_text(new), f"{number:,}") for old, new, number in table.turns],
        }
        for table in diff.verdicts
    ]
    names = (one_line(diff.base.name, NAME), one_line(diff.candidate.name, NAME))
    return {
        "base": names[0],
        "candidate": names[1],
        "metrics": [[one_line(cell, NAME) for cell in metric_text(metric)] for metric in diff.metrics],
        "verdicts": tables,
    }
