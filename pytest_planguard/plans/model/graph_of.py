"""Build the graph of a plan: its task nodes, what each node waits for, and the order implied by the task list."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from .graph import ranks
from .index import PlanIndex, batches
from .plan import Plan, Task
from .plan_graph import GraphTask, PlanGraph, waves_of


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
            if before is not None and (new == section or key not in own_order):
                yield from ((node, before) for node in (*batch, end))
            yield from ((end, task) for task in batch)
            before, section = end, new

    def _in_order(self) -> list[int]:
        """Return the tasks without subtasks in list order, but move T002 behind T004 if T002 waits for T004."""
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
            own = task.id or (f"line {line}" if line else task.key)
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
