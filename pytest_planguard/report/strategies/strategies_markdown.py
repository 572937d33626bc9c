"""Three and more runs as Markdown, for a job's summary: the strategies, every pair tested, every pair compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..diff.diff_markdown import verdict_tables
from ..media.markdown import code, listed, table
from ..words.comparison_words import PAIRS, STRATEGIES, headline, legend_lines, metric_text
from ..words.strategies_report import PAIR_HEAD, pair_evidence, strategy_cells, strategy_head

if TYPE_CHECKING:
    from ...runs.compare.run_diff import RunDiff
    from ...runs.compare.strategies import StrategyPair, StrategyTable
    from ..words.strategies_report import StrategyReport

NOTES = 20
"""Notes that are listed; the rest is counted."""


def render_strategies_markdown(report: StrategyReport) -> str:
    """Return all of it; what a file or a user wrote is in code spans."""
    return "\n".join(_lines(report)).rstrip("\n")


def _lines(report: StrategyReport) -> Iterator[str]:
    if report.table is not None:
        yield from _strategies(report.table)
    rows = [(code(f.base.name), code(f.candidate.name), headline(f)) for f in report.comparisons]
    yield from table(("before", "now", "cases"), rows)
    for found in report.comparisons:
        names = f"{code(found.base.name)} → {code(found.candidate.name)}"
        yield from _metrics(found, names)
        yield from verdict_tables(found, f"{names}, ")
    yield ""
    yield from (f"- note: {code(note)}" for note in report.notes[:NOTES])
    if len(report.notes) > NOTES:
        yield f"- … and {len(report.notes) - NOTES:,} more notes"


def _metrics(found: RunDiff, names: str) -> Iterator[str]:
    """Yield what two runs measure, where they are compared by metrics."""
    if found.metrics:
        yield from ("", f"**{names}**", "")
        rows = [(code(name), *cells) for name, *cells in map(metric_text, found.metrics)]
        yield from table(("figure", "before", "now", "change"), rows)


def _strategies(found: StrategyTable) -> Iterator[str]:
    yield from table(
        strategy_head(found), [(code(strategy.name), *strategy_cells(strategy)[1:]) for strategy in found.strategies]
    )
    yield from listed(legend_lines(STRATEGIES))
    yield from table(PAIR_HEAD, [_pair(pair) for pair in found.pairs])
    yield from listed(legend_lines(PAIRS))


def _pair(pair: StrategyPair) -> tuple[str, ...]:
    one, other = code(pair.one), code(pair.other)
    return (other, one, *pair_evidence(pair, one, other))
