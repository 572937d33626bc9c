"""The parts of a pydantic core schema, and which value each of them judges."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..errors.pydantic_location import FIELDS, LISTS, Node, aliases, definitions, named_fields
from .growth import Parts
from .schema_walk import Judged, Part

_HERE = ("schema", "json_schema", "lax_schema")
"""Keys of an inner schema that judges the same value."""


def core_schema_parts(core_schema: Node) -> Parts:
    """Return the parts of the nodes of a core schema, for a value where one is given."""
    known = dict(definitions(core_schema))

    def parts_of(node: Node, value: Any = None) -> Iterator[tuple[Judged, Node]]:
        kind = str(node.get("type"))
        if kind == "definition-ref":
            target = known.get(str(node.get("schema_ref")))
            yield from () if target is None else ((Part.HERE, target),)
        elif kind in _KINDS:
            yield from _KINDS[kind](node, value)
        else:
            yield from ((Part.HERE, node[key]) for key in _HERE if isinstance(node.get(key), Mapping))

    return parts_of


_Found = Iterator[tuple[Judged, Node]]


def _fields(node: Node, _: Any) -> _Found:
    for name, field in named_fields(node):
        for key in {name, *(str(path[0]) for path in aliases(field))}:
            yield key, field["schema"]
    if isinstance(node.get("extras_schema"), Mapping):
        yield Part.MEMBERS, node["extras_schema"]


def _items(node: Node, _: Any) -> _Found:
    if isinstance(node.get("items_schema"), Mapping):
        yield Part.ITEMS, node["items_schema"]


def _tuple(node: Node, _: Any) -> _Found:
    variadic = node.get("variadic_item_index")
    for index, item in enumerate(node["items_schema"]):
        yield (Part.ITEMS if variadic is not None and index >= variadic else index), item


def _dict(node: Node, _: Any) -> _Found:
    if isinstance(node.get("values_schema"), Mapping):
        yield Part.MEMBERS, node["values_schema"]


def _chain(node: Node, _: Any) -> _Found:
    yield from ((Part.HERE, step) for step in node["steps"])


def _union(node: Node, _: Any) -> _Found:
    for choice in node["choices"]:
        yield Part.HERE, choice[0] if isinstance(choice, tuple) else choice


def _tagged(node: Node, value: Any) -> _Found:
    """Yield the choice that the tag names; every choice where the tag is unknown, or found by a function."""
    name = node.get("discriminator")
    tag = value.get(name) if isinstance(name, str) and isinstance(value, Mapping) else None
    chosen = node["choices"].get(tag) if isinstance(tag, (str, int)) else None
    for choice in node["choices"].values() if chosen is None else (chosen,):
        if isinstance(choice, Mapping):
            yield Part.HERE, choice


_KINDS: Mapping[str, Callable[[Node, Any], _Found]] = {
    **dict.fromkeys(FIELDS, _fields),
    **dict.fromkeys(LISTS, _items),
    "tuple": _tuple,
    "dict": _dict,
    "chain": _chain,
    "union": _union,
    "tagged-union": _tagged,
}
