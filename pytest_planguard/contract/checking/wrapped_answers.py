"""Answers that fail as a whole: the model returned the schema, nested the data too deep, or encoded it as a string.

One clear finding replaces the dozen misleading ones that the validator reports.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ..failure_kinds import FailureKind
from ..finding import Finding
from ..phrasing import as_json
from ..schema.schema import SchemaCheck, any_bad

_SCHEMA_WORDS = frozenset({"type", "required", "$schema", "title", "description", "additionalProperties", "$defs"})
_MEMBER_WORDS = frozenset({"type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const", "items"})
_ENVELOPE = frozenset({"schema", "json_schema", "parameters", "input_schema", "function", "response_format"})
"""Keys under which requests hold a schema."""
_LABELS = frozenset({"name", "type", "strict", "description", "title"})
"""Keys that requests have next to the schema."""
_SIGNS = _ENVELOPE | {"properties", "$defs"}
"""Keys that suggest a schema. Every schema has at least one, bare or wrapped."""
_LAYERS = 4
"""Maximum number of layers to look into: the schema and up to three wrappers around it, as in `response_format`."""
_ENCODED_LIMIT = 1_000_000  # longest string that is tried as JSON


def diagnose(check: SchemaCheck, data: object) -> Finding | None:
    """Return the finding that explains why the data as a whole does not fit; None if only parts are wrong."""
    if isinstance(data, str):
        return _encoded(data)
    for where, inner in _inner(data):  # first: under "properties", items that have a "type" look like a schema
        fits = isinstance(inner, (Mapping, list)) and inner and where not in _keys(check)
        if fits and not any_bad(check.validate(inner)[1]):
            around = f"the key {as_json(where)}" if isinstance(where, str) else "a list"
            message = f"the data is wrapped in {around}; return it without this wrapper"
            return Finding("wrapped", (), message, FailureKind.WRAPPED, actual=as_json(data))
    if isinstance(data, Mapping) and _echoes(check, data):
        message = "this is the JSON Schema itself; return data that follows it"
        return Finding("schema_echo", (), message, FailureKind.SCHEMA_ECHO, expected="data", actual=as_json(data))
    return None


def may_be_diagnosed(data: object) -> bool:
    """Return True if invalid data may need `diagnose`. The test is cheap, and False for most answers."""
    if isinstance(data, Mapping):
        return len(data) == 1 or not data.keys().isdisjoint(_SIGNS)
    return isinstance(data, str) or (isinstance(data, list) and len(data) == 1)


def _encoded(text: str) -> Finding | None:
    """Return the finding for a JSON string whose content is a JSON object or list."""
    if len(text) > _ENCODED_LIMIT or text.strip()[:1] not in ("{", "["):
        return None
    try:
        inner = json.loads(text)
    except (ValueError, RecursionError):
        return None
    message = "this is a JSON string that contains the JSON; return the JSON itself, not quoted"
    kind = "an object" if isinstance(inner, dict) else "a list"
    return Finding("encoded", (), message, FailureKind.ENCODED, expected=kind, actual=as_json(text))


def _echoes(check: SchemaCheck, data: Mapping[str, object]) -> bool:
    """Return True for a schema, bare or wrapped as in a request, unless the contract's own data has such keys."""
    if data.keys().isdisjoint(_SIGNS):
        return False
    here = [data]
    for _ in range(_LAYERS):
        here = [found for found in here if not _owns(check, found)]
        if any(map(_is_schema, here)):
            return True
        here = [inner for found in here for inner in _carried(found)]
    return False


def _carried(data: Mapping[str, object]) -> Iterator[Mapping[str, Any]]:
    """Yield the objects under the wrapper keys; nothing if there are other keys, since those may be data."""
    if not data.keys() - _ENVELOPE - _LABELS:
        yield from (value for key, value in data.items() if key in _ENVELOPE and isinstance(value, Mapping))


def _is_schema(data: Mapping[str, object]) -> bool:
    """Return True for an object that describes properties instead of having them."""
    members = data.get("properties")
    if isinstance(members, Mapping) and members:
        described = all(isinstance(member, Mapping) and _MEMBER_WORDS & member.keys() for member in members.values())
        return described and (bool(_SCHEMA_WORDS & data.keys()) or len(data) == 1)
    return isinstance(data.get("$defs"), Mapping)


def _owns(check: SchemaCheck, data: Mapping[str, object]) -> bool:
    """Return True if the contract's own data has such keys, or if the object has data in addition to the schema."""
    return bool(_keys(check) & (data.keys() | {"properties", "$defs"}) - {"title", "description", "type"})


def _keys(check: SchemaCheck) -> set[str]:
    """Return the top-level keys that the contract's schema declares."""
    from ..schema.schema_fields import nodes_of

    schema = check.json_schema() or {}
    # The root may be a reference or have alternatives: older pydantic writes {"allOf": [{"$ref": "#/$defs/Link"}]}.
    return {key for node in nodes_of(schema, schema) for key in node.get("properties", ())}


def _inner(data: object) -> Iterator[tuple[str | int, Any]]:
    """Yield the key and the content of each wrapper that the data may have."""
    if isinstance(data, Mapping):
        if len(data) == 1:
            yield from data.items()
        elif isinstance(data.get("properties"), Mapping):
            yield "properties", data["properties"]
    elif isinstance(data, list) and len(data) == 1:
        yield 0, data[0]
