"""The figures of a run and of its tasks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from ..contract.comparison.score import mean, suite_score
from ..statistics import Rate
from .model.broken_rules import broken_rules
from .model.judged_answers import DROPPED

if TYPE_CHECKING:
    from ..contract.comparison.score import SuiteScore
    from .model.judged_answers import AttemptRow, Judged
    from .model.run import CaseRow, Run


UNKNOWN = "(unknown)"
"""The name for a model that no answer gives."""


@dataclass(frozen=True, slots=True)
class ModelFailures:
    """The attempts of one model, and the failure kinds of the bad ones."""

    model: str
    cases: Rate
    """How many cases are good."""
    attempts: Rate
    """How many answers satisfy their contract."""
    kinds: tuple[tuple[str, int], ...]
    """Failure kinds of the other answers, most frequent first."""

    def count(self, kind: str) -> int:
        """Return how many answers fail in this way."""
        return dict(self.kinds).get(kind, 0)


@dataclass(frozen=True, slots=True)
class RunFigures:
    """The figures of a whole run."""

    cases: Rate
    """How many cases are good."""
    stale: int
    outcomes: tuple[tuple[str, int], ...]
    """How conversations and judged answers ended, most frequent first."""
    rules: tuple[tuple[str, int], ...]
    """Rules that the last answers break, with the number of cases, most frequent first."""
    models: tuple[ModelFailures, ...]
    """One entry per model, sorted by name."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """Every failure kind that any model has, most frequent first."""
        counted: Counter[str] = Counter()
        for model in self.models:
            counted.update(dict(model.kinds))
        return tuple(kind for kind, _ in _ranked(counted))


def figures_of_run(run: Run) -> RunFigures:
    """Return the figures of a run.

    A stale case proves nothing: it is neither good nor bad, and is counted separately.
    """
    rows = [row for row in run.rows if not row.stale]
    outcomes = Counter(judged.outcome for row in rows for judged in row.judged if judged.outcome)
    rules = Counter(rule for row in rows for rule in {found.rule for found in broken_rules([row])})
    by_model: dict[str, list[CaseRow]] = {}
    for row in rows:
        by_model.setdefault(row.model or UNKNOWN, []).append(row)
    models = tuple(_model(name, by_model[name]) for name in sorted(by_model))
    return RunFigures(_good(rows), len(run.rows) - len(rows), _ranked(outcomes), _ranked(rules), models)


def score_of_rows(rows: Iterable[CaseRow]) -> SuiteScore | None:
    """Return how right the answers are, as a mean over cases. None if no case has an expected value."""
    scored = [row for row in rows if row.expected]
    if not scored:
        return None
    together = suite_score(score for row in scored for score in row.expected)
    return replace(together, cases=len(scored), total=mean([row.score or 0.0 for row in scored]))


def is_below(score: SuiteScore | None, bound: float | None) -> bool:
    """Return True if a run fails by its score. The tolerance is for floats: 0.9 of ten cases is 0.9."""
    return score is not None and bound is not None and score.total < bound - 1e-9


def _model(name: str, rows: list[CaseRow]) -> ModelFailures:
    judged: list[Judged] = [each for row in rows for each in row.judged if each.outcome]
    attempts = [attempt for each in judged for attempt in each.attempts]
    kinds = Counter(attempt.kind or "rule" for attempt in attempts if not attempt.ok)
    good = Rate(sum(attempt.ok for attempt in attempts), len(attempts))
    return ModelFailures(name, _good(rows), good, _ranked(kinds))


def _good(rows: list[CaseRow]) -> Rate:
    """Return the rate of good cases. Unjudged cases don't count."""
    judged = [row.ok for row in rows if row.is_judged]
    return Rate(sum(judged), len(judged))


def _ranked(counted: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counted.items(), key=lambda item: (-item[1], item[0])))


Wiring = Literal["in full", "in part", "never", "no retry"]
_NOT_READ = frozenset({"not judged"})
_MORE = re.compile(r"^([\d,]+) more fields? took the default$")
"""The last of many findings about defaults, such as "12 more fields took the default"."""
UNKNOWN_MODEL = "unknown"


@dataclass(frozen=True, slots=True)
class TaskFigures:
    """The figures of one task over all its cases."""

    task: str
    cases: int
    retries: int
    """Attempts after a bad one, in all conversations."""
    fed_back: int
    """Findings that the next request feeds back, in any grade."""
    missing: int
    """Findings that the next request doesn't feed back."""
    defaults: int
    """Fields of final answers that a schema's default filled."""
    failures: Mapping[tuple[str, str], int]
    """Number of bad attempts by model and failure kind."""

    @property
    def wiring(self) -> Wiring:
        """How many findings reach the next request, in one word. "no retry": there was no retry, or none was needed."""
        if not self.fed_back and not self.missing:
            return "no retry"
        return "never" if not self.fed_back else "in part" if self.missing else "in full"


def figures_of_tasks(run: Run) -> tuple[TaskFigures, ...]:
    """Return the tasks of a run by name. A case without a task is its own task, named by its key."""
    by_task: dict[str, list[CaseRow]] = {}
    for row in run.rows:
        by_task.setdefault(row.task or row.key, []).append(row)
    return tuple(_figures(task, rows) for task, rows in sorted(by_task.items()))


def _figures(task: str, rows: Iterable[CaseRow]) -> TaskFigures:
    listed = list(rows)
    attempts = [(row, attempt) for row in listed for judged in row.judged for attempt in judged.attempts]
    grades = Counter(fed_back.grade for _, attempt in attempts for fed_back in attempt.fed_back)
    refused = sum(row.feedback_is_missing for row in listed)
    lasts = [judged.last for row in listed for judged in row.judged if judged.last is not None]
    failed = Counter(
        (attempt.model or row.model or UNKNOWN_MODEL, attempt.kind) for row, attempt in attempts if attempt.kind
    )
    return TaskFigures(
        task,
        len(listed),
        sum(len(judged.attempts) - 1 for row in listed for judged in row.judged if judged.attempts) + refused,
        sum(count for grade, count in grades.items() if grade not in (*DROPPED, *_NOT_READ)),
        sum(grades[grade] for grade in DROPPED) + refused,
        sum(defaults_filled(attempt) for attempt in lasts),
        dict(sorted(failed.items())),
    )


def defaults_filled(attempt: AttemptRow) -> int:
    """Return how many fields of an answer were filled with a default."""
    return sum(_defaults(attempt))


def _defaults(attempt: AttemptRow) -> Iterator[int]:
    for finding in attempt.findings:
        if finding.code == "defaulted":
            more = _MORE.match(finding.message)
            yield int(more[1].replace(",", "")) if more else 1
