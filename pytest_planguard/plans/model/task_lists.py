"""Tasks of a plan by what they have: gathered in one pass, so that not every rule looks through a large plan again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .elements import Task


@dataclass(slots=True)
class TaskLists:
    """Each list in document order."""

    waiting: list[Task] = field(default_factory=list)
    """With edges."""
    waiting_for_several: list[Task] = field(default_factory=list)
    """With two edges or more."""
    with_status: list[Task] = field(default_factory=list)
    """With a status, or a word for one that is not known."""
    parallel: list[Task] = field(default_factory=list)
    below: list[Task] = field(default_factory=list)
    """With a parent."""
    placed: list[Task] = field(default_factory=list)
    """Whose place in the text is known already, as in Markdown."""


def task_lists(tasks: Iterable[Task]) -> TaskLists:
    """Return the lists of these tasks."""
    lists = TaskLists()
    for task in tasks:
        if task.edges:
            lists.waiting.append(task)
            if len(task.edges) > 1:
                lists.waiting_for_several.append(task)
        if task.status is not None or task.status_text is not None:
            lists.with_status.append(task)
        if task.parallel:
            lists.parallel.append(task)
        if task.parent is not None:
            lists.below.append(task)
        if task.place.line is not None:
            lists.placed.append(task)
    return lists
