"""Pydantic error locations as paths in the document, guided by the schema.

Pydantic puts segments into `loc` that are not in the document: union tags and member names ("function-after[…]",
"list[str]"), and "[key]" after a dict key. A real key may equal such a name, so only the schema can tell them apart:
a union node adds exactly one segment, and nothing else does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...document.path import Path


_INNER = ("schema", "json_schema", "lax_schema")
_STEP_LIMIT = 5_000  # states that one walk may visit; a real location needs as many as it has segments
_WRAPPERS = frozenset(
    {
        *("definitions", "definition-ref", "model", "dataclass", "nullable", "default"),
        *("function-before", "function-after", "function-wrap"),
    }
)
"""Schemas around another schema that never add to a location."""

KNOWN = 1_000
"""Places that a schema keeps: answer after answer is wrong at the same ones."""


class Locator:
    """Turns locations into places, for one schema."""

    def __init__(self, core_schema: Node) -> None:
        self._root = core_schema
        self._definitions = dict(definitions(core_schema))
        self._tables: dict[int, Fields] = {}
        self._known: dict[Loc, SchemaPlace] = {}

    def place(self, loc: Loc, document: object, value: object) -> SchemaPlace:
        """Return the place of an error about a value. Where the schema does not explain `loc`, the document guides."""
        known = self._known.get(loc)
        if known is None:
            known = self._straight(loc)
            if known is not None and len(self._known) < KNOWN:
                self._known[loc] = known
        return known or self._searched(loc, document, value)

    def _straight(self, loc: Loc) -> SchemaPlace | None:
        """The place where only one reading of `loc` is possible, which is nearly always; None where unions join."""
        node: Node | None = self._root
        owner: str | None = None
        siblings: tuple[str, ...] = ()
        for key in loc:
            node = self._solid(node)
            if node is None:
                return None
            kind = node.get("type")
            if kind in FIELDS:
                fields = self._tables.get(id(node))  # by id: the schema lives as long
                if fields is None:
                    fields = self._tables[id(node)] = fields_of(node)
                owner, siblings, node = fields.owner, fields.siblings, fields.by_key.get(key)
            elif kind in LISTS and isinstance(key, int):
                owner, siblings, node = None, (), node.get("items_schema")
            else:
                return None
        return SchemaPlace(loc, (), owner, siblings)

    def _solid(self, node: Node | None) -> Node | None:
        """Return the schema inside wrappers that add nothing to a location."""
        while node is not None and node.get("type") in _WRAPPERS:
            inner = node.get("schema")
            node = self._definitions.get(str(node.get("schema_ref"))) if inner is None else inner
        return node

    def _searched(self, loc: Loc, document: object, value: object) -> SchemaPlace:
        """Return the place by trying every reading that the schema allows."""
        stack = [State(self._root, 0, SchemaPlace())]
        furthest = stack[0]
        for _ in range(_STEP_LIMIT):
            if not stack:
                break
            state = stack.pop()
            if state.at >= len(loc):
                if not state.of_key or state.place.path[-1] == value:
                    return state.place
                continue
            if state.at > furthest.at:
                furthest = state
            stack.extend(reversed(list(self._next(state, loc))))
        return _by_document(furthest, loc, document)

    def _next(self, state: State, loc: Loc) -> Iterator[State]:
        """Yield the states that using one more segment, or stepping into an inner schema, can lead to."""
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


def definitions(node: object) -> Iterator[tuple[str, Node]]:
    """Yield every schema that others refer to, by its reference."""
    stack = [node]
    while stack:
        here = stack.pop()
        if isinstance(here, Mapping):
            if isinstance(here.get("ref"), str):
                yield here["ref"], here
            stack.extend(value for key, value in here.items() if key not in ("metadata", "serialization", "config"))
        elif isinstance(here, (list, tuple)):
            stack.extend(here)


def _by_document(state: State, loc: Loc, document: object) -> SchemaPlace:
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


def _child(value: object, key: str | int) -> Any:
    if isinstance(value, Mapping) and key in value:
        return value[key]
    if isinstance(value, list) and isinstance(key, int) and 0 <= key < len(value):
        return value[key]
    return _NOTHING


# Where an error is, and how far the walk to it has come: the values of the locator.

Loc = tuple[str | int, ...]
Node = Mapping[str, Any]
"""A node of a pydantic core schema."""


@dataclass(frozen=True, slots=True)
class SchemaPlace:
    """Where an error is: its path in the document and what the walk to it passed."""

    path: Path = ()
    branches: tuple[tuple[Loc, str], ...] = ()
    """The untagged unions on the way, from outside: (location of the union, member that the error speaks of)."""
    owner: str | None = None
    """Name of the model that holds the path's last key."""
    siblings: tuple[str, ...] = ()
    """The keys which that model knows."""


@dataclass(frozen=True, slots=True)
class State:
    """One reading of a location, half-way."""

    node: Node | None
    """None: the schema says nothing about what follows."""
    at: int
    """How many segments of the location are used up."""
    place: SchemaPlace
    of_key: bool = False
    """Whether the error is about the last key of the place, not about what stands there."""


