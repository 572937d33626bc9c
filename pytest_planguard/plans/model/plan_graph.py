"""A plan's task graph: waves, the longest chain, tasks that can never start, conflicting files."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

from .graph import Reach, cycle_through, cyclic_components, ranks
from .plan import Status


def waves_of(order: Sequence[Sequence[int]], tasks: int, missing: Collection[int]) -> list[list[int]]:
    """Return the waves of nodes that may start together. None has a node in a cycle, a missing one, or one after these.

    `order` has, for each node, the nodes that it waits for. Only the first `tasks` of them take time.
    """
    sorter, waves = TopologicalSorter(dict(enumerate(order))), list[list[int]]()
    with suppress(CycleError):  # the sorter still yields every node that waits for no cycle
        sorter.prepare()
    while True:
        wave: list[int] = []
        while ready := {*sorter.get_ready()}.difference(missing):
            wave += ready
            sorter.done(*(node for node in ready if node >= tasks))
        if not wave:
            return waves
        waves.append(wave)
        sorter.done(*(node for node in wave if node < tasks))


@dataclass(frozen=True, slots=True)
class GraphTask:
    """A task of a plan, or the name of a missing task that others depend on."""

    name: str
    """The task's id, or its place if it has none. Unique in the graph."""
    title: str = ""
    line: int | None = None
    """The task's 1-based line; None in JSON and YAML."""
    status: Status | None = None
    folded: int = 0
    """Number of subtasks that no dependency names. They are part of this task."""
    known: bool = True
    """False for a name that the plan does not have."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Tasks that change the same file. At least two of them may run at the same time."""

    file: str
    tasks: tuple[str, ...]


@dataclass(frozen=True)
class PlanGraph:
    """A plan as a graph of tasks, named by their ids, in document order.

    A task with subtasks ends when they end, and they wait for everything that it waits for. If a Markdown plan marks
    parallel tasks or states no dependencies, its tasks run in list order.
    """

    title: str
    tasks: tuple[GraphTask, ...]
    """The tasks. Missing tasks come last."""
    waits: tuple[tuple[int, ...], ...]
    """For each task, the tasks that it waits for, as indices into `tasks`."""
    order: tuple[tuple[int, ...], ...]
    """`waits` plus the list order. Extra nodes represent the gaps between two batches of the list."""
    files: Mapping[str, tuple[int, ...]]
    """The tasks that name each file."""

    @cached_property
    def _waves(self) -> list[list[int]]:
        return waves_of(self.order, len(self.tasks), [at for at, task in enumerate(self.tasks) if not task.known])

    @cached_property
    def wave_numbers(self) -> tuple[tuple[int, ...], ...]:
        """Waves of tasks that may start together, as indices into `tasks`."""
        waves = (tuple(sorted(node for node in wave if node < len(self.tasks))) for wave in self._waves)
        return tuple(filter(None, waves))

    @cached_property
    def stuck(self) -> frozenset[int]:
        """Tasks that can never start, unknown names and the tasks that wait for either, as indices into `tasks`."""
        return frozenset(range(len(self.order))).difference(*self._waves)

    @cached_property
    def path_numbers(self) -> tuple[int, ...]:
        """The critical path by number: each task waits for the previous one. Of equal paths, the first in the list."""
        wave_of = {task: number for number, wave in enumerate(self.wave_numbers) for task in wave}
        path = [min(self.wave_numbers[-1])] if self.wave_numbers else []
        while path and wave_of[path[-1]]:
            path.append(min(n for n in self._before(path[-1]) if wave_of[n] == wave_of[path[-1]] - 1))
        return tuple(reversed(path))

    def _before(self, task: int) -> Iterator[int]:
        """Yield the tasks that a task waits for, through other nodes."""
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
        """Waves of tasks that may run together."""
        return tuple(map(self._names, self.wave_numbers))

    @property
    def critical_path(self) -> tuple[str, ...]:
        """The longest chain of tasks in which each waits for the previous one."""
        return self._names(self.path_numbers)

    @property
    def longest_chain(self) -> int:
        """The length of the critical path, which is the minimum number of waves to complete the plan."""
        return len(self.wave_numbers)

    @property
    def unreachable(self) -> tuple[str, ...]:
        """Tasks that can never start, because of a cycle or a missing task before them."""
        tasks = (number for number in sorted(self.stuck) if number < len(self.tasks))
        return self._names([number for number in tasks if self.tasks[number].known])

    @property
    def unknown(self) -> tuple[str, ...]:
        """Names that tasks depend on, but that are not in the plan."""
        return tuple(task.name for task in self.tasks if not task.known)

    @cached_property
    def cycle_numbers(self) -> tuple[tuple[int, ...], ...]:
        """A shortest cycle of each group by number, with its first task again at the end."""
        found: list[tuple[int, ...]] = [(node, node) for node in range(len(self.tasks)) if node in self.order[node]]
        for group in map(set, cyclic_components(self.order)):
            successors = {node: [one for one in self.order[node] if one in group] for node in group}
            circle = cycle_through(successors.__getitem__, min(group))
            found.append(tuple(node for node in circle if node < len(self.tasks)))
        return tuple(found)

    @property
    def cycles(self) -> tuple[tuple[str, ...], ...]:
        """A shortest cycle of each group of tasks that wait for each other: ("T1", "T2", "T1")."""
        return tuple(map(self._names, self.cycle_numbers))

    def nearest(self, task: int) -> tuple[int, ...]:
        """Return the direct dependencies of a task (by number) that others do not imply. A diagram needs only these."""
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
        """Files that are changed by tasks that may run at the same time."""
        order, reach, found = ranks(self.order), Reach(self.order), []
        for file, users in self.files.items():
            # tasks that all wait for each other form a chain, so it is enough to check neighbours
            chain = sorted((user for user in users if user not in self.stuck), key=order.__getitem__)
            met = [pair for pair in pairwise(chain) if not reach.from_any([pair[1]], {pair[0]})]
            if met:
                found.append(Conflict(file, self._names(sorted({task for pair in met for task in pair}))))
        return tuple(found)
