"""Components, cycles and reachability on integer graphs."""

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.plans.graph_algorithms import Reach, cycle_through, cyclic_components, ranks
from pytest_planguard.plans.index import natural

from ..support.cost import assert_growth

GRAPHS = st.integers(1, 12).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, n - 1), max_size=4, unique=True), min_size=n, max_size=n)
)


def reachable(graph: list[list[int]], start: int) -> set[int]:
    """Nodes that `start` leads to over at least one edge: the definition, without cleverness."""
    seen: set[int] = set()
    todo = list(graph[start])
    while todo:
        node = todo.pop()
        if node not in seen:
            seen.add(node)
            todo.extend(graph[node])
    return seen


@pytest.mark.slow
@given(GRAPHS)
def test_components_are_the_classes_of_mutual_reachability(graph: list[list[int]]) -> None:
    """Two nodes share a component exactly when each leads to the other."""
    component = dict(enumerate(ranks(graph)))
    for a in component:
        for b in component:
            mutual = a == b or (b in reachable(graph, a) and a in reachable(graph, b))
            assert (component[a] == component[b]) == mutual


@pytest.mark.slow
@given(GRAPHS)
def test_a_cycle_is_a_closed_walk_and_no_shorter_one_exists(graph: list[list[int]]) -> None:
    """The cycle of a component starts and ends at the asked node, follows edges, and is shortest through it."""
    for nodes in cyclic_components(graph):
        cycle = cycle_through([[n for n in children if n in nodes] for children in graph].__getitem__, nodes[0])
        assert cycle[0] == cycle[-1] == nodes[0]
        assert all(b in graph[a] for a, b in itertools.pairwise(cycle))
        level, frontier, seen = 1, set(graph[nodes[0]]), set()
        while nodes[0] not in frontier:
            seen |= frontier
            frontier = {c for f in frontier for c in graph[f]} - seen
            level += 1
        assert len(cycle) - 1 == level


@given(GRAPHS)
def test_ranks_order_an_acyclic_graph(graph: list[list[int]]) -> None:
    """Every node of an acyclic graph ranks above what it leads to."""
    acyclic = [[child for child in children if child < node] for node, children in enumerate(graph)]
    rank = ranks(acyclic)
    assert all(rank[node] > rank[child] for node, children in enumerate(acyclic) for child in children)


@given(GRAPHS)
def test_reach_agrees_with_plain_reachability(graph: list[list[int]]) -> None:
    """Within its budget, `Reach` finds the targets that a plain search finds."""
    acyclic = [[child for child in children if child < node] for node, children in enumerate(graph)]
    reach = Reach(acyclic)
    for node in range(len(acyclic)):
        targets = set(range(0, len(acyclic), 2))
        assert reach.from_any([node], targets) == reachable(acyclic, node) & targets


@pytest.mark.slow
def test_reach_answers_none_when_its_budget_is_spent() -> None:
    """Reachability of all pairs is not linear, so a spent budget says so and does not guess."""
    count = 2000
    reach = Reach([list(range(node)) for node in range(count)], steps_per_node=0)
    assert reach.from_any([count - 1], {0}) is None
    assert reach.spent


@pytest.mark.slow
def test_a_ring_of_100000_nodes_takes_linear_time() -> None:
    """No recursion and no quadratic step: ten times the nodes cost about ten times the time."""

    def find(count: int) -> None:
        ring = [[(node + 1) % count] for node in range(count)]
        (nodes,) = cyclic_components(ring)
        assert len(cycle_through(ring.__getitem__, nodes[0])) == count + 1

    assert_growth(find, 10_000, 100_000, below=40)


@given(st.text(alphabet="T.a0129-", max_size=30))
def test_ids_sort_by_number(name: str) -> None:
    """Short ids take a quick way to the same key as all others: runs of digits as numbers, the rest as text."""
    parts = [part for part in re.split(r"(\d+)", name) if part]
    assert natural(name) == tuple((0, int(part)) if part.isdecimal() else (1, part) for part in parts)


def test_t2_comes_before_t10() -> None:
    """The order of ids is the order of people."""
    assert sorted(["T10", "T2", "3.10", "3.2", "b"], key=natural) == ["3.2", "3.10", "T2", "T10", "b"]
