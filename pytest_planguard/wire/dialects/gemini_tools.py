"""Gemini's declared functions, tool choice and demanded schema; its OpenAPI subset as JSON Schema."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..shapes import mapping, name_of, objects, sequence, words
from .base import Body
from .gemini_parts import camel

_CHOICES = {"AUTO": "auto", "VALIDATED": "auto", "ANY": "required", "NONE": "none"}
_RENAMED = {"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"}
"""Limits that the API writes as numbers in strings (64-bit integers in protobuf's JSON)."""


def function_schemas(tools: Any) -> dict[str, Any]:
    """Declared functions: name to JSON Schema of the arguments, an empty dict where none was sent."""
    return {name: _arguments(declared) for declared in _declarations(tools) if (name := name_of(declared.get("name")))}


def function_remarks(tools: Any) -> list[dict[str, Any]]:
    """What was declared beyond name and schema: descriptions, and tools that the provider runs itself."""
    read = ("parameters", "parametersJsonSchema")
    rests = [
        {k: v for k, v in declared.items() if k not in read and v is not None} for declared in _declarations(tools)
    ]
    others = [{k: v for k, v in camel(tool).items() if k != "functionDeclarations"} for tool in objects(tools)]
    return [rest for rest in rests if rest.keys() - {"name"}] + [other for other in others if other]


def tool_choice(value: Any) -> str | None:
    """The function calling mode as "auto", "none", "required", or the one function that is allowed."""
    config = camel(value)
    choice = _CHOICES.get(words(config.get("mode")).upper())
    allowed = [name for name in sequence(config.get("allowedFunctionNames")) if name_of(name)]
    return allowed[0] if choice == "required" and len(allowed) == 1 else choice


def demanded_schema(config: Body) -> dict[str, Any] | None:
    """The JSON Schema that the generation config demands; None where it demands none."""
    raw = config.get("responseJsonSchema") or config.get("_responseJsonSchema")
    if isinstance(raw, dict):
        return raw
    described = config.get("responseSchema")
    return json_schema(described) if isinstance(described, dict) and described else None


def json_schema(described: Any) -> Any:
    """A schema in Google's OpenAPI subset as JSON Schema.

    Types are written in capitals, `nullable` stands beside them, limits may be strings, and keys may be in snake case.
    Property names and allowed values are left alone. The depth is bounded by that of the body.
    """
    if not isinstance(described, dict):
        return described
    schema = {key: _converted(key, value) for key, value in camel(described).items() if key != "nullable"}
    if camel(described).get("nullable") is True and isinstance(schema.get("type"), str):
        schema["type"] = [schema["type"], "null"]
    return schema


def _converted(key: str, value: Any) -> Any:
    if key == "type":
        return value.lower() if isinstance(value, str) else value
    if key in ("properties", "$defs", "defs"):
        return {name: json_schema(inner) for name, inner in mapping(value).items()}
    if key in ("anyOf", "oneOf", "allOf", "prefixItems"):
        return [json_schema(inner) for inner in sequence(value)]
    if key in _RENAMED and isinstance(value, str) and value.isdecimal():
        return int(value)
    return json_schema(value) if key in ("items", "additionalProperties") else value


def _declarations(tools: Any) -> Iterator[dict[str, Any]]:
    for tool in objects(tools):
        yield from (camel(declared) for declared in objects(camel(tool).get("functionDeclarations")))


def _arguments(declared: Body) -> dict[str, Any]:
    raw = declared.get("parametersJsonSchema")
    return raw if isinstance(raw, dict) else mapping(json_schema(declared.get("parameters")))
