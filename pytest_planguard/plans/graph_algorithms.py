"""Graph algorithms on integers: strongly connected components, a short cycle, order, reachability.

All are linear and not recursive. A graph is a list of successor lists: `graph[a]` holds every b with an edge a -> b.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet

Graph = Sequence[Sequence[int]]


def cyclic_components(graph: Graph) -> list[list[int]]:
    """Return the strongly connected components with more than one node."""
    return _components(graph)[0]


def ranks(graph: Graph) -> list[int]:
    """Return a rank for each node. Nodes of one component share a rank, which is higher than any other successor's."""
    return _components(graph)[1]


def _components(graph: Graph) -> tuple[list[list[int]], list[int]]:
    """Return the components with more than one node, and the number of each node's component in order of completion.

    This is Tarjan's algorithm in one loop, since calls per node or edge would take longer than the work itself. The
    list `path` replaces the call stack.
    """
    large: list[list[int]] = []
    rank = [-1] * len(graph)
    index = [0] * len(graph)  # 1-based position in the order of first visits; 0 for an unvisited node
    low, following = [0] * len(graph), [0] * len(graph)  # `following`: the number of visited successors
    stack: list[int] = []
    path: list[int] = []
    clock = finished = 0
    for root in range(len(graph)):
        path += [] if index[root] else [root]
        while path:
            node = path[-1]
            if not index[node]:
                clock += 1
                index[node] = low[node] = clock
                stack.append(node)
            if following[node] < len(graph[node]):
                child = graph[node][following[node]]
                following[node] += 1
                if not index[child]:
                    path.append(child)
                # a finished child is off the stack: in 0 -> 1 and 2 -> 1, node 2 is no part of the component of 1
                elif rank[child] < 0 and index[child] < low[node]:
                    low[node] = index[child]
                continue
            path.pop()
            if path and low[node] < low[path[-1]]:
                low[path[-1]] = low[node]
            if low[node] == index[node]:
                component = _popped(stack, node, rank, finished)
                large += [component] if len(component) > 1 else []
                finished += 1
    return large, rank


def _popped(stack: list[int], root: int, rank: list[int], number: int) -> list[int]:
    """Pop a finished component off the stack, and note its number as the rank of each node."""
    start = len(stack) - 1
    while stack[start] != root:
        start -= 1
    component = stack[start:]
    del stack[start:]
    for node in component:
        rank[node] = number
    return component


def cycle_through(successors: Callable[[int], Sequence[int]], start: int) -> list[int]:
    """Return a shortest cycle through `start`, as [start, …, start].

    Of equally short cycles, it is the first in successor order. `start` must be part of a cycle, and `successors`
    returns the successors of a node that are in the same component.
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

    def floor(self, targets: Iterable[int]) -> int:
        """Return the lowest rank of the targets. A search goes no deeper: ranks fall along edges."""
        return min((self._rank[target] for target in targets), default=0)

    def from_any(self, sources: Sequence[int], targets: AbstractSet[int], floor: int | None = None) -> set[int] | None:
        """Return the targets that can be reached from a source over one or more edges; None if the budget runs out.

        Queries about the same targets pass their `floor`, which then is computed once.
        """
        floor = self.floor(targets) if floor is None else floor
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
