"""The tasks of a run: the feedback of their retries, and the failures of each model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..page import Cell, Foreign, Page, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...runs.figures import TaskFigures
    from ..page import Tone, Words

HEAD = ("task", "cases", "retries", "findings fed back", "missing", "feedback", "defaults filled")
FAILED = ("task", "model", "failure kind", "attempts")
NO_TASKS = "the run has no case"
_TONES: dict[str, Tone] = {"in full": "good", "in part": "mixed", "never": "bad", "no retry": "none"}
_LEGEND = (
    ("in full", "each finding of a bad answer reached the next request"),
    ("in part", "some findings reached it, some did not"),
    ("never", "no finding reached it"),
    ("no retry", "no answer was bad, or nothing was asked again: the run cannot tell"),
)


def tasks_page(tasks: Sequence[TaskFigures]) -> Page:
    """Return the page: a row for each task, and one for each failure kind of a model in a task."""
    title = "Tasks and what their retries feed back"
    if not tasks:
        return Page(title, notes=(NO_TASKS,))
    failed = tuple(
        (Foreign(task.task), Foreign(model), Foreign(kind), str(number))
        for task in tasks
        for (model, kind), number in task.failures.items()
    )
    table = Table(HEAD, tuple(map(_row, tasks)), "", frozenset({1, 2, 3, 4, 6}), _LEGEND)
    return Page(title, blocks=(table, *([Table(FAILED, failed, right=frozenset({3}))] if failed else [])))


def _row(task: TaskFigures) -> tuple[Words | Cell, ...]:
    counts = map(str, (task.cases, task.retries, task.fed_back, task.missing))
    return Foreign(task.task), *counts, Cell(task.wiring, _TONES[task.wiring]), str(task.defaults or "-")


def tasks_data(tasks: Sequence[TaskFigures]) -> list[dict[str, Any]]:
    """Return the tasks as plain values."""
    return [
        {
            "task": task.task,
            "cases": task.cases,
            "retries": task.retries,
            "fed_back": task.fed_back,
            "missing": task.missing,
            "feedback": task.wiring,
            "defaults": task.defaults,
            "failures": [
                {"model": model, "kind": kind, "attempts": number} for (model, kind), number in task.failures.items()
            ],
        }
        for task in tasks
    ]
