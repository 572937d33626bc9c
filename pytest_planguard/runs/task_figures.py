"""The tasks of a run: which ones tell a model what was wrong, what defaults filled, and which model fails how."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from .model.judged_answers import DROPPED

if TYPE_CHECKING:
    from .model.judged_answers import AttemptRow
    from .model.run import CaseRow, Run

Wiring = Literal["in full", "in part", "never", "no retry"]
_NOT_READ = frozenset({"not judged"})
_MORE = re.compile(r"^([\d,]+) more fields? took the default$")
"""The last of many findings about defaults: "12 more fields took the default"."""
UNKNOWN_MODEL = "unknown"


@dataclass(frozen=True, slots=True)
class TaskFigures:
    """One task over all its cases."""

    task: str
    cases: int
    retries: int
    """Attempts after a bad one, in all conversations."""
    fed_back: int
    """Findings that the next request feeds back, however firmly."""
    missing: int
    """Findings that it does not feed back."""
    defaults: int
    """Fields of final answers that a schema's default filled."""
    failures: Mapping[tuple[str, str], int]
    """Model and failure kind to the number of bad attempts."""

    @property
    def wiring(self) -> Wiring:
        """Whether findings reach the next request: "no retry" where none was due or none was seen."""
        if not self.fed_back and not self.missing:
            return "no retry"
        return "never" if not self.fed_back else "in part" if self.missing else "in full"


def figures_of_tasks(run: Run) -> tuple[TaskFigures, ...]:
    """Return the tasks of a run by name. A case without a task is one of its own, by its key."""
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
    """Return how many fields of an answer took a default."""
    return sum(_defaults(attempt))


def _defaults(attempt: AttemptRow) -> Iterator[int]:
    for finding in attempt.findings:
        if finding.code == "defaulted":
            more = _MORE.match(finding.message)
            yield int(more[1].replace(",", "")) if more else 1
