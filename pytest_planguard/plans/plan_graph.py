"""A plan's task graph, and how it is built: waves, the longest chain, tasks that can never start, conflicting files."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from itertools import chain, groupby, pairwise

from .graph_algorithms import Reach, cycle_through, cyclic_components, ranks
from .index import PlanIndex, batches
from .plan import Plan, Task
from .status import Status


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
            sorter.done(*(node for node in ready if node >= tasks))  # a gap takes no time: what waits for it begins too
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
        last: dict[int, tuple[int, int]] = {}  # wave and negative number of the last task that a node waits for
        for node in chain.from_iterable(self._waves):  # a wave has each gap of the list behind what the gap waits for
            before = [(wave_of[one], -one) if one < len(self.tasks) else last.get(one) for one in self.order[node]]
            if known := [one for one in before if one is not None]:
                last[node] = max(known)
        path = [min(self.wave_numbers[-1])] if self.wave_numbers else []
        while path and path[-1] in last:
            path.append(-last[path[-1]][1])
        return tuple(reversed(path))

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
        # a task that waits for itself is no component of several nodes
        found: list[tuple[int, ...]] = [(node, node) for node in range(len(self.tasks)) if node in self.order[node]]
        for group in map(set, cyclic_components(self.order)):
            successors = {node: [one for one in self.order[node] if one in group] for node in group}
            circle = cycle_through(successors.__getitem__, min(group))
            found.append(tuple(node for node in circle if node < len(self.tasks)))  # without gaps, which have no name
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
            # a task that can never start changes no file
            # tasks that all wait for each other form a chain, so it is enough to check neighbours
            chain = sorted((user for user in users if user not in self.stuck), key=order.__getitem__)
            met = [pair for pair in pairwise(chain) if not reach.from_any([pair[1]], {pair[0]})]
            if met:
                found.append(Conflict(file, self._names(sorted({task for pair in met for task in pair}))))
        return tuple(found)


def graph_of(plan: Plan) -> PlanGraph:
    """Return the graph of a plan. `PlanGraph` defines what waits for what."""
    return _Drawing(plan).graph()


class _Drawing:
    """Numbers the tasks of a plan that become nodes, and finds what each of them waits for."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.index = plan, PlanIndex(plan)
        self.tasks: list[Task] = []
        self.node_of: dict[str, int] = {}
        """Maps the key of a task, a section or an unknown name to its node."""
        self.folded: dict[int, int] = {}
        self._number_tasks()
        targets = (edge.target for edges in (self.index.edges, plan.section_edges) for _, edge in edges)
        self.targets = dict.fromkeys(targets)
        self.unknown = [key for key in self.targets if not self.index.known(key)]
        self.node_of |= {key: number for number, key in enumerate(self.unknown, len(self.tasks))}
        self.order: list[list[int]] = [[] for _ in (*self.tasks, *self.unknown)]

    def _number_tasks(self) -> None:
        named = {key for task, edge in self.index.edges for key in (task.key, edge.target)}
        for task in self.plan.tasks:
            parent = self.node_of.get(task.parent or "")
            if parent is None or task.key in named:
                self.node_of.setdefault(task.key, len(self.tasks))
                self.tasks.append(task)
            else:  # no dependency names this subtask, so its parent includes it
                self.node_of.setdefault(task.key, parent)
                self.folded[parent] = self.folded.get(parent, 0) + 1

    def graph(self) -> PlanGraph:
        """Return the finished graph."""
        members = self._members()
        for section in [key for key in self.targets if key not in self.node_of]:
            self.node_of[section] = self._barrier(members.get(section, ()))
        for task, edge in self.index.edges:
            self.order[self.node_of[task.key]].append(self.node_of[edge.target])
        shown = len(self.tasks) + len(self.unknown)
        waits = tuple(tuple(dict.fromkeys(one for one in self.order[node] if one < shown)) for node in range(shown))
        self._add_sections(members)
        self._add([*self._of_parents()])
        # list order is work order if the list marks parallel tasks, or the plan states no other order
        is_in_order = any(task.parallel for task in self.tasks) or not self.index.edges
        # in JSON and YAML, the order of the list says nothing unless the format is `ordered`
        if is_in_order and (self.plan.find is None or self.plan.traits.ordered):
            waves = waves_of(self.order, 0, range(len(self.tasks), shown))
            stuck = set(range(len(self.order))).difference(*waves)
            self._add([pair for pair in self._of_list() if pair[1] not in stuck])
        order = tuple(tuple(dict.fromkeys(nodes)) for nodes in self.order)
        return PlanGraph(self.plan.title, tuple(self._nodes()), waits, order, self._files())

    def _members(self) -> dict[str, list[int]]:
        """Return a mapping from each section's key to its tasks."""
        found: dict[str, list[int]] = {}
        for number, task in enumerate(self.tasks):
            if task.section is not None and self.plan.sections[task.section].key:
                found.setdefault(self.plan.sections[task.section].key, []).append(number)
        return found

    def _barrier(self, before: Iterable[int]) -> int:
        """Return a new node that is not a task. It waits for all of `before`, so other nodes can wait for it alone."""
        self.order.append([*before])
        return len(self.order) - 1

    def _add_sections(self, members: dict[str, list[int]]) -> None:
        """Make the tasks of a section wait for what the section waits for."""
        for section, edges in groupby(sorted(self.plan.section_edges, key=lambda one: one[0]), lambda one: one[0]):
            gate = self._barrier(self.node_of[edge.target] for _, edge in edges)
            for task in members.get(section, ()):
                self.order[task].append(gate)

    def _add(self, pairs: list[tuple[int, int]]) -> None:
        """Add pairs of a node and an implied predecessor, except pairs that would close a cycle."""
        tried = [[*waits] for waits in self.order]
        for node, target in pairs:
            tried[node].append(target)
        rank = ranks(tried)
        for node, target in pairs:
            if rank[node] != rank[target]:
                self.order[node].append(target)

    def _of_parents(self) -> Iterator[tuple[int, int]]:
        """Yield pairs so that a task ends after its subtasks, and they wait for everything that it waits for."""
        gates: dict[int, int] = {}
        for number, task in enumerate(self.tasks):
            parent = self.node_of.get(task.parent or "")
            if parent is not None and parent != number:
                if parent not in gates:
                    gates[parent] = self._barrier(())
                    yield from [(gates[parent], target) for target in self.order[parent]]
                yield from ((parent, number), (number, gates[parent]))

    def _of_list(self) -> Iterator[tuple[int, int]]:
        """Yield pairs so that each task waits for the tasks before it, except for neighbours marked as parallel."""
        own_order = {section for section, _ in self.plan.section_edges}
        before: int | None = None
        section: int | None = None
        for batch in batches(self._in_order(), self.tasks.__getitem__):
            end, new = self._barrier(()), self.tasks[batch[0]].section
            key = "" if new is None else self.plan.sections[new].key
            # "Phase 3 depends on Phase 1": its tasks do not wait for phase 2, which is between them in the list
            if before is not None and (new == section or key not in own_order):
                yield from ((node, before) for node in (*batch, end))
            yield from ((end, task) for task in batch)
            before, section = end, new

    def _in_order(self) -> list[int]:
        """Return the tasks without subtasks in list order, but move T002 behind T004 if T002 waits for T004."""
        parents = {task.parent for task in self.tasks}
        rank, last = ranks(self.order), list(range(len(self.order)))
        for node in sorted(last, key=rank.__getitem__):  # what a node waits for has a lower rank, and comes first
            last[node] = max((node, *(last[target] for target in self.order[node] if target < len(self.tasks))))
        own = (number for number, task in enumerate(self.tasks) if task.key not in parents)
        return sorted(own, key=lambda number: (last[number], rank[number]))

    def _nodes(self) -> Iterator[GraphTask]:
        taken: set[str] = set()
        for number, task in enumerate(self.tasks):
            line = task.place.line
            own = task.id or (f"line {line}" if line else task.key)
            # two tasks T001 are two nodes, so the second is "T001 (line 9)"
            name = own if own not in taken else f"{own} (line {line})" if line else task.key
            name = name if name not in taken else f"{name} [{number + 1}]"
            taken.add(name)
            yield GraphTask(name, task.title, line, task.status, self.folded.get(number, 0))
        yield from (GraphTask(key, known=False) for key in self.unknown)

    def _files(self) -> dict[str, tuple[int, ...]]:
        """Return, for each file that several tasks name, these tasks. A folded subtask's files belong to its parent."""
        found: dict[str, dict[int, None]] = {}
        for task in self.plan.tasks:
            for file in task.files:
                found.setdefault(file.name, {})[self.node_of[task.key]] = None
        return {file: tuple(users) for file, users in found.items() if len(users) > 1}
