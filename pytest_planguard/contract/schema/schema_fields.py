"""The fields of a JSON Schema: look up the field that a constraint names, and its description."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ...document.path_pattern import Either, Named, Step, Wildcard
from ..phrasing import clip
from .bounds import target_of

if TYPE_CHECKING:
    from ...document.path import Path
    from ..finding import Finding
    from ..verdict import Verdict


MAX_NESTED = 50
"""Maximum number of references and alternatives to follow without a step into the data, so that a circular one ends."""
_ALTERNATIVES = ("anyOf", "oneOf", "allOf")
_OWN = ("properties", "items", "type")
_MOST = 1_000
"""Maximum number of schemas to look at for one place."""


@dataclass(frozen=True, slots=True)
class NoField:
    """A step of a path that the schema does not know."""

    step: str
    known: tuple[str, ...]
    """The known fields; () if the value is not an object."""
    closed: bool
    """True if the schema can have no other fields. An open one may, although it does not name them."""


def missing_field(schema: Mapping[str, object], steps: Sequence[Step], *, closed: bool) -> NoField | None:
    """Return the first step that the schema does not have; None if it has all of them, or does not say.

    Args:
        schema: a JSON Schema.
        steps: the steps of a path pattern.
        closed: True if an object without `additionalProperties` may only have the named properties, as in a model's
            schema.
    """
    nodes = [*nodes_of(schema, schema)]
    for step in steps:
        below = [_below(schema, node, step, closed) for node in nodes]
        if any(found is None for found in below):  # anything is allowed here
            return None
        reached = [inner for found in below if found is not None for inner in found]
        if not reached:
            return _no_field(nodes, step, closed)
        nodes = reached
    return None


def _no_field(nodes: Sequence[Mapping[str, Any]], step: Step, closed: bool) -> NoField | None:
    if isinstance(step, Named):
        step = step.names[0]
    if not isinstance(step, str):
        return None  # "[*]" on a text: the constraint reports it at every answer
    known = tuple(dict.fromkeys(name for node in nodes for name in node.get("properties", ())))
    return NoField(step, known, all(_is_closed(node, closed) for node in nodes)) if known else None


def nodes_of(
    root: Mapping[str, object], node: object, nested: int = 0, own: Sequence[str] = ("properties", "items")
) -> Iterator[Mapping[str, Any]]:
    """Yield the schemas that a value may have; follow references and alternatives.

    A schema with alternatives counts itself only if it has one of the keywords in `own`.
    """
    if not isinstance(node, Mapping) or nested > MAX_NESTED:
        yield {}
        return
    inner = [part for key in _ALTERNATIVES for part in node.get(key, ())]
    if isinstance(node.get("$ref"), str):
        inner.insert(0, target_of(node["$ref"], root) or {})
    if not inner or any(key in node for key in own):
        yield node
    for part in inner:
        yield from nodes_of(root, part, nested + 1, own)


def _below(
    root: Mapping[str, Any], node: Mapping[str, Any], step: Step, closed: bool
) -> list[Mapping[str, Any]] | None:
    """Return the schemas that a step leads to; [] if it leads nowhere, None if the schema allows anything."""
    if isinstance(step, Wildcard) and not step.lists:
        return None  # any value of an object: too many ways to follow
    if isinstance(step, (int, Either, Wildcard)):
        return [*nodes_of(root, node["items"])] or None if isinstance(node.get("items"), Mapping) else None
    properties = node.get("properties", {})
    if isinstance(step, Named):
        step = step.in_object(properties)
    if step in properties:
        return [*nodes_of(root, properties[step])]
    if any(re.search(pattern, step) for pattern in node.get("patternProperties", ())):
        return None
    further = node.get("additionalProperties")
    if isinstance(further, Mapping) and further:
        return [*nodes_of(root, further)]
    return [] if _is_closed(node, closed) or properties else None


def _is_closed(node: Mapping[str, object], closed: bool) -> bool:
    """Return True if an object of this schema may only have its named properties."""
    further = node.get("additionalProperties")
    named = "properties" in node or node.get("type") not in (None, "object")
    return further is False or (further is None and closed and named)


# The schema's description of a field goes into findings of a contract with `describe=True`, since the model may have
# missed it.

LIMIT = 160
"""Maximum number of characters of a description in a hint."""


def described(verdict: Verdict[object], schema: Mapping[str, object] | None) -> Verdict[Any]:
    """Return the verdict with the field's description, if any, in the hint of each bad finding."""
    if schema is None:
        return verdict
    return replace(verdict, findings=tuple(_with_description(found, schema) for found in verdict.findings))


def description_of(schema: Mapping[str, object], path: Path) -> str | None:
    """Return the description of the field at a path, on one line of at most `LIMIT` characters; None if it has none.

    A model's docstring does not count: it describes the model, not the field.
    """
    around = schemas_at(schema, path[:-1]) if path else []
    words = (field.get("description") for node in around for field in _fields(node, path[-1]))
    text = next((word for word in words if isinstance(word, str) and word.strip()), None)
    return None if text is None else clip(" ".join(text.split()), LIMIT)


def schemas_at(schema: Mapping[str, object], path: Path) -> list[Mapping[str, Any]]:
    """Return the schemas that may apply to the value at a path, one for each alternative; [] if none is known."""
    found = [*filter(None, nodes_of(schema, schema, own=_OWN))]
    for step in path:
        found = [inner for node in found for inner in schemas_below(schema, node, step)][:_MOST]
    return found[:_MOST]


def schemas_below(root: Mapping[str, object], node: Mapping[str, Any], step: str | int) -> Iterator[Mapping[str, Any]]:
    """Yield the schemas that may apply to a member or an item of a schema's value."""
    for field in _fields(node, step):
        yield from filter(None, nodes_of(root, field, own=_OWN))


def _with_description(found: Finding, schema: Mapping[str, object]) -> Finding:
    text = description_of(schema, found.path) if found.severity.bad else None
    if text is None:
        return found
    said = f'the schema says: "{text}"'
    return replace(found, hint=said if found.hint is None else f"{found.hint} {said}")


def _fields(node: Mapping[str, Any], step: str | int) -> list[Mapping[str, Any]]:
    """Return the schema for a key or an index, without following references; [] if it says nothing."""
    if isinstance(step, int):
        first = node.get("prefixItems", ())
        field = first[step] if step < len(first) else node.get("items")
    else:
        field = node.get("properties", {}).get(step, node.get("additionalProperties"))
    return [field] if isinstance(field, Mapping) else []
