"""One task of a pipeline's run, by its name: files of a run directory rarely spell it as the code does."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ...document.text.nearest import nearest
from ...errors import UsageError

if TYPE_CHECKING:
    from ..model.run import CaseRow, Run

_LEADING_NUMBERS = re.compile(r"^(?:\d+[-_. ]+)+")
"""The numbers by which a pipeline sorts its files: "018-2-" of "018-2-pre_project_assessment"."""
_SEPARATORS = re.compile(r"[\W_]+")
"""What one spelling of a name has and another lacks: the "_" of "pre_project", the blank of "Pre Project"."""
SUFFIX = "task"
"""Class names end in it, file names rarely do: "PreProjectAssessmentTask" and "pre_project_assessment.json"."""


def only_task(run: Run, task: str) -> Run:
    """Return the run with the cases of one task only, under the task's name.

    Names agree without case and separators, without leading numbers ("018-2-pre_project_assessment") and without
    "Task" at the end. Raises UsageError where the run has no such task; the message has the nearest name.
    """
    wanted = folded(task)
    found = [row for row in run.rows if task == row.key or wanted in (folded(row.key), folded(_last(row)))]
    if not found:
        names = sorted({row.key for row in run.rows})
        near = nearest(task, names) or nearest(wanted, [folded(name) for name in names])
        hint = f" Did you mean {near!r}?" if near else ""
        raise UsageError(f"--task {task!r}: {run.name} has no such task.{hint} It has: {_listed(names)}.")
    return replace(run, rows=tuple(replace(row, key=task) for row in found))


def folded(name: str) -> str:
    """Return a name without what spellings differ in: "018-PreProject_AssessmentTask" is "preprojectassessment"."""
    bare = _SEPARATORS.sub("", _LEADING_NUMBERS.sub("", name)).casefold()
    return bare.removesuffix(SUFFIX) or bare


def _last(row: CaseRow) -> str:
    return row.key.rpartition("/")[2]


def _listed(names: list[str], shown: int = 8) -> str:
    more = len(names) - shown
    return ", ".join(names[:shown]) + (f" and {more} more" if more > 0 else "")
