"""The tasks of a run: the feedback of their retries, the failures of each model, and the matrix of models and tasks."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from ...pipeline.matrix import Cell as Tried
from ..page import Cell, Foreign, Page, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...pipeline.matrix import Matrix
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


MOSTLY = 0.8
"""Minimum share of good answers for a green cell: four of five."""
NO_ATTEMPTS = "no attempt of a model was judged"


def matrix_page(matrix: Matrix) -> Page:
    """Return the page: the latest result with the good answers and their interval, then attempts by failure kind."""
    title = "Models and tasks"
    return Page(title, blocks=(by_task(matrix), by_kind(matrix))) if matrix else Page(title, notes=(NO_ATTEMPTS,))


def by_task(matrix: Matrix) -> Table:
    """Return the table of models and tasks."""
    tasks = sorted({task for row in matrix.values() for task in row})
    rows: list[tuple[Words | Cell, ...]] = []
    for model, row in matrix.items():
        rows.append((Foreign(model), *(_cell(row.get(task, Tried())) for task in tasks)))
    return Table(("model", *map(Foreign, tasks)), tuple(rows))


def by_kind(matrix: Matrix) -> Table:
    """Return the table of models and failure kinds, counting attempts over all tasks."""
    counted = {model: sum((Counter(cell.failed) for cell in row.values()), Counter()) for model, row in matrix.items()}
    kinds = sorted({kind for counts in counted.values() for kind in counts})
    rows: list[tuple[Words, ...]] = []
    for model, row in matrix.items():
        passed = sum(cell.passed for cell in row.values())
        rows.append((Foreign(model), str(passed), *(str(counted[model][kind] or "-") for kind in kinds)))
    return Table(("model", "pass", *map(Foreign, kinds)), tuple(rows), "Models and failure kinds")


def cell_text(cell: Tried) -> str:
    """Return text such as 'fail:prose 1/3 (6 to 79 %)', with a dash. Without counts, return only the state."""
    if not cell.attempts:
        return cell.state
    low, high = (f"{100 * bound:.0f}" for bound in cell.interval)
    return f"{cell.state} {cell.passed}/{cell.attempts} ({low}–{high} %)"


def _cell(cell: Tried) -> Cell:
    if cell.attempts:
        share = cell.passed / cell.attempts
        tone: Tone = "good" if share >= MOSTLY else "bad" if share <= 1 - MOSTLY else "mixed"
    else:
        tone = "good" if cell.state == "pass" else "none" if cell.state == "unknown" else "bad"
    return Cell(Foreign(cell_text(cell)), tone)
