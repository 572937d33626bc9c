"""Build the graph of a plan: its task nodes, what each waits for, and the order that the list adds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

from .graph import ranks
from .index import PlanIndex
from .plan_graph import GraphTask, PlanGraph, stuck_in

if TYPE_CHECKING:
    from .plan import Plan, Task


def graph_of(plan: Plan) -> PlanGraph:
    """Return the graph of a plan. `PlanGraph` defines what waits for what."""
    return _Drawing(plan).graph()


class _Drawing:
    """Numbers the tasks of a plan that become nodes, and finds what each of them waits for."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.index = plan, PlanIndex(plan)
        self.tasks: list[Task] = []
        self.node_of: dict[str, int] = {}
        """The node of each key: of a task, an unknown name or a section."""
        self.folded: dict[int, int] = {}
        self._number_tasks()
        keys = (edge.target for edges in (self.index.edges, plan.section_edges) for _, edge in edges)
        self.unknown = [key for key in dict.fromkeys(keys) if not self.index.known(key)]
        self.node_of |= {key: number for number, key in enumerate(self.unknown, len(self.tasks))}
        self.order: list[list[int]] = [[] for _ in (*self.tasks, *self.unknown)]

    def _number_tasks(self) -> None:
        named = {key for task, edge in self.index.edges for key in (task.key, edge.target)}
        for task in self.plan.tasks:
            parent = self.node_of.get(task.parent or "")
            if parent is None or task.key in named:
                self.node_of.setdefault(task.key, len(self.tasks))
                self.tasks.append(task)
            else:  # no dependency names it, so it is a part of its parent
                self.node_of.setdefault(task.key, parent)
                self.folded[parent] = self.folded.get(parent, 0) + 1

    def graph(self) -> PlanGraph:
        """Return the finished graph."""
        members = self._members()
        for section in {edge.target for edges in (self.index.edges, self.plan.section_edges) for _, edge in edges}:
            if section not in self.node_of:
                self.node_of[section] = self._barrier(members.get(section, ()))
        for task, edge in self.index.edges:
            self.order[self.node_of[task.key]].append(self.node_of[edge.target])
        shown = len(self.tasks) + len(self.unknown)
        waits = tuple(tuple(dict.fromkeys(one for one in self.order[node] if one < shown)) for node in range(shown))
        self._add_sections(members)
        self._add([*self._of_parents()])
        if (self.plan.find is None or self.plan.traits.ordered) and self._is_listed_in_order():
            stuck = stuck_in(self.order, range(len(self.tasks), shown))
            self._add([pair for pair in self._of_list() if pair[1] not in stuck])
        order = tuple(tuple(dict.fromkeys(nodes)) for nodes in self.order)
        return PlanGraph(self.plan.title, tuple(self._nodes()), waits, order, self._files())

    def _members(self) -> dict[str, list[int]]:
        """Return the tasks of each section by its key."""
        found: dict[str, list[int]] = {}
        for number, task in enumerate(self.tasks):
            if task.section is not None and self.plan.sections[task.section].key:
                found.setdefault(self.plan.sections[task.section].key, []).append(number)
        return found

    def _barrier(self, before: Iterable[int]) -> int:
        """Return a new node that is not a task. It waits for some nodes, so that others need to wait only for it."""
        self.order.append([*before])
        return len(self.order) - 1

    def _add_sections(self, members: dict[str, list[int]]) -> None:
        """Make the tasks of a section wait for what the section waits for."""
        for section, edges in groupby(sorted(self.plan.section_edges, key=lambda one: one[0]), lambda one: one[0]):
            gate = self._barrier(self.node_of[edge.target] for _, edge in edges)
            for task in members.get(section, ()):
                self.order[task].append(gate)

    def _add(self, pairs: list[tuple[int, int]]) -> None:
        """Add unstated pairs of a node and its predecessor, except those that would close a cycle."""
        tried = [[*waits] for waits in self.order]
        for node, target in pairs:
            tried[node].append(target)
        rank = ranks(tried)
        for node, target in pairs:
            if rank[node] != rank[target]:
                self.order[node].append(target)

    def _of_parents(self) -> Iterator[tuple[int, int]]:
        """Yield the pairs that make a task end after its subtasks, and these wait for what the task waits for."""
        gates: dict[int, int] = {}
        for number, task in enumerate(self.tasks):
            parent = self.node_of.get(task.parent or "")
            if parent is not None and parent != number:
                if parent not in gates:
                    gates[parent] = self._barrier(())
                    yield from [(gates[parent], target) for target in self.order[parent]]
                yield from ((parent, number), (number, gates[parent]))

    def _is_listed_in_order(self) -> bool:
        """Return True if the list is in working order: it marks exceptions, or the plan states no other order."""
        return any(task.parallel for task in self.tasks) or not self.index.edges

    def _of_list(self) -> Iterator[tuple[int, int]]:
        """Yield the pairs that make each task wait for earlier ones, except neighbours that are marked parallel."""
        own_order = {section for section, _ in self.plan.section_edges}
        before: int | None = None
        section: int | None = None
        for batch in self._batches():
            end, new = self._barrier(()), self.tasks[batch[0]].section
            key = "" if new is None else self.plan.sections[new].key
            if before is not None and (new == section or key not in own_order):
                yield from ((node, before) for node in (*batch, end))
            yield from ((end, task) for task in batch)
            before, section = end, new

    def _batches(self) -> Iterator[list[int]]:
        """Yield the tasks in list order, with marked neighbours of one section together."""
        batch: list[int] = []
        for number in self._in_order():
            task = self.tasks[number]
            if batch:
                last = self.tasks[batch[-1]]
                if not (last.parallel and task.parallel and last.section == task.section):
                    yield batch
                    batch = []
            batch.append(number)
        if batch:
            yield batch

    def _in_order(self) -> list[int]:
        """Return the tasks without subtasks as listed, but each after what it waits for: T002 after a later T004."""
        parents = {task.parent for task in self.tasks}
        rank, last = ranks(self.order), list(range(len(self.order)))
        for node in sorted(last, key=rank.__getitem__):
            last[node] = max((node, *(last[target] for target in self.order[node] if target < len(self.tasks))))
        own = (number for number, task in enumerate(self.tasks) if task.key not in parents)
        return sorted(own, key=lambda number: (last[number], rank[number]))

    def _nodes(self) -> Iterator[GraphTask]:
        taken: set[str] = set()
        for number, task in enumerate(self.tasks):
            line = task.place.line
            name = task.name if task.name not in taken else f"{task.name} (line {line})" if line else task.key
            name = name if name not in taken else f"{name} [{number + 1}]"
            taken.add(name)
            yield GraphTask(name, task.title, line, task.status, self.folded.get(number, 0))
        yield from (GraphTask(key, known=False) for key in self.unknown)

    def _files(self) -> dict[str, tuple[int, ...]]:
        """Return the tasks of each file that several name, including through folded subtasks."""
        found: dict[str, dict[int, None]] = {}
        for task in self.plan.tasks:
            for file in task.files:
                found.setdefault(file.name, {})[self.node_of[task.key]] = None
        return {file: tuple(users) for file, users in found.items() if len(users) > 1}
