"""Choose what a plan's picture shows: a limited number of tasks, and the arrows between them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from ..printable import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..plans.model.plan_graph import PlanGraph

TASKS_DRAWN = 400
"""Maximum number of tasks in a picture. Later tasks are left out."""
ARROWS_DRAWN = 480
"""Maximum number of arrows in a picture. Mermaid rejects more than 500."""
TITLE = 60
"""Maximum number of characters of a task's title."""
Kind = Literal["plain", "critical", "cycle"]
RED, BLUE, GREY = "#b91c1c", "#1d4ed8", "#9ca3af"
COLORS: dict[Kind, str] = {"plain": GREY, "critical": BLUE, "cycle": RED}
"""The colours of arrows, by kind."""


@dataclass(frozen=True, slots=True)
class Sketch:
    """The tasks and arrows in a picture, by the numbers of the graph's tasks."""

    waves: tuple[tuple[int, ...], ...]
    stuck: tuple[int, ...]
    """Tasks that can never begin, and unknown names."""
    arrows: tuple[tuple[int, int, Kind], ...]
    """The first task, the task that waits for it, and the kind of arrow."""
    notes: tuple[str, ...]
    """Omissions and problems, one per line."""


def sketch(graph: PlanGraph) -> Sketch:
    """Return what to draw."""
    drawn = range(min(len(graph.tasks), TASKS_DRAWN))
    waves = tuple(tuple(task for task in wave if task in drawn) for wave in graph.wave_numbers)
    kinds: dict[tuple[int, int], Kind] = dict.fromkeys(pairwise(graph.path_numbers), "critical")
    kinds |= {(first, second): "cycle" for cycle in graph.cycle_numbers for second, first in pairwise(cycle)}
    plain: dict[tuple[int, int], Kind]
    plain = {(first, task): "plain" for task in drawn for first in graph.nearest(task)}
    plain.update(kinds)
    arrows: list[tuple[int, int, Kind]] = [(a, b, plain[a, b]) for a, b in plain if a in drawn and b in drawn]
    arrows.sort(key=lambda arrow: arrow[2] == "plain")
    notes = list(remarks(graph))
    if len(graph.tasks) > len(drawn):
        notes.append(f"{len(graph.tasks) - len(drawn):,} more tasks are not drawn")
    if len(arrows) > ARROWS_DRAWN:
        notes.append(f"{len(arrows) - ARROWS_DRAWN:,} more dependencies are not drawn")
    stuck = tuple(sorted(task for task in graph.stuck if task in drawn))
    return Sketch(tuple(filter(None, waves)), stuck, tuple(arrows[:ARROWS_DRAWN]), tuple(notes))


NAMED = 12
"""Maximum number of tasks and lines of a kind to name. The rest are counted."""


def remarks(graph: PlanGraph, most: int = NAMED) -> Iterator[str]:
    """Yield the problems in a plan's order, one per line: cycles, tasks that can never begin, files shared by tasks."""
    for cycle in graph.cycles[:most]:
        yield f"circle: {listed(cycle, most, ' waits for ')}"
    if graph.unknown:
        yield f"not in the plan: {listed(graph.unknown, most)}"
    if graph.unreachable:
        yield f"never begins: {listed(graph.unreachable, most)}"
    for conflict in graph.conflicts[:most]:
        yield f"{one_line(conflict.file, 100)}: {listed(conflict.tasks, most)} may change it at the same time"
    if len(graph.conflicts) > most:
        yield f"{len(graph.conflicts) - most:,} more files have tasks that may change them at the same time"


def listed(names: tuple[str, ...], most: int = NAMED, separator: str = ", ") -> str:
    """Return text such as 'T001, T002 and 3 more'."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return separator.join(one_line(name, 60) for name in names[:most]) + more


def headline(graph: PlanGraph) -> str:
    """Return a headline for the graph, such as 'Login: 12 tasks in 5 waves'."""
    tasks = sum(task.known for task in graph.tasks)
    waves = len(graph.wave_numbers)
    title = f"{one_line(graph.title, 80)}: " if graph.title.strip() else ""
    return f"{title}{tasks:,} task{'s' * (tasks != 1)} in {waves:,} wave{'s' * (waves != 1)}"


def label(graph: PlanGraph, number: int) -> tuple[str, str]:
    """Return the name and the title of a task: ("T001", "Create the parser (4 subtasks)")."""
    task = graph.tasks[number]
    if not task.known:
        return one_line(task.name, TITLE), "is not in the plan"
    parts = f" ({task.folded} subtask{'s' * (task.folded != 1)})" if task.folded else ""
    title = one_line(task.title, TITLE)
    return one_line(task.name, TITLE), ("" if title == task.name else title) + parts
