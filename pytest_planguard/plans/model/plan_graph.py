"""The order of work that a plan states: waves, the longest chain, what can never begin, who meets on one file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from graphlib import TopologicalSorter
from itertools import pairwise
from typing import TYPE_CHECKING

from .graph import Reach, cycle_through, cyclic_components, ranks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .plan import Status


def stuck_in(order: Sequence[Sequence[int]], missing: Iterable[int]) -> frozenset[int]:
    """Return the nodes that can never begin: those of a circle, those that are missing, and all that waits for them.

    Args:
        order: the nodes that each node waits for.
        missing: nodes that nothing can ever finish.
    """
    followers: list[list[int]] = [[] for _ in order]
    for node, waits in enumerate(order):
        for target in waits:
            followers[target].append(node)
    stack = [*missing, *(node for node, waits in enumerate(order) if node in waits)]
    stack += [node for group in cyclic_components(order) for node in group]
    found = set(stack)
    while stack:
        new = set(followers[stack.pop()]) - found
        found |= new
        stack += new
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class GraphTask:
    """One task of a plan, or a name that tasks wait for and that the plan does not have."""

    name: str
    """Its id, or its place if it has none; unique in the graph."""
    title: str = ""
    line: int | None = None
    """Where it stands, from 1; None in JSON and YAML."""
    status: Status | None = None
    folded: int = 0
    """Subtasks that no dependency names: they are part of this task."""
    known: bool = True
    """False for a name that the plan does not have."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Tasks that work on one file, at least two of which may run at the same time."""

    file: str
    tasks: tuple[str, ...]


@dataclass(frozen=True)
class PlanGraph:
    """A plan as a graph of tasks. Tasks are named by their ids, in the order of the document.

    Tasks wait for what the plan says that they wait for. A task with subtasks ends when they end, and they wait for
    what it waits for. A Markdown plan that marks parallel tasks, or states no dependency, is worked through in the
    order of its list.
    """

    title: str
    tasks: tuple[GraphTask, ...]
    """Unknown names come last."""
    waits: tuple[tuple[int, ...], ...]
    """The tasks that each task waits for, by their numbers in `tasks`."""
    order: tuple[tuple[int, ...], ...]
    """`waits` with what the order of the list adds. Further nodes stand for what lies between two batches of it."""
    files: Mapping[str, tuple[int, ...]]
    """File to the tasks that name it."""

    @cached_property
    def wave_numbers(self) -> tuple[tuple[int, ...], ...]:
        """Tasks that may begin together, by number, wave after wave."""
        stuck = self.stuck
        sorter = TopologicalSorter({node: waits for node, waits in enumerate(self.order) if node not in stuck})
        sorter.prepare()
        waves = []
        while sorter.is_active():
            wave = list(self._ready(sorter))
            sorter.done(*wave)
            waves.append(tuple(sorted(wave)))
        return tuple(filter(None, waves))

    def _ready(self, sorter: TopologicalSorter[int]) -> Iterator[int]:
        """Yield the tasks that may begin now; what is no task is done at once."""
        while ready := sorter.get_ready():
            yield from (node for node in ready if node < len(self.tasks))
            sorter.done(*(node for node in ready if node >= len(self.tasks)))

    @cached_property
    def stuck(self) -> frozenset[int]:
        """Tasks that can never begin, unknown names and what waits for them, by number."""
        return stuck_in(self.order, (number for number, task in enumerate(self.tasks) if not task.known))

    @cached_property
    def cyclic(self) -> list[list[int]]:
        """Groups of tasks that wait for each other, by number."""
        return cyclic_components(self.order)

    @cached_property
    def path_numbers(self) -> tuple[int, ...]:
        """The critical path by number: each task waits for the one before it. Of equal ones, the first of the list."""
        wave_of = {task: number for number, wave in enumerate(self.wave_numbers) for task in wave}
        path = [min(self.wave_numbers[-1])] if self.wave_numbers else []
        while path and wave_of[path[-1]]:
            path.append(min(n for n in self._before(path[-1]) if wave_of[n] == wave_of[path[-1]] - 1))
        return tuple(reversed(path))

    def _before(self, task: int) -> Iterator[int]:
        """Yield the tasks that a task waits for, through what is no task."""
        stack = list(self.order[task])
        while stack:
            node = stack.pop()
            if node < len(self.tasks):
                yield node
            else:
                stack += self.order[node]

    def _names(self, numbers: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.tasks[number].name for number in numbers)

    @property
    def waves(self) -> tuple[tuple[str, ...], ...]:
        """Tasks that may run together, wave after wave."""
        return tuple(map(self._names, self.wave_numbers))

    @property
    def starts(self) -> tuple[str, ...]:
        """Tasks that wait for nothing: the first wave."""
        return self.waves[0] if self.waves else ()

    @property
    def critical_path(self) -> tuple[str, ...]:
        """The longest chain of tasks of which each waits for the one before it."""
        return self._names(self.path_numbers)

    @property
    def longest_chain(self) -> int:
        """How many tasks the critical path has: the fewest waves in which the plan can be worked through."""
        return len(self.wave_numbers)

    @property
    def unreachable(self) -> tuple[str, ...]:
        """Tasks that can never begin: in a circle, behind one, or behind a name that the plan does not have."""
        return self._names([number for number in sorted(self.stuck) if self._is_task(number)])

    def _is_task(self, number: int) -> bool:
        return number < len(self.tasks) and self.tasks[number].known

    @property
    def unknown(self) -> tuple[str, ...]:
        """Names that tasks wait for and that the plan does not have."""
        return tuple(task.name for task in self.tasks if not task.known)

    @cached_property
    def cycle_numbers(self) -> tuple[tuple[int, ...], ...]:
        """A shortest circle of each group by number, its first task again at the end."""
        found: list[tuple[int, ...]] = [(node, node) for node in range(len(self.tasks)) if node in self.order[node]]
        for group in map(set, self.cyclic):
            successors = {node: [one for one in self.order[node] if one in group] for node in group}
            circle = cycle_through(successors.__getitem__, min(group))
            found.append(tuple(node for node in circle if node < len(self.tasks)))
        return tuple(found)

    @property
    def cycles(self) -> tuple[tuple[str, ...], ...]:
        """A shortest circle of each group of tasks that wait for each other: ("T1", "T2", "T1")."""
        return tuple(map(self._names, self.cycle_numbers))

    def nearest(self, task: int) -> tuple[int, ...]:
        """Return what a task waits for but for what that waits for itself, by number: what a picture needs."""
        waits = self.waits[task]
        if len(waits) < 2 or task in self.stuck:
            return waits
        implied = self._stated.from_any(waits, set(waits)) or ()
        return tuple(target for target in waits if target not in implied)

    @cached_property
    def _stated(self) -> Reach:
        return Reach(self.waits)

    @cached_property
    def conflicts(self) -> tuple[Conflict, ...]:
        """Files that tasks work on which may run at the same time, wherever in the plan they stand.

        Tasks of a file that wait for each other all form a chain, so it is enough to look at neighbours in their order.
        """
        order = ranks(self.order)
        reach = Reach(self.order)
        found = []
        for file, users in self.files.items():
            chain = sorted((user for user in users if user not in self.stuck), key=order.__getitem__)
            met = [pair for pair in pairwise(chain) if not reach.from_any([pair[1]], {pair[0]})]
            if met:
                found.append(Conflict(file, self._names(sorted({task for pair in met for task in pair}))))
        return tuple(found)
