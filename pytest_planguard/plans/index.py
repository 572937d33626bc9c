"""Facts about a plan that several rules share, computed once: ids, duplicates, the dependency graph."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property
from typing import TypeVar

from .graph_algorithms import Reach, cyclic_components
from .plan import Edge, Plan, Task

_T = TypeVar("_T")
_DIGITS = re.compile(r"(\d+)")  # splits "2.10b" into numbers and the rest

OWN_LINES = 100
"""Maximum number of lines below a task that may belong to its text."""


def natural(key: str) -> tuple[tuple[int, int | str], ...]:
    """Return a sort key that puts "T2" before "T10"."""
    # 200 characters, because Python reads no number of more than 4,300 digits, and an id may be "T" and 5,000 of them
    return tuple((0, int(part)) if part.isdecimal() else (1, part) for part in _DIGITS.split(key[:200]) if part)


def batches(items: Iterable[_T], task_of: Callable[[_T], Task]) -> Iterator[list[_T]]:
    """Yield batches of items in order. Neighbours whose tasks are parallel and in one section share a batch."""
    batch: list[_T] = []
    for item in items:
        last, task = task_of(batch[-1]) if batch else None, task_of(item)
        # the last [P] of phase 1 and the first of phase 2 are neighbours, and still one after the other
        if last is not None and not (last.parallel and task.parallel and last.section == task.section):
            yield batch
            batch = []
        batch.append(item)
    yield from [batch] if batch else []


class PlanIndex:
    """A plan with the views that rules share.

    Duplicate ids and dangling references never reach the graph. A reference to a duplicate id may mean either task, so
    a cycle through it may not exist. A separate finding already says how to fix the duplicate.
    """

    def __init__(self, plan: Plan, catalogue: Collection[str] | None = None) -> None:
        self.plan = plan
        self.catalogue = catalogue
        """Names of the existing guards, agents or runners; None if unknown."""

    @cached_property
    def position(self) -> dict[str, int]:
        """0-based index of the first task with each key, in document order."""
        first: dict[str, int] = {}
        for number, task in enumerate(self.plan.tasks):
            first.setdefault(task.key, number)
        return first

    @cached_property
    def by_key(self) -> dict[str, Task]:
        """The first task of each key, in document order."""
        return {key: self.plan.tasks[number] for key, number in self.position.items()}

    @cached_property
    def repeated(self) -> dict[str, list[Task]]:
        """Keys that occur more than once, with all their tasks."""
        found: dict[str, list[Task]] = {}
        for task in self.plan.tasks:
            found.setdefault(task.key, []).append(task)
        return {key: tasks for key, tasks in found.items() if len(tasks) > 1}

    def in_own_words(self, task: Task, edge: Edge) -> bool:
        """Return True if the waiting task's own text states the edge. Prose elsewhere may be about another task."""
        first, last = task.place.line, edge.place.line
        if first is None or last is None:
            return True  # a field of JSON or YAML
        between = range(first + 1, last + 1)
        return first <= last <= first + OWN_LINES and not any(line in self.on_line for line in between)

    @cached_property
    def section_keys(self) -> frozenset[str]:
        """The keys that an edge to a whole section may have."""
        return frozenset(section.key for section in self.plan.sections if section.key)

    def known(self, key: str) -> bool:
        """Return True if a task or section has this key."""
        return key in self.position or key in self.section_keys

    @cached_property
    def waiting(self) -> list[Task]:
        """The tasks with edges, in document order."""
        return [task for task in self.plan.tasks if task.edges]

    @cached_property
    def edges(self) -> list[tuple[Task, Edge]]:
        """Every edge with its task, in document order."""
        return [(task, edge) for task in self.waiting for edge in task.edges]

    @property
    def resolved(self) -> Iterator[tuple[Task, Edge, Task]]:
        """Every edge to a task with a unique key, with the tasks on both sides."""
        for task, edge in self.edges:
            target = self.by_key.get(edge.target)
            if target is not None and edge.target not in self.repeated:
                yield task, edge, target

    @cached_property
    def on_line(self) -> dict[int | None, tuple[Task, ...]]:
        """Tasks of a Markdown plan by line. A line rarely holds more than one task."""
        found: dict[int | None, tuple[Task, ...]] = {}
        for task in self.plan.tasks:
            if (line := task.place.line) is not None:
                found[line] = (*found.get(line, ()), task)
        return found

    @cached_property
    def keys(self) -> list[str]:
        """Keys of the graph's nodes: tasks with unique ids, then sections."""
        known, repeated = self.position, self.repeated
        tasks = [key for key in known if key not in repeated] if repeated else list(known)
        sections = dict.fromkeys(s.key for s in self.plan.sections if s.key)
        return [*tasks, *(key for key in sections if key not in known)]

    @cached_property
    def node(self) -> dict[str, int]:
        """Number of each node by its key."""
        return {key: number for number, key in enumerate(self.keys)}

    @cached_property
    def graph(self) -> list[list[int]]:
        """The nodes that each node waits for: targets of edges; a section also waits for its members.

        There are no self-loops.
        """
        graph: list[list[int]] = [[] for _ in self.keys]
        for task in self.waiting:
            number = self.node.get(task.key)
            if number is not None:
                found = (self.node.get(edge.target) for edge in task.edges)
                graph[number] += dict.fromkeys(one for one in found if one is not None and one != number)
        for name, edge in self.plan.section_edges:
            if name != edge.target and self.section_keys.issuperset((name, edge.target)):
                graph[self.node[name]].append(self.node[edge.target])
        for task in self.plan.tasks if self.section_keys else ():
            section = "" if task.section is None else self.plan.sections[task.section].key
            if section in self.node and task.key in self.node:
                graph[self.node[section]].append(self.node[task.key])
        return graph

    @cached_property
    def cyclic(self) -> list[list[int]]:
        """Components that have more than one node."""
        return cyclic_components(self.graph)

    @cached_property
    def reach(self) -> Reach:
        """Reachability queries that share one budget, for a graph without cycles."""
        return Reach(self.graph)

    @cached_property
    def batch(self) -> dict[str, int]:
        """Batch number of each parallel task."""
        numbered = enumerate(batches(self.plan.tasks, lambda task: task))
        pairs = [(task.key, number) for number, batch in numbered for task in batch if task.parallel]
        return dict(reversed(pairs))  # the first task of a key counts
