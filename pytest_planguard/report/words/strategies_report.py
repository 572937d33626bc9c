"""What the reports about three and more runs show: the strategies side by side, and every two of them compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...runs.compare.run_diff import RunDiff
    from ...runs.compare.strategies import Strategy, StrategyPair, StrategyTable


PAIR_HEAD = ("strategy", "against", "result", "evidence")
"""The head of the table of pairs."""


@dataclass(frozen=True, slots=True)
class StrategyReport:
    """Three or more runs, compared."""

    table: StrategyTable | None
    """None where nothing judged any of them."""
    comparisons: tuple[RunDiff, ...]
    """Every two runs, in the order in which they were named."""
    notes: tuple[str, ...] = ()
    """What a reader must know of any of the comparisons, each once."""


def strategy_head(table: StrategyTable) -> tuple[str, ...]:
    """Return the head of the table of strategies: a column for each attempt that any strategy needed."""
    attempts = max((len(strategy.valid_by) for strategy in table.strategies), default=0)
    by = tuple(f"valid by {number}" for number in range(1, attempts + 1))
    return ("strategy", "tasks", *by, "rescued", "stuck", "false convergence", "calls", "tokens")


def strategy_cells(strategy: Strategy) -> tuple[str, ...]:
    """Return a strategy's row: its name as it was given, then figures."""
    tokens = [number for number in (strategy.input_tokens, strategy.output_tokens) if number is not None]
    return (
        strategy.name,
        f"{strategy.tasks:,}",
        *(f"{number:,}" for number in strategy.valid_by),
        f"{strategy.rescued:,}/{strategy.failed_first:,}",
        f"{strategy.ended('stuck'):,}",
        f"{strategy.false_convergence:,}",
        f"{strategy.calls:,}",
        f"{sum(tokens):,}" if tokens else "-",
    )


def pair_evidence(pair: StrategyPair, one: str, other: str) -> tuple[str, str]:
    """Return 'no evidence', and 'only inject 3, only blind 3 of 48 tasks, exact McNemar p = 1', with these names."""
    from .comparison_words import p_text

    paired = pair.paired
    split = f"only {other} {paired.better:,}, only {one} {paired.worse:,} of {paired.pairs:,} tasks"
    return paired.evidence.value, f"{split}, exact McNemar {p_text(paired.p)}"
