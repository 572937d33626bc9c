"""Declared tools, tool choice and demanded schemas, in the shapes that providers share."""

from __future__ import annotations

from typing import Any

from ..untrusted_json import mapping, name_of, objects, words

_CHOICES = {"auto": "auto", "none": "none", "required": "required", "any": "required"}
_SCHEMA_KEYS = ("parameters", "input_schema")


def tool_schemas(tools: Any) -> dict[str, Any]:
    """Declared tools: name to JSON Schema of the arguments, an empty dict where none was sent.

    Tools that the provider runs itself (web search and the like) declare no arguments and are left out.
    """
    return {name: schema for tool in objects(tools) for name, schema, _ in [_declared(tool)] if name}


def tool_remarks(tools: Any) -> list[dict[str, Any]]:
    """What was declared beyond name and schema: descriptions, strictness, tools that the provider runs itself."""
    return [rest for tool in objects(tools) for _, _, rest in [_declared(tool)] if rest]


def _declared(tool: dict[str, Any]) -> tuple[str | None, Any, dict[str, Any]]:
    kind = words(tool.get("type"))
    inner = tool.get("function") or tool.get("custom")
    body = inner if isinstance(inner, dict) else tool
    key = next((key for key in _SCHEMA_KEYS if key in body), None)
    ours = key is not None or inner is not None or kind in ("function", "custom")
    name = name_of(body.get("name"))
    if not ours or name is None:
        return None, {}, tool
    rest = {k: v for k, v in body.items() if k not in ("type", "name", key) and v is not None}
    return name, mapping(body.get(key)) if key else {}, {"name": name, **rest} if rest else {}


def choice_of(value: Any) -> str | None:
    """Tool choice as "auto", "none", "required" or the one tool's name; None where not sent or of another shape."""
    if isinstance(value, str):
        return _CHOICES.get(value, value) or None
    choice = mapping(value)
    named = next((choice[key] for key in ("function", "custom") if isinstance(choice.get(key), dict)), choice)
    if name := name_of(named.get("name")):
        return name
    allowed = mapping(choice.get("allowed_tools"))
    kind = words(allowed.get("mode") or choice.get("mode") or choice.get("type"))
    return _CHOICES.get(kind)


def demanded_schema(value: Any) -> dict[str, Any] | None:
    """Return the JSON Schema that an output format demands; None where it demands none ("text", "json_object").

    Known shapes: `{"type": "json_schema", "json_schema": {"schema": …}}`, `{"type": "json_schema", "schema": …}`, and
    `{"type": "json_object", "schema": …}` of some hosts of open models.
    """
    output = mapping(value)
    for holder in (mapping(output.get("json_schema")), output):
        for key in ("schema", "schema_definition"):
            if isinstance(holder.get(key), dict):
                return mapping(holder[key])
    return None
