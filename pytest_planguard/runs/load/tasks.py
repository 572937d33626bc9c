"""Find one task of a pipeline's run by name. Files in a run directory often spell it differently from the code."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ...errors import UsageError, nearest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..model.run import CaseRow, Run

_LEADING_NUMBERS = re.compile(r"^(?:\d+[-_. ]+)+")
"""The numbers by which a pipeline sorts its files: "018-2-" in "018-2-pre_project_assessment"."""
_SEPARATORS = re.compile(r"[\W_]+")
"""Characters in which spellings of a name differ: "_" in "pre_project", the blank in "Pre Project"."""
SUFFIX = "task"
"""A suffix that class names have and file names lack: "PreProjectAssessmentTask", "pre_project_assessment.json"."""


def only_tasks(runs: Sequence[Run], tasks: Sequence[str]) -> tuple[Run, ...]:
    """Return the runs with only the cases of these tasks, named after the tasks.

    Names are compared without case, separators, leading numbers ("018-2-pre_project_assessment") and a final "Task". A
    task may be missing from some runs, if it failed or did not run. Raises UsageError for a task that no run has, with
    the nearest name.
    """
    chosen = [{task: _rows_of(run, task) for task in tasks} for run in runs]
    for task in tasks:
        if not any(rows[task] for rows in chosen):
            raise UsageError(_unknown(runs, task))
    return tuple(
        replace(run, rows=tuple(replace(row, key=task) for task in dict.fromkeys(tasks) for row in rows[task]))
        for run, rows in zip(runs, chosen, strict=True)
    )


def without_task(run: Run) -> str:
    """Return why a case is only in the other run: 'run/v2 has no output of it: the task failed, or did not run'."""
    return f"{run.name} has no output of it: the task failed, or did not run"


def _rows_of(run: Run, task: str) -> list[CaseRow]:
    wanted = folded(task)
    return [row for row in run.rows if task == row.key or wanted in (folded(row.key), folded(_last(row)))]


def _unknown(runs: Sequence[Run], task: str) -> str:
    names = sorted({row.key for run in runs for row in run.rows})
    near = nearest(task, names) or nearest(folded(task), [folded(name) for name in names])
    hint = f" Did you mean {near!r}?" if near else ""
    lacking = " and ".join(run.name for run in runs)
    return f"--task {task!r}: no such task in {lacking}.{hint} There is: {_listed(names)}."


def folded(name: str) -> str:
    """Return a name in a form that ignores spelling: "018-PreProject_AssessmentTask" is "preprojectassessment"."""
    bare = _SEPARATORS.sub("", _LEADING_NUMBERS.sub("", name)).casefold()
    return bare.removesuffix(SUFFIX) or bare


def _last(row: CaseRow) -> str:
    return row.key.rpartition("/")[2]


def _listed(names: list[str], shown: int = 8) -> str:
    more = len(names) - shown
    return ", ".join(names[:shown]) + (f" and {more} more" if more > 0 else "")
