"""One run in figures: how its cases ended, and which model fails in which way."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .model.broken_rules import broken_rules
from .statistics import Rate

if TYPE_CHECKING:
    from .model.judged_answers import Judged
    from .model.run import CaseRow, Run

UNKNOWN = "(unknown)"
"""A model that no answer names."""


@dataclass(frozen=True, slots=True)
class ModelFailures:
    """One model: its attempts, and the failure kinds of the bad ones."""

    model: str
    cases: Rate
    """Cases that are good."""
    attempts: Rate
    """Answers that keep their contract."""
    kinds: tuple[tuple[str, int], ...]
    """Failure kinds of the others, the most frequent first."""

    def count(self, kind: str) -> int:
        """Return how many answers fail in this way."""
        return dict(self.kinds).get(kind, 0)


@dataclass(frozen=True, slots=True)
class RunFigures:
    """A run as a whole."""

    cases: Rate
    """Cases that are good."""
    stale: int
    outcomes: tuple[tuple[str, int], ...]
    """How conversations and judged answers ended, the most frequent first."""
    rules: tuple[tuple[str, int], ...]
    """Cases that break a rule in the end, the most frequent first."""
    models: tuple[ModelFailures, ...]
    """By model, sorted by name."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """Every failure kind that some model has, the most frequent first."""
        counted: Counter[str] = Counter()
        for model in self.models:
            counted.update(dict(model.kinds))
        return tuple(kind for kind, _ in _ranked(counted))


def figures_of_run(run: Run) -> RunFigures:
    """Return the figures of a run. A stale case is counted as such, and neither as good nor as bad.

    It proves nothing.
    """
    rows = [row for row in run.rows if not row.stale]
    outcomes = Counter(judged.outcome for row in rows for judged in row.judged if judged.outcome)
    rules = Counter(rule for row in rows for rule in {found.rule for found in broken_rules([row])})
    by_model: dict[str, list[CaseRow]] = {}
    for row in rows:
        by_model.setdefault(row.model or UNKNOWN, []).append(row)
    models = tuple(_model(name, by_model[name]) for name in sorted(by_model))
    return RunFigures(_good(rows), len(run.rows) - len(rows), _ranked(outcomes), _ranked(rules), models)


def _model(name: str, rows: list[CaseRow]) -> ModelFailures:
    judged: list[Judged] = [each for row in rows for each in row.judged if each.outcome]
    attempts = [attempt for each in judged for attempt in each.attempts]
    kinds = Counter(attempt.kind or "rule" for attempt in attempts if not attempt.ok)
    good = Rate(sum(attempt.ok for attempt in attempts), len(attempts))
    return ModelFailures(name, _good(rows), good, _ranked(kinds))


def _good(rows: list[CaseRow]) -> Rate:
    """Return the rate of good cases among those that were judged: unjudged answers are neither good nor bad."""
    judged = [row.ok for row in rows if row.is_judged]
    return Rate(sum(judged), len(judged))


def _ranked(counted: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counted.items(), key=_by_count))


def _by_count(item: tuple[str, int]) -> tuple[int, str]:
    return (-item[1], item[0])
