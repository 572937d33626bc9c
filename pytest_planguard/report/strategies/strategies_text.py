"""Strategies side by side for a terminal: valid by attempt, rescues, how they ended, and every pair tested."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from ...runs.compare.run_diff import Bucket
from ..diff.diff_text import metric_lines, render_diff, render_verdicts
from ..media.sanitise import one_line
from ..media.text_table import columns
from ..words.comparison_words import PAIRS, STRATEGIES, headline, legend_lines
from ..words.strategies_report import pair_evidence, strategy_cells, strategy_head

if TYPE_CHECKING:
    from ...runs.compare.strategies import StrategyPair, StrategyTable
    from ..words.strategies_report import StrategyReport


def render_strategies_report(report: StrategyReport, *, color: bool = False, verbose: bool = False) -> str:
    """Return the strategies as a table where something judged them, then each pair in one line with its conclusions.

    `verbose` shows each pair as two runs are shown, with every case and every change.
    """
    lines = [render_strategies(report.table), ""] if report.table is not None else []
    if verbose:
        pairs = [replace(found, notes=()) for found in report.comparisons]  # they are listed once, at the end
        lines += [f"{render_diff(found, color=color, verbose=True)}\n" for found in pairs]
    else:
        lines += _comparisons(report)
    lines += [f"note: {one_line(note, 400)}" for note in report.notes]
    return "\n".join(lines).rstrip("\n")


def render_strategies(table: StrategyTable) -> str:
    """Return the table of strategies, a line for every pair, and what their words mean."""
    head = strategy_head(table)
    rows = [head, *map(strategy_cells, table.strategies)]
    lines = [columns(rows, right=frozenset(range(1, len(head)))), ""]
    legends = ["", *legend_lines((*STRATEGIES, *PAIRS))]
    return "\n".join([*lines, *map(_pair, table.pairs), *legends])


def _pair(pair: StrategyPair) -> str:
    """Return 'inject against blind: no evidence (only inject 3, only blind 3 of 48 tasks, exact McNemar p = 1)'."""
    one, other = one_line(pair.one, 60), one_line(pair.other, 60)
    evidence, split = pair_evidence(pair, one, other)
    return f"{other} against {one}: {evidence} ({split})"


def _comparisons(report: StrategyReport) -> Iterator[str]:
    for found in report.comparisons:
        yield f"{one_line(found.base.name, 80)} → {one_line(found.candidate.name, 80)}: {headline(found)}"
        yield from metric_lines(found.metrics)
        for table in found.verdicts:
            yield from (f"  {line}" for line in render_verdicts(table).split("\n"))
    if any(len(found.of(Bucket.UNCHANGED)) < len(found.cases) for found in report.comparisons):
        yield "--verbose shows which cases, and what changed in them"
