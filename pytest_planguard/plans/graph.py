"""Graph algorithms on integers: strongly connected components, a short cycle, order, reachability.

All linear and without recursion. A graph is a list of successor lists: `graph[a]` holds every b with an edge a -> b.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence

Graph = Sequence[Sequence[int]]


def components(graph: Graph) -> list[list[int]]:
    """Strongly connected components (Tarjan), successors before predecessors."""
    search = _Search(graph)
    for root in range(len(graph)):
        if not search.index[root]:
            search.run(root)
    return search.found


class _Search:
    """The state of one search for components."""

    def __init__(self, graph: Graph) -> None:
        count = len(graph)
        self.found: list[list[int]] = []
        self.index = [0] * count
        """Order of the first visit of each node, from 1; 0 before it."""
        self._graph = graph
        self._low = [0] * count
        self._on_stack = bytearray(count)
        self._stack: list[int] = []
        self._clock = 0

    def _enter(self, node: int) -> tuple[int, Iterator[int]]:
        self._clock += 1
        self.index[node] = self._low[node] = self._clock
        self._stack.append(node)
        self._on_stack[node] = 1
        return node, iter(self._graph[node])

    def run(self, root: int) -> None:
        """Visit everything that a node leads to; `work` stands in for the call stack."""
        index, low, on_stack = self.index, self._low, self._on_stack
        work = [self._enter(root)]
        while work:
            node, successors = work[-1]
            for child in successors:
                if not index[child]:
                    work.append(self._enter(child))
                    break
                if on_stack[child] and index[child] < low[node]:
                    low[node] = index[child]
            else:
                work.pop()
                if work and low[node] < low[work[-1][0]]:
                    low[work[-1][0]] = low[node]
                if low[node] == index[node]:
                    self._leave(node)

    def _leave(self, root: int) -> None:
        """Take one finished component off the stack."""
        component = []
        node = -1
        while node != root:
            node = self._stack.pop()
            self._on_stack[node] = 0
            component.append(node)
        self.found.append(component)


def cycle_through(successors: Callable[[int], Sequence[int]], start: int) -> list[int]:
    """A shortest cycle through `start`, as [start, …, start]. Breadth first, so linear; equal ones by the order given.

    Args:
        successors: the nodes that a node leads to, those outside the component of `start` left out.
        start: a node of a cycle.
    """
    came_from: dict[int, int] = {}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for child in successors(node):
            if child == start:
                return _path_back(came_from, start, node)
            if child not in came_from:
                came_from[child] = node
                queue.append(child)
    raise ValueError(f"no cycle through {start}")


def _path_back(came_from: dict[int, int], start: int, node: int) -> list[int]:
    path = [start]
    while node != start:
        path.append(node)
        node = came_from[node]
    path.append(start)
    return path[::-1]


def ranks(graph: Graph) -> list[int]:
    """A number for each node of an acyclic graph that is greater than those of all its successors."""
    rank = [0] * len(graph)
    for position, component in enumerate(components(graph)):
        for node in component:
            rank[node] = position
    return rank


class Reach:
    """Whether one node leads to another, within a budget of steps for all questions together.

    Reachability for all pairs is not linear. `spent` says that the budget is used up; answers are then None.
    """

    __slots__ = ("_graph", "_rank", "left")

    def __init__(self, graph: Graph, steps_per_node: int = 40) -> None:
        self._graph = graph
        self._rank = ranks(graph)
        self.left = 1000 + steps_per_node * (len(graph) + sum(map(len, graph)))

    @property
    def spent(self) -> bool:
        """True once the budget is used up."""
        return self.left <= 0

    def from_any(self, sources: Sequence[int], targets: set[int]) -> set[int] | None:
        """The targets that a source leads to over at least one edge; None when the budget ran out."""
        floor = min((self._rank[t] for t in targets), default=0)
        seen: set[int] = set()
        stack = list(sources)
        found: set[int] = set()
        while stack:
            node = stack.pop()
            for child in self._graph[node]:
                self.left -= 1
                if child not in seen and self._rank[child] >= floor:
                    seen.add(child)
                    stack.append(child)
                    if child in targets:
                        found.add(child)
            if self.spent:
                return None
        return found
