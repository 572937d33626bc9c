"""What several rules need to know about one plan, worked out once: ids, duplicates, the dependency graph."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cached_property
from typing import TYPE_CHECKING

from .graph import Reach, cyclic_components

if TYPE_CHECKING:
    from .plan import Edge, Plan, Task


_DIGITS = re.compile(r"(\d+)")  # splits "2.10b" into numbers and the rest

OWN_LINES = 100
"""Lines below a task that may be its own text."""


def natural(key: str) -> tuple[tuple[int, int | str], ...]:
    """Return a sort key by which "T2" comes before "T10"."""
    return tuple((0, int(part)) if part.isdecimal() else (1, part) for part in _DIGITS.split(key[:200]) if part)


class PlanIndex:
    """A plan with the views that rules share.

    Duplicates and dangling references never reach the graph: an id that stands twice could mean either task, so that
    a cycle through it may not exist, and its own finding already says what to fix.
    """

    def __init__(self, plan: Plan, catalogue: Collection[str] | None = None) -> None:
        self.plan = plan
        self.catalogue = catalogue
        """Names of the guards, agents or runners that exist; None where that is not known."""

    @cached_property
    def by_key(self) -> dict[str, Task]:
        """The first task of each key, in document order."""
        return {key: self.plan.tasks[number] for key, number in self.position.items()}

    @cached_property
    def repeated(self) -> dict[str, list[Task]]:
        """Keys that stand more than once, with all their tasks."""
        if len(self.position) == len(self.plan.tasks):
            return {}
        found: dict[str, list[Task]] = {}
        for task in self.plan.tasks:
            found.setdefault(task.key, []).append(task)
        return {key: tasks for key, tasks in found.items() if len(tasks) > 1}

    def in_own_words(self, task: Task, edge: Edge) -> bool:
        """Return whether a dependency stands in the text of the task that waits; prose elsewhere may mean another."""
        first, last = task.place.line, edge.place.line
        if first is None or last is None:
            return True  # a field of JSON or YAML
        between = range(first + 1, last + 1)
        return first <= last <= first + OWN_LINES and not any(line in self.on_line for line in between)

    @cached_property
    def section_keys(self) -> frozenset[str]:
        """What an edge to a whole section may be called."""
        return frozenset(section.key for section in self.plan.sections if section.key)

    def known(self, key: str) -> bool:
        """Return True where a task or a section has this key."""
        return key in self.position or key in self.section_keys

    def task(self, key: str) -> Task | None:
        """Return the first task of a key; None where there is none."""
        number = self.position.get(key)
        return None if number is None else self.plan.tasks[number]

    @cached_property
    def waiting(self) -> list[Task]:
        """The tasks with edges, in document order."""
        return [task for task in self.plan.tasks if task.edges]

    @cached_property
    def with_status(self) -> list[Task]:
        """The tasks with a status, or a word for one that is not known."""
        return [task for task in self.plan.tasks if task.status is not None or task.status_text is not None]

    @cached_property
    def placed(self) -> list[Task]:
        """The tasks whose place in the text is known already, as in Markdown."""
        return [task for task in self.plan.tasks if task.place.line is not None]

    @cached_property
    def edges(self) -> list[tuple[Task, Edge]]:
        """Every edge with the task that has it, in document order."""
        return [(task, edge) for task in self.waiting for edge in task.edges]

    @cached_property
    def dangling(self) -> Collection[tuple[str, int | None]]:
        """Target and line of every edge of a Markdown plan that leads nowhere, which `dep-exists` reports."""
        places = (
            (edge.target, edge.place.line)
            for _, edge in self.edges
            if edge.place.line is not None and not self.known(edge.target)
        )
        return dict.fromkeys(places).keys()  # a set takes up to four times the memory

    @cached_property
    def on_line(self) -> dict[int | None, tuple[Task, ...]]:
        """Tasks of a Markdown plan by the line on which they stand: hardly ever more than one."""
        found: dict[int | None, tuple[Task, ...]] = {}
        for task in self.plan.tasks:
            if (line := task.place.line) is not None:
                found[line] = (*found.get(line, ()), task)
        return found

    @cached_property
    def keys(self) -> list[str]:
        """Keys of the graph's nodes: tasks whose id is unique, then sections."""
        known, repeated = self.position, self.repeated
        tasks = [key for key in known if key not in repeated] if repeated else list(known)
        sections = dict.fromkeys(s.key for s in self.plan.sections if s.key)
        return [*tasks, *(key for key in sections if key not in known)]

    @cached_property
    def node(self) -> dict[str, int]:
        """Number of each node by its key."""
        if len(self.keys) == len(self.plan.tasks) and not self.repeated:  # every task is a node, and nothing else is
            return self.position
        return {key: number for number, key in enumerate(self.keys)}

    @cached_property
    def graph(self) -> list[tuple[int, ...]]:
        """What each node waits for: tasks for their edges, sections for their members. No loops to itself."""
        return self._resolved[0]

    @property
    def leading_nowhere(self) -> list[tuple[Task, Edge]]:
        """Edges to no node of the graph: to what is not there, and to ids that stand more than once."""
        return self._resolved[1]

    @property
    def loops(self) -> list[tuple[Task, Edge]]:
        """Edges from a task to itself."""
        return self._resolved[2]

    @cached_property
    def _resolved(self) -> tuple[list[tuple[int, ...]], list[tuple[Task, Edge]], list[tuple[Task, Edge]]]:
        """Every edge is looked up once, since that is what takes longest in a large plan."""
        node, leading_nowhere, loops = self.node, [], []
        graph: list[tuple[int, ...]] = [()] * len(self.keys)
        for task in self.waiting:
            number = node.get(task.key)
            targets: list[int] = []
            for edge in task.edges:
                target = node.get(edge.target)
                if target is None:
                    leading_nowhere.append((task, edge))
                elif target == number:
                    loops.append((task, edge))
                else:
                    targets.append(target)
            if number is not None:
                graph[number] = tuple(targets if len(targets) < 2 else dict.fromkeys(targets))
        self._add_sections(graph)
        return graph, leading_nowhere, loops

    def _add_sections(self, graph: list[tuple[int, ...]]) -> None:
        if not self.section_keys:
            return
        waited_for = {edge.target for _, edge in self.edges} & self.section_keys
        members: dict[str, list[int]] = {}
        for task in self.plan.tasks if waited_for else ():
            section = None if task.section is None else self.plan.sections[task.section].key
            if section in waited_for and task.key in self.node:
                members.setdefault(section, []).append(self.node[task.key])
        for section, tasks in members.items():
            if section in self.node:
                graph[self.node[section]] += tuple(tasks)

    @cached_property
    def cyclic(self) -> list[list[int]]:
        """Components of more than one node."""
        return cyclic_components(self.graph)

    @cached_property
    def reach(self) -> Reach:
        """Shared budget of reachability questions; only meaningful where the graph has no cycle."""
        return Reach(self.graph)

    @cached_property
    def position(self) -> dict[str, int]:
        """Place of the first task of each key in the document's order, from 0."""
        first: dict[str, int] = {}
        for number, task in enumerate(self.plan.tasks):
            first.setdefault(task.key, number)
        return first

    @cached_property
    def batch(self) -> dict[str, int]:
        """Number of the batch of each task that is marked parallel: marked neighbours of one section are one batch."""
        found: dict[str, int] = {}
        number = 0
        last: Task | None = None
        for task in self.plan.tasks:
            if last is None or not (last.parallel and task.parallel and last.section == task.section):
                number += 1
            if task.parallel:
                found.setdefault(task.key, number)
            last = task
        return found

    @cached_property
    def children(self) -> dict[str, list[Task]]:
        """Subtasks by the key of their parent."""
        found: dict[str, list[Task]] = {}
        for task in self.plan.tasks:
            if task.parent is not None:
                found.setdefault(task.parent, []).append(task)
        return found

    def edge(self, first: str, second: str) -> Edge | None:
        """Return the edge from one key to another; None where a section leads to its member."""
        task = self.task(first)
        return None if task is None else next((edge for edge in task.edges if edge.target == second), None)
