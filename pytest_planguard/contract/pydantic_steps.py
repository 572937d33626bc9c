"""What one segment of a location can mean at each kind of schema."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from .pydantic_place import Loc, Node, State, used

LISTS = frozenset({"list", "set", "frozenset", "generator"})
FIELDS = frozenset({"model-fields", "typed-dict", "dataclass-args"})


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of one model."""

    owner: str | None
    siblings: tuple[str, ...]
    by_key: Mapping[str | int, Node]


def _named(node: Node) -> list[tuple[str, Node]]:
    fields = node["fields"]
    return list(fields.items()) if isinstance(fields, Mapping) else [(field["name"], field) for field in fields]


def _owner(node: Node) -> str | None:
    return node.get("model_name") or node.get("dataclass_name") or getattr(node.get("cls"), "__name__", None)


def fields_of(node: Node) -> Fields:
    """The fields of a model by their key, where each has one plain key."""
    named = [(name, field, list(_aliases(field))) for name, field in _named(node)]
    siblings = tuple(str(paths[0][0]) if paths else name for name, _, paths in named)
    keys = [(paths[0][0], field["schema"]) for _, field, paths in named if len(paths) == 1 and len(paths[0]) == 1]
    names = [(name, field["schema"]) for name, field, paths in named if not paths]
    return Fields(_owner(node), siblings, dict([*names, *keys]))


def _fields(state: State, node: Node, loc: Loc) -> Iterator[State]:
    # More than one field may match (one's name is another's alias): all are tried, the declared alias first.
    named, owner = _named(node), _owner(node)
    keys = {name: list(_aliases(field)) for name, field in named}
    siblings = tuple(str(paths[0][0]) if paths else name for name, paths in keys.items())
    matches = [
        used(state, field["schema"], loc, len(alias), owner, siblings)
        for name, field in named
        for alias in [*keys[name], (name,)]
        if loc[state.at : state.at + len(alias)] == alias
    ]
    yield from matches or [used(state, node.get("extras_schema"), loc, 1, owner, siblings)]


def _aliases(field: Node) -> Iterator[Loc]:
    """The locations at which a field is looked for: an alias, an alias path, or several of them."""
    alias = field.get("validation_alias")
    if isinstance(alias, str):
        yield (alias,)
    elif isinstance(alias, list):
        paths = alias if alias and isinstance(alias[0], list) else [alias]
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
        yield replace(after, node=None, at=len(loc))
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