def used(
    state: State, node: Node | None, loc: Loc, count: int = 1, owner: str | None = None, siblings: tuple[str, ...] = ()
) -> State:
    """Return the state after `count` segments that stand in the document."""
    path = state.place.path + loc[state.at : state.at + count]
    return State(node, state.at + count, replace(state.place, path=path, owner=owner, siblings=siblings))


# What one segment of a location can mean at each kind of schema.

LISTS = frozenset({"list", "set", "frozenset", "generator"})
FIELDS = frozenset({"model-fields", "typed-dict", "dataclass-args"})


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of one model."""

    owner: str | None
    siblings: tuple[str, ...]
    by_key: Mapping[str | int, Node]


def named_fields(node: Node) -> list[tuple[str, Node]]:
    """Return the fields of a model, a typed dict or a dataclass by name."""
    fields = node["fields"]
    return list(fields.items()) if isinstance(fields, Mapping) else [(field["name"], field) for field in fields]


def _owner(node: Node) -> str | None:
    return node.get("model_name") or node.get("dataclass_name") or getattr(node.get("cls"), "__name__", None)


def fields_of(node: Node) -> Fields:
    """Return the fields of a model by their key, where each has one plain key."""
    named = [(name, field, list(aliases(field))) for name, field in named_fields(node)]
    siblings = tuple(str(paths[0][0]) if paths else name for name, _, paths in named)
    keys = [(paths[0][0], field["schema"]) for _, field, paths in named if len(paths) == 1 and len(paths[0]) == 1]
    names = [(name, field["schema"]) for name, field, paths in named if not paths]
    return Fields(_owner(node), siblings, dict([*names, *keys]))


def _fields(state: State, node: Node, loc: Loc) -> Iterator[State]:
    # More than one field may match (one's name is another's alias): all are tried, the declared alias first.
    named, owner = named_fields(node), _owner(node)
    keys = {name: list(aliases(field)) for name, field in named}
    siblings = tuple(str(paths[0][0]) if paths else name for name, paths in keys.items())
    matches = [
        used(state, field["schema"], loc, len(alias), owner, siblings)
        for name, field in named
        for alias in [*keys[name], (name,)]
        if loc[state.at : state.at + len(alias)] == alias
    ]
    yield from matches or [used(state, node.get("extras_schema"), loc, 1, owner, siblings)]


def aliases(field: Node) -> Iterator[Loc]:
    """Yield the locations at which a field is looked for: an alias, an alias path, or several of them."""
    alias = field.get("validation_alias")
    if isinstance(alias, str):
        yield (alias,)
    elif isinstance(alias, list):
        paths = alias if isinstance(alias[0], list) else [alias]
        yield from (tuple(path) for path in paths)


def _items(state: State, node: Node, loc: Loc) -> Iterator[State]:
    if isinstance(loc[state.at], int):
        yield used(state, node.get("items_schema"), loc)


def _tuple(state: State, node: Node, loc: Loc) -> Iterator[State]:
    index = loc[state.at]
    if isinstance(index, int):
        items = node["items_schema"]
        variadic = node.get("variadic_item_index")
        position = index if variadic is None or index < variadic else variadic
        yield used(state, items[position] if position < len(items) else None, loc)


def _dict(state: State, node: Node, loc: Loc) -> Iterator[State]:
    after = used(state, node.get("values_schema"), loc)
    if loc[after.at : after.at + 1] == ("[key]",):
        # An error about the key itself: what follows speaks of the key, which has no parts in the document.
        # A document may have the key "[key]": the value of the error tells which of the two is meant.
        yield replace(after, node=None, at=len(loc), of_key=True)
    yield after


def _union(state: State, node: Node, loc: Loc) -> Iterator[State]:
    label = str(loc[state.at])
    branches = (*state.place.branches, (loc[: state.at], label))
    members = [member[0] if isinstance(member, tuple) else member for member in node["choices"]]
    members.sort(key=lambda member: getattr(member.get("cls"), "__name__", None) != label)
    for member in members:
        yield State(member, state.at + 1, replace(state.place, branches=branches))


def _tagged(state: State, node: Node, loc: Loc) -> Iterator[State]:
    tag = loc[state.at]
    members = [schema for key, schema in node["choices"].items() if str(getattr(key, "value", key)) == str(tag)]
    for member in members or node["choices"].values():
        yield replace(state, node=member if isinstance(member, Mapping) else None, at=state.at + 1)


STEPS: Mapping[str, Callable[[State, Node, Loc], Iterator[State]]] = {
    **dict.fromkeys(FIELDS, _fields),
    **dict.fromkeys(LISTS, _items),
    "tuple": _tuple,
    "dict": _dict,
    "union": _union,
    "tagged-union": _tagged,
}
"""Kind of schema to the states that using one segment there can lead to."""
