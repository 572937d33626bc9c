"""Turn pydantic error locations into paths in the document, and list the names of fields, guided by the schema.

Pydantic puts segments into `loc` that are not in the document: union tags and member names ("function-after[…]",
"list[str]"), and "[key]" after a dict key. A real key may equal such a name, so only the schema can distinguish them: a
union node adds exactly one segment, and other nodes add none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...document.path import Path


_INNER = ("schema", "json_schema", "lax_schema")
_STEP_LIMIT = 5_000  # maximum states per walk; a real location needs one per segment

_MOST_KNOWN = 1_000
"""Maximum number of locations to cache. Many answers to a contract break the same rules."""


class Locator:
    """Turns locations into places, for one schema."""

    def __init__(self, core_schema: Node) -> None:
        self._root = core_schema
        self._definitions = definitions(core_schema)
        self._known: dict[Loc, SchemaPlace] = {}

    def place(self, loc: Loc, document: object, value: object) -> SchemaPlace:
        """Return the place of an error about a value, trying every reading of `loc` that the schema allows.

        If the schema does not explain it, follow the document.
        """
        if loc in self._known:
            return self._known[loc]
        stack = [State(self._root, 0, SchemaPlace())]
        furthest, by_schema = stack[0], True
        for _ in range(_STEP_LIMIT):
            if not stack:
                break
            state = stack.pop()
            if state.at >= len(loc):
                by_schema &= not state.of_key
                if not state.of_key or state.place.path[-1] == value:
                    if by_schema and len(self._known) < _MOST_KNOWN:
                        self._known[loc] = state.place
                    return state.place
                continue
            if state.at > furthest.at:
                furthest = state
            stack.extend(reversed(list(self._next(state, loc))))
        return _by_document(furthest, loc, document)

    def _next(self, state: State, loc: Loc) -> Iterator[State]:
        """Yield the states after one more segment, or after a step into an inner schema."""
        node = state.node
        if node is None:
            return
        kind = str(node.get("type"))
        step = STEPS.get(kind)
        if step is not None:
            yield from step(state, node, loc)
        elif kind == "definition-ref":
            yield State(self._definitions.get(str(node.get("schema_ref"))), state.at, state.place)
        elif kind == "chain":
            yield from (replace(state, node=inner) for inner in node["steps"])
        else:
            yield from (State(node[key], state.at, state.place) for key in _INNER if isinstance(node.get(key), Mapping))


_NO_SCHEMA = frozenset({"metadata", "default", "expected", "members", "cls", "config"})
"""Keys whose values come from the user, and may look like nodes."""


def nodes(node: object, ends: frozenset[str] = frozenset()) -> Iterator[Node]:
    """Yield a node and its descendants. Do not descend into the types in `ends`."""
    stack: list[object] = [node]
    while stack:
        here = stack.pop()
        if isinstance(here, Mapping):
            if isinstance(here.get("type"), str):
                yield here
                if here["type"] in ends:
                    continue
            stack += [inner for key, inner in here.items() if key not in _NO_SCHEMA]
        elif isinstance(here, (list, tuple)):
            stack += here


def definitions(core_schema: Node) -> dict[str, Node]:
    """Return every schema with a reference name, by that name."""
    return {node["ref"]: node for node in nodes(core_schema) if isinstance(node.get("ref"), str)}


def _by_document(state: State, loc: Loc, document: object) -> SchemaPlace:
    """Return the place of a location that a custom validator chose: keep the segments that exist in the document."""
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


def _child(value: object, key: str | int) -> object:
    if isinstance(value, Mapping) and key in value:
        return value[key]
    if isinstance(value, list) and isinstance(key, int) and 0 <= key < len(value):
        return value[key]
    return _NOTHING


# The place of an error, and the state of the walk to it.

Loc = tuple[str | int, ...]
Node = Mapping[str, Any]
"""A node of a pydantic core schema."""


@dataclass(frozen=True, slots=True)
class SchemaPlace:
    """The place of an error: its path in the document, and what the walk to it passed."""

    path: Path = ()
    branches: tuple[tuple[Loc, str, Path], ...] = ()
    """The untagged unions on the way, outermost first: the union's location, the member of the error, and the value's
    path."""
    owner: str | None = None
    """The name of the model that has the path's last key."""
    siblings: tuple[str, ...] = ()
    """The keys of this model."""


