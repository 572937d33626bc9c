"""Compare several runs of the same tasks: which retry strategy makes more answers valid, and at what cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

from ...statistics import Paired, sum_of_known
from .classification import pair_cases

if TYPE_CHECKING:
    from ..model.judged_answers import Judged
    from ..model.run import Run

COPIED_OUTCOME = "false_convergence"
COPIED_CHECK = "copied"


@dataclass(frozen=True, slots=True)
class Strategy:
    """Statistics of one run. A task is a conversation."""

    name: str
    tasks: int
    valid_by: tuple[int, ...]
    """How many tasks have a valid answer after attempt 1, 2, …"""
    failed_first: int
    """Number of tasks whose first answer was not valid."""
    rescued: int
    """How many of `failed_first` have a valid last answer."""
    outcomes: tuple[tuple[str, int], ...]
    """How the tasks ended, most frequent first: "converged", "stuck", "false_convergence", …"""
    false_convergence: int
    """Number of tasks whose last answer is valid, but copies the prompt, an example or the feedback."""
    calls: int
    """Total number of answers."""
    input_tokens: int | None
    output_tokens: int | None

    def ended(self, outcome: str) -> int:
        """Return how many tasks had this outcome."""
        return dict(self.outcomes).get(outcome, 0)


@dataclass(frozen=True, slots=True)
class StrategyPair:
    """Two strategies, compared on their common tasks by how often the last answer is valid."""

    one: str
    other: str
    paired: Paired
    """The paired comparison. `better` counts tasks that are valid only in `other`."""


@dataclass(frozen=True, slots=True)
class StrategyTable:
    """The comparison of several strategies."""

    strategies: tuple[Strategy, ...]
    pairs: tuple[StrategyPair, ...]


def compare_strategies(runs: Sequence[Run]) -> StrategyTable:
    """Return the statistics of each run, and an exact McNemar test for each pair."""
    strategies = tuple(_strategy(run) for run in runs)
    attempts = max((len(strategy.valid_by) for strategy in strategies), default=0)
    level = tuple(_levelled(strategy, attempts) for strategy in strategies)
    return StrategyTable(level, tuple(_pair(one, other) for one, other in combinations(runs, 2)))


def _strategy(run: Run) -> Strategy:
    judged = [each for row in run.rows for each in row.judged if each.attempts and each.outcome]
    most = max((len(each.attempts) for each in judged), default=0)
    failed = [each for each in judged if each.valid_at != 1]
    tokens = [(a.input_tokens, a.output_tokens) for each in judged for a in each.attempts]
    outcomes = Counter(each.outcome for each in judged)
    return Strategy(
        run.name,
        len(judged),
        tuple(sum(_valid_by(each, number) for each in judged) for number in range(1, most + 1)),
        len(failed),
        sum(each.attempts[-1].ok for each in failed),
        tuple(sorted(outcomes.items(), key=lambda item: (-item[1], item[0]))),
        sum(map(_is_copied, judged)),
        sum(len(each.attempts) for each in judged),
        sum_of_known([found for found, _ in tokens]),
        sum_of_known([found for _, found in tokens]),
    )


def _valid_by(judged: Judged, number: int) -> bool:
    return judged.valid_at is not None and judged.valid_at <= number


def _is_copied(judged: Judged) -> bool:
    """Return True if the outcome says so, or the check, which only warns if the contract allows copies."""
    return judged.outcome == COPIED_OUTCOME or any(check.name == COPIED_CHECK for check in judged.checks)


def _levelled(strategy: Strategy, attempts: int) -> Strategy:
    """Return the strategy with as many columns as the longest one. A task that became valid stays valid."""
    if len(strategy.valid_by) == attempts:
        return strategy
    last = strategy.valid_by[-1:] or (0,)  # nothing was judged, so nothing is valid
    more = strategy.valid_by + last * (attempts - len(strategy.valid_by))
    return replace(strategy, valid_by=more)


def _pair(one: Run, other: Run) -> StrategyPair:
    better, worse, pairs = 0, 0, 0
    for case in pair_cases(one.rows, other.rows):
        if case.base and case.candidate and all(row.judged for row in (*case.base, *case.candidate)):
            old, new = sum(row.valid for row in case.base), sum(row.valid for row in case.candidate)
            difference = new * len(case.base) - old * len(case.candidate)
            better, worse, pairs = better + (difference > 0), worse + (difference < 0), pairs + 1
    return StrategyPair(one.name, other.name, Paired(better, worse, pairs))
