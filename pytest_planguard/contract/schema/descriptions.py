"""What a schema says about a field, for findings of a contract with `describe=True`: the model may have missed it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..phrasing import clip
from .schema_fields import nodes_of

if TYPE_CHECKING:
    from ...document.path import Path
    from ..finding import Finding
    from ..verdict import Verdict

LIMIT = 160
"""Characters of a description that a hint keeps."""


def described(verdict: Verdict[Any], schema: Mapping[str, Any] | None) -> Verdict[Any]:
    """Return the verdict with the description of its field in the hint of each bad finding, where there is one."""
    if schema is None:
        return verdict
    return replace(verdict, findings=tuple(_with_description(found, schema) for found in verdict.findings))


def description_of(schema: Mapping[str, Any], path: Path) -> str | None:
    """Return the description of the field at a path, on one line of at most `LIMIT` characters; None without one.

    The words of a model's own docstring are not taken: they are about the model, not about the field.
    """
    fields: list[Any] = [schema] if path else []
    for step in path:
        fields = [inner for field in fields for node in nodes_of(schema, field) for inner in _below(node, step)]
    words = (field.get("description") for field in fields if isinstance(field, Mapping))
    text = next((word for word in words if isinstance(word, str) and word.strip()), None)
    return None if text is None else clip(" ".join(text.split()), LIMIT)


def _with_description(found: Finding, schema: Mapping[str, Any]) -> Finding:
    text = description_of(schema, found.path) if found.severity.bad else None
    if text is None:
        return found
    said = f'the schema says: "{text}"'
    return replace(found, hint=said if found.hint is None else f"{found.hint} {said}")


def _below(node: Mapping[str, Any], step: str | int) -> Iterator[Any]:
    """Yield the schemas of what stands at a key or an index, references not followed."""
    if isinstance(step, int):
        first = node.get("prefixItems", ())
        yield first[step] if step < len(first) else node.get("items")
    elif step in node.get("properties", {}):
        yield node["properties"][step]
    else:
        yield node.get("additionalProperties")
