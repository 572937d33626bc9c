"""The tasks of a run as text, Markdown, HTML and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...printable import one_line
from ..media.escaping import code, json_text, table
from ..media.html_page import render_page
from ..media.text_table import columns

if TYPE_CHECKING:
    from ...runs.figures import TaskFigures

HEAD = ("task", "cases", "retries", "findings fed back", "missing", "feedback", "defaults filled")
FAILED = ("task", "model", "failure kind", "attempts")
NO_TASKS = "the run has no case"
NAME = 120
"""Characters of a cell on a page."""
_COLOURS = {"in full": "heat-good", "in part": "heat-mixed", "never": "heat-bad", "no retry": "heat-none"}
_LEGEND = (
    ("in full", "each finding of a bad answer reached the next request"),
    ("in part", "some findings reached it, some did not"),
    ("never", "no finding reached it"),
    ("no retry", "no answer was bad, or nothing was asked again: the run cannot tell"),
)


def render_tasks(tasks: Sequence[TaskFigures], form: str) -> str:
    """Return the tasks in a form: "text", "markdown", "html" or "json"."""
    if form == "json":
        return json_text([_data(task) for task in tasks])
    if form == "html":
        return _html(tasks)
    if not tasks:
        return NO_TASKS
    rows, failed = [_row(task) for task in tasks], _failed(tasks)
    if form == "markdown":
        lines = [*table(list(HEAD), [[code(cell) for cell in row] for row in rows])]
        if failed:
            lines += ["", *table(list(FAILED), [[code(cell) for cell in row] for row in failed])]
        return "\n".join(lines)
    text = columns([HEAD, *rows], right=frozenset({1, 2, 3, 4, 6}))
    return f"{text}\n\n{columns([FAILED, *failed], right=frozenset({3}))}" if failed else text


def _html(tasks: Sequence[TaskFigures]) -> str:
    rows = [[one_line(cell, NAME) for cell in _row(task)] for task in tasks]
    return render_page(
        "tasks.html",
        head=HEAD,
        rows=[(cells, _COLOURS[task.wiring]) for cells, task in zip(rows, tasks, strict=True)],
        feedback=HEAD.index("feedback"),
        failed_head=FAILED,
        failed=[[one_line(cell, NAME) for cell in cells] for cells in _failed(tasks)],
        legend=_LEGEND,
        notes=[] if tasks else [NO_TASKS],
    )


def _row(task: TaskFigures) -> tuple[str, ...]:
    counts = (task.cases, task.retries, task.fed_back, task.missing)
    return (task.task, *map(str, counts), task.wiring, str(task.defaults or "-"))


def _failed(tasks: Sequence[TaskFigures]) -> list[tuple[str, ...]]:
    return [(task.task, *key, str(count)) for task in tasks for key, count in task.failures.items()]


def _data(task: TaskFigures) -> dict[str, Any]:
    failures = [{"model": model, "kind": kind, "attempts": n} for (model, kind), n in task.failures.items()]
    return {
        "task": task.task,
        "cases": task.cases,
        "retries": task.retries,
        "fed_back": task.fed_back,
        "missing": task.missing,
        "feedback": task.wiring,
        "defaults": task.defaults,
        "failures": failures,
    }