@dataclass(frozen=True, slots=True)
class State:
    """A partial reading of a location."""

    node: Node | None
    """The schema node; None if the schema doesn't describe the rest."""
    at: int
    """How many segments of the location have been consumed."""
    place: SchemaPlace
    of_key: bool = False
    """True if the error is about the last key itself, not about its value."""


def used(
    state: State, node: Node | None, loc: Loc, count: int = 1, owner: str | None = None, siblings: tuple[str, ...] = ()
) -> State:
    """Return the state after `count` segments that are in the document."""
    path = state.place.path + loc[state.at : state.at + count]
    return State(node, state.at + count, SchemaPlace(path, state.place.branches, owner, siblings))


# The meaning of one segment of a location at each kind of schema.

LISTS = frozenset({"list", "set", "frozenset", "generator"})
FIELDS = frozenset({"model-fields", "typed-dict", "dataclass-args"})


def named_fields(node: Node) -> list[tuple[str, Node]]:
    """Return the fields of a model, a typed dict or a dataclass by name."""
    fields = node["fields"]
    return list(fields.items()) if isinstance(fields, Mapping) else [(field["name"], field) for field in fields]


def _fields(state: State, node: Node, loc: Loc) -> Iterator[State]:
    # More than one field may match, since one's name may be another's alias: try all, the declared alias first.
    named = named_fields(node)
    owner = node.get("model_name") or node.get("dataclass_name") or getattr(node.get("cls"), "__name__", None)
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
    """Yield the locations of a field: an alias, an alias path, or several of them."""
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
        position = min(index, node.get("variadic_item_index", index))
        yield used(state, items[position] if position < len(items) else None, loc)


def _dict(state: State, node: Node, loc: Loc) -> Iterator[State]:
    after = used(state, node.get("values_schema"), loc)
    if loc[after.at : after.at + 1] == ("[key]",):
        # An error about the key itself: the rest is about the key, which has no parts in the document. A document may
        # also have the key "[key]": the error's value shows which one it is.
        yield replace(after, node=None, at=len(loc), of_key=True)
    yield after


def _union(state: State, node: Node, loc: Loc) -> Iterator[State]:
    label = str(loc[state.at])
    branches = (*state.place.branches, (loc[: state.at], label, state.place.path))
    members = [member[0] if isinstance(member, tuple) else member for member in node["choices"]]
    # The model of that name first: another one may have the same fields, and would explain the location too.
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
"""For each kind of schema, the states after using one segment there."""


# The names that a field may have in an answer: its own, its alias, and alternative aliases.

_BY_NAME = ("populate_by_name", "validate_by_name")
"""Settings that let an answer use a field's own name although it has an alias."""


def several_names(core_schema: Node) -> dict[str, tuple[str, ...]] | None:
    """Return all names of each field that has several, by each of them, aliases first.

    None if an alias is a path, so that the field may be in another part of an answer. A name that means different
    fields in two models is left out, with the names that belong to it: only the model tells which field is meant.
    """
    meanings: dict[str, set[tuple[str, ...]]] = {}
    by_name = any(node.get(key) or node.get("config", {}).get(key) for node in nodes(core_schema) for key in _BY_NAME)
    for name, field in (pair for node in nodes(core_schema) if node["type"] in FIELDS for pair in named_fields(node)):
        paths = [*aliases(field)]
        if any(len(path) > 1 for path in paths):
            return None
        names = (*(str(path[0]) for path in paths), *([name] * (by_name or not paths)))
        for one in names:
            meanings.setdefault(one, set()).add(tuple(dict.fromkeys(names)))
    clear = {name: next(iter(found)) for name, found in meanings.items() if len(found) == 1}
    return {name: names for name, names in clear.items() if len(names) > 1 and all(one in clear for one in names)}


def has_own_names(core_schema: Node) -> bool:
    """Return True if a TypedDict or a dataclass has an alias, which its values do not tell."""
    kinds = [node for node in nodes(core_schema) if node["type"] in ("typed-dict", "dataclass-args")]
    return any(field.get("validation_alias") is not None for node in kinds for _, field in named_fields(node))
