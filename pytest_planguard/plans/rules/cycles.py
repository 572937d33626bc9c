"""The rule about tasks that wait for each other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from ...contract.severity import Severity
from ..graph import cycle_through
from ..index import natural
from .rule import Hit, Rule

if TYPE_CHECKING:
    from ..index import PlanIndex
    from ..model import Plan
    from ..place import Place

NAMED = 12
"""Tasks of a cycle that a message names; the rest are counted."""


def dep_cycle(_: Plan, index: PlanIndex) -> Iterator[Hit]:
    """Tasks that wait for each other: one hit for each cyclic component, from its smallest id on."""
    found = sorted((_cycle(index, component) for component in index.cyclic), key=lambda nodes: natural(nodes[0][0]))
    for keys, size in found:
        places = _edge_places(index, keys[: NAMED + 1])
        inside = f"; {size:,} tasks depend on each other there" if size > len(keys) - 1 else ""
        related = tuple(
            (f"{first} depends on {second}", place)
            for first, second, place in zip(keys, keys[1:], places[:NAMED], strict=False)
        )
        hint = f"remove one of these dependencies, for example that of {keys[-2]} on {keys[-1]}"
        more = max(len(keys) - 1 - NAMED, 0)
        message = f"dependency cycle {_arrows(keys)}{inside}"
        yield Hit(places[0], message, "no cycle", None, hint, related, tuple(places), more)


def _cycle(index: PlanIndex, component: list[int]) -> tuple[list[str], int]:
    """The keys of a shortest cycle through the smallest id of a component, and the size of the component."""
    inside = set(component)

    def by_id(node: int) -> tuple[tuple[int, int | str], ...]:
        return natural(index.keys[node])

    def successors(node: int) -> list[int]:
        children = [child for child in index.graph[node] if child in inside]
        return sorted(children, key=by_id) if len(children) > 1 else children

    cycle = cycle_through(successors, min(component, key=by_id))
    return [index.keys[node] for node in cycle], len(component)


def _edge_places(index: PlanIndex, keys: list[str]) -> list[Place]:
    """Where each edge of a cycle stands; the section itself where a section leads to its member."""
    places = []
    for first, second in pairwise(keys):
        edge = index.edge(index.node[first], index.node[second])
        section = next((s.place for s in index.plan.sections if s.key == first), None) if edge is None else None
        place = edge.place if edge else section
        if place is not None:
            places.append(place)
    return places


def _arrows(keys: list[str]) -> str:
    if len(keys) <= NAMED + 1:
        return " -> ".join(keys)
    return " -> ".join([*keys[: NAMED - 1], f"… {len(keys) - NAMED:,} more …", keys[-1]])


RULE = Rule(
    "dep-cycle",
    dep_cycle,
    Severity.RETRY,
    "No tasks wait for each other. There is one finding for each group of tasks that are tied up with each other; "
    "it names a shortest circle from the smallest id on, with the line of every edge. Repeated ids and edges to "
    "missing tasks are left out, since they have findings of their own.",
    "T001 depends on T003, T003 on T002, T002 on T001.",
    "Remove one of the named dependencies.",
)
