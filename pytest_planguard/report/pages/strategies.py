"""Three or more runs side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..page import Foreign, Page, Table, joined
from ..words.comparison_words import PAIRS, STRATEGIES, headline, p_text
from .comparison import figures_table, verdict_tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...runs.compare.run_diff import RunDiff
    from ...runs.compare.strategies import Strategy, StrategyPair, StrategyTable
    from ..page import Block, Words


@dataclass(frozen=True, slots=True)
class StrategyReport:
    """The comparison of three or more runs."""

    table: StrategyTable | None
    """The strategies; None if nothing judged any of them."""
    comparisons: tuple[RunDiff, ...]
    """Each pair of runs, in the order in which they were named."""
    notes: tuple[str, ...] = ()
    """Notes on any of the comparisons, without repetition."""


def strategies_page(report: StrategyReport) -> Page:
    """Return the strategies as a table if something judged them, then each pair with its conclusions."""
    blocks: list[Block] = list(_judged(report.table)) if report.table is not None else []
    rows: list[tuple[Words, ...]] = [(*map(Foreign, _names(found)), headline(found)) for found in report.comparisons]
    blocks.append(Table(("before", "now", "cases"), tuple(rows), "Every two compared"))
    for found in report.comparisons:
        names = joined(" → ", map(Foreign, _names(found)))
        blocks += [*figures_table(found.metrics, names), *verdict_tables(found, (*names, ", "))]
    return Page("Runs side by side", blocks=tuple(blocks), notes=tuple(Foreign(note, 400) for note in report.notes))


def _names(diff: RunDiff) -> tuple[str, str]:
    return diff.base.name, diff.candidate.name


def _judged(table: StrategyTable) -> Iterator[Table]:
    """Yield a table of strategies with a column for each attempt that any of them needed, then one of their pairs."""
    attempts = max((len(strategy.valid_by) for strategy in table.strategies), default=0)
    by = tuple(f"valid by {number}" for number in range(1, attempts + 1))
    head = ("strategy", "tasks", *by, "rescued", "stuck", "false convergence", "calls", "tokens")
    yield Table(head, tuple(map(_strategy, table.strategies)), "", frozenset(range(1, len(head))), STRATEGIES)
    pair_head, title = ("strategy", "against", "result", "evidence"), "Which gets more tasks valid"
    yield Table(pair_head, tuple(map(_pair, table.pairs)), title, legend=PAIRS)


def _strategy(strategy: Strategy) -> tuple[Words, ...]:
    tokens = [number for number in (strategy.input_tokens, strategy.output_tokens) if number is not None]
    return (
        Foreign(strategy.name),
        f"{strategy.tasks:,}",
        *(f"{number:,}" for number in strategy.valid_by),
        f"{strategy.rescued:,}/{strategy.failed_first:,}",
        f"{strategy.ended('stuck'):,}",
        f"{strategy.false_convergence:,}",
        f"{strategy.calls:,}",
        f"{sum(tokens):,}" if tokens else "-",
    )


def _pair(pair: StrategyPair) -> tuple[Words, ...]:
    """Return a pair's row: 'inject', 'blind', 'no evidence', 'only inject 3, only blind 3 of 48 tasks, … p = 1'."""
    one, other, paired = Foreign(pair.one, 60), Foreign(pair.other, 60), pair.paired
    rest = f" {paired.worse:,} of {paired.pairs:,} tasks, exact McNemar {p_text(paired.p)}"
    return other, one, paired.evidence.value, ("only ", other, f" {paired.better:,}, only ", one, rest)
