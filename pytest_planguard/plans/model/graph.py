"""Graph algorithms on integers: strongly connected components, a short cycle, order, reachability.

All are linear and not recursive. A graph is a list of successor lists: `graph[a]` holds every b with an edge a ->
b.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

Graph = Sequence[Sequence[int]]


def cyclic_components(graph: Graph) -> list[list[int]]:
    """Return the strongly connected components that have more than one node (Tarjan's algorithm).

    This costs almost nothing if every edge leads to a lower number.
    """
    return [] if _descends(graph) else _Search(graph).large


def ranks(graph: Graph) -> list[int]:
    """Return a rank for each node. Nodes of one component share a rank, which is higher than any other successor's."""
    return list(range(len(graph))) if _descends(graph) else _Search(graph).rank


def _descends(graph: Graph) -> bool:
    """Return True if every edge leads to a lower number (each task waits for earlier ones), so there are no cycles."""
    return all(max(children) < node for node, children in enumerate(graph) if children)


class _Search:
    """A search for components. It keeps no object per node, so it leaves no work for the garbage collector."""

    def __init__(self, graph: Graph) -> None:
        count = len(graph)
        self.large: list[list[int]] = []
        """Components that have more than one node."""
        self.rank = [-1] * count
        """Number of each node's component, in the order of completion."""
        self._graph = graph
        self._index = [0] * count  # 1-based position in the order of first visits; 0 for an unvisited node
        self._low = [0] * count
        self._next = [0] * count  # number of visited successors of each node
        self._stack: list[int] = []
        self._clock = self._finished = 0
        for root in range(count):
            if not self._index[root]:
                self._run(root)

    def _run(self, root: int) -> None:
        """Visit all nodes that can be reached from `root`. The list `path` replaces the call stack.

        This is one loop without calls per node or edge, since the calls would take longer than the work itself.
        """
        graph, index, low, rank, following = self._graph, self._index, self._low, self.rank, self._next
        self._clock += 1
        index[root] = low[root] = self._clock
        self._stack.append(root)
        path = [root]
        while path:
            node = path[-1]
            children, at = graph[node], following[node]
            if at < len(children):
                following[node] = at + 1
                child = children[at]
                if not index[child]:
                    self._clock += 1
                    index[child] = low[child] = self._clock
                    self._stack.append(child)
                    path.append(child)
                elif rank[child] < 0 and index[child] < low[node]:
                    low[node] = index[child]
                continue
            path.pop()
            if path and low[node] < low[path[-1]]:
                low[path[-1]] = low[node]
            if low[node] == index[node]:
                self._leave(node)

    def _leave(self, root: int) -> None:
        """Pop a finished component off the stack."""
        stack = self._stack
        start = len(stack) - 1
        while stack[start] != root:
            start -= 1
        component = stack[start:]
        del stack[start:]
        for node in component:
            self.rank[node] = self._finished
        self._finished += 1
        if len(component) > 1:
            self.large.append(component)


def cycle_through(successors: Callable[[int], Sequence[int]], start: int) -> list[int]:
    """Return a shortest cycle through `start`, as [start, …, start].

    The search is breadth-first, so it is linear. Of equally short cycles, it returns the first in successor order.

    Args:
        successors: returns the successors of a node that are in the same component as `start`.
        start: a node that is part of a cycle.
    """
    came_from: dict[int, int] = {}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for child in successors(node):
            if child == start:
                path = [start]
                while node != start:
                    path.append(node)
                    node = came_from[node]
                return [start, *reversed(path)]
            if child not in came_from:
                came_from[child] = node
                queue.append(child)
    raise ValueError(f"no cycle through {start}")


class Reach:
    """Answers which nodes can be reached from others. All queries share one budget of steps.

    The budget is needed because reachability for all pairs is not linear. Once `spent` is True, queries return None.
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
        """Return the targets that can be reached from a source over one or more edges; None if the budget runs out."""
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
