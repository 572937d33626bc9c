"""Pydantic error locations as paths in the document, guided by the schema.

Pydantic puts segments into `loc` that are not in the document: union tags and member names ("function-after[…]",
"list[str]"), and "[key]" after a dict key. A real key may equal such a name, so only the schema can tell them apart:
a union node adds exactly one segment, and nothing else does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from .pydantic_place import Loc, Node, Place, State
from .pydantic_steps import FIELDS, LISTS, STEPS, Fields, fields_of

_INNER = ("schema", "json_schema", "lax_schema")
_STEP_LIMIT = 5_000  # states that one walk may visit; a real location needs as many as it has segments
_WRAPPERS = frozenset(
    {
        "definitions",
        "definition-ref",
        "model",
        "dataclass",
        "nullable",
        "default",
        "function-before",
        "function-after",
        "function-wrap",
    }
)
"""Schemas around another schema that never add to a location."""

KNOWN = 1_000
"""Places that a schema keeps: answer after answer is wrong at the same ones."""


class Locator:
    """Turns locations into places, for one schema."""

    def __init__(self, core_schema: Node) -> None:
        self._root = core_schema
        self._definitions = dict(_definitions(core_schema))
        self._tables: dict[int, Fields] = {}
        self._known: dict[Loc, Place] = {}

    def place(self, loc: Loc, document: Any) -> Place:
        """The place of an error. Where the schema does not explain `loc`, the document alone guides."""
        known = self._known.get(loc)
        if known is None:
            known = self._straight(loc)
            if known is not None and len(self._known) < KNOWN:
                self._known[loc] = known
        return known or self._searched(loc, document)

    def _straight(self, loc: Loc) -> Place | None:
        """The place where only one reading of `loc` is possible, which is nearly always; None where unions join."""
        node: Node | None = self._root
        owner: str | None = None
        siblings: tuple[str, ...] = ()
        for at, key in enumerate(loc):
            node = self._solid(node)
            kind = node.get("type") if node else None
            if node is not None and kind in FIELDS:
                fields = self._table(node)
                owner, siblings, node = fields.owner, fields.siblings, fields.by_key.get(key)
                if node is None and at + 1 < len(loc):
                    return None
            elif node is not None and kind in LISTS and isinstance(key, int):
                owner, siblings, node = None, (), node.get("items_schema")
            else:
                return None
        return Place(loc, (), owner, siblings)

    def _solid(self, node: Node | None) -> Node | None:
        """The schema inside wrappers that add nothing to a location."""
        while node is not None and node.get("type") in _WRAPPERS:
            inner = node.get("schema")
            node = self._definitions.get(str(node.get("schema_ref"))) if inner is None else inner
        return node

    def _table(self, node: Node) -> Fields:
        """The fields of a model by their key, where each has one plain key. Kept by id: the schema lives as long."""
        known = self._tables.get(id(node))
        if known is None:
            known = self._tables[id(node)] = fields_of(node)
        return known

    def _searched(self, loc: Loc, document: Any) -> Place:
        """The place by trying every reading that the schema allows."""
        stack = [State(self._root, 0, Place())]
        furthest = stack[0]
        for _ in range(_STEP_LIMIT):
            if not stack:
                break
            state = stack.pop()
            if state.at >= len(loc):
                return state.place
            if state.at > furthest.at:
                furthest = state
            stack.extend(reversed(list(self._next(state, loc))))
        return _by_document(furthest, loc, document)

    def _next(self, state: State, loc: Loc) -> Iterator[State]:
        """The states that using one more segment, or stepping into an inner schema, can lead to."""
        node = state.node
        if node is None:
            return
        kind = str(node.get("type"))
        step = STEPS.get(kind)
        if step is not None:
            yield from step(state, node, loc)
        elif kind == "definition-ref":
            yield replace(state, node=self._definitions.get(str(node.get("schema_ref"))))
        elif kind == "chain":
            yield from (replace(state, node=inner) for inner in node["steps"])
        else:
            yield from (replace(state, node=node[key]) for key in _INNER if isinstance(node.get(key), Mapping))


def _definitions(node: Any) -> Iterator[tuple[str, Node]]:
    """Every schema that others refer to, by its reference."""
    stack = [node]
    while stack:
        here = stack.pop()
        if isinstance(here, Mapping):
            if isinstance(here.get("ref"), str):
                yield here["ref"], here
            stack.extend(value for key, value in here.items() if key not in ("metadata", "serialization", "config"))
        elif isinstance(here, (list, tuple)):
            stack.extend(here)


def _by_document(state: State, loc: Loc, document: Any) -> Place:
    """The path of a location that a validator made up itself: what is in the document stays, the rest is dropped."""
    here, path = document, list(state.place.path)
    for key in path:
        here = _child(here, key)
    for key in loc[state.at :]:
        child = _child(here, key)
        if child is not _NOTHING:
            path.append(key)
            here = child
    return replace(state.place, path=tuple(path))


_NOTHING = object()


def _child(value: Any, key: str | int) -> Any:
    if isinstance(value, Mapping) and key in value:
        return value[key]
    if isinstance(value, list) and isinstance(key, int) and 0 <= key < len(value):
        return value[key]
    return _NOTHING
