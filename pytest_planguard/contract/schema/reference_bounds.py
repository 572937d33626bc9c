"""Limit how far the `$ref`s of a JSON Schema unfold at one place of a document, before anything is judged.

`d0: {allOf: [{$ref: d1}, {$ref: d1}]}` doubles the work with every such line. A cycle at one place (`a: {$ref: b}`, `b:
{$ref: a}`) demands nothing, so every answer would pass. A schema that refers to itself for the members of an object or
the items of a list is a tree, and fine: there the document limits the work.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from ...errors import UsageError

MAX_UNFOLDED = 10_000
"""Maximum number of schemas to which the references at one place may unfold. Real ones stay below a hundred."""
_ONE, _MANY = ("not", "if", "then", "else"), ("allOf", "anyOf", "oneOf")
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")


def check_references(schema: Mapping[str, object]) -> None:
    """Check that a schema's references end.

    Raises:
        UsageError: they form a cycle, or unfold to more than `MAX_UNFOLDED` schemas at one place.
    """
    sizes: dict[int, int] = {}
    for root in _all(schema):
        _measure(root, schema, sizes)


def _measure(root: Mapping[str, object], schema: Mapping[str, object], sizes: dict[int, int]) -> None:
    """Measure a schema and those that apply at the same place, without recursion, since chains may be long."""
    begun: set[int] = set()
    stack = [(root, False)]
    while stack:
        node, ready = stack.pop()
        if id(node) in sizes:
            continue
        inner = list(_here(node, schema))
        if ready:
            begun.discard(id(node))
            sizes[id(node)] = _sum(sizes[id(one)] for one in inner)
        else:
            if any(id(one) in begun or one is node for one in inner):
                reference = next((node[key] for key in _REFERENCES if key in node), None)
                name = "alternatives that contain themselves" if reference is None else repr(str(reference)[:80])
                raise UsageError(
                    f"the references of a JSON Schema run in a circle: got {name}; "
                    "let one of them say what the value must be"
                )
            begun.add(id(node))
            stack += [(node, True), *((one, False) for one in inner)]


def _sum(sizes: Iterator[int]) -> int:
    """Return the size of a schema that unfolds to others of these sizes. Raises UsageError."""
    size = 1 + sum(sizes)
    if size > MAX_UNFOLDED:
        raise UsageError(
            f"the references of a JSON Schema unfold to too much: got more than {MAX_UNFOLDED:,} schemas at one place "
            "of the document; name each rule once"
        )
    return size


def _here(node: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the schemas that judge the same value as this one."""
    for key in _REFERENCES:
        target = target_of(node.get(key), schema)
        if target is not None:
            yield target
    for key in _ONE:
        if isinstance(node.get(key), Mapping):
            yield node[key]
    for key in _MANY:
        alternatives = node.get(key)
        if isinstance(alternatives, list):
            yield from (one for one in alternatives if isinstance(one, Mapping))


def target_of(reference: object, schema: Mapping[str, object]) -> Mapping[str, Any] | None:
    """Return the target of a reference within the schema; None for other references, which the validator handles."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    here: Any = schema
    for step in unquote(reference).split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        if isinstance(here, list):
            index = int(step) if step.isdecimal() and len(step) < 10 else len(here)
            here = here[index] if index < len(here) else None
        else:
            here = here.get(step) if isinstance(here, Mapping) else None
    return here if isinstance(here, Mapping) else None


def _all(schema: Mapping[str, object]) -> Iterator[Mapping[str, Any]]:
    """Yield every mapping of the schema once."""
    seen: set[int] = set()
    stack: list[Any] = [schema]
    while stack:
        node = stack.pop()
        if id(node) in seen or not isinstance(node, Mapping | list):
            continue
        seen.add(id(node))
        if isinstance(node, Mapping):
            yield node
        stack += node.values() if isinstance(node, Mapping) else node
