"""Gemini's contents and declared functions: parts as items, its OpenAPI subset as JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ..dialect import Body, role_of
from ..exchange import Item, Role
from ..provider_shapes.content import call_item, mixed_items, result_item
from ..untrusted_json import as_json, mapping, name_of, objects, sequence, words

_SNAKE = re.compile(r"_([a-z])")
_ERRORS = ("error", "call_error")
"""Members of a function response that say that the call failed: Google's own, and the one that older clients send."""


def camel(value: Any) -> dict[str, Any]:
    """Return an object with its own keys in camel case, as the API writes them; some clients send snake case."""
    return {_SNAKE.sub(lambda letter: letter[1].upper(), key): inner for key, inner in mapping(value).items()}


def contents_items(contents: Any) -> list[Item]:
    """Return the items of a request's contents: one text, one content, or a list of both."""
    turns = contents if isinstance(contents, list) else [contents]
    return [item for turn in turns for item in turn_items(turn, Role.USER)]


def turn_items(turn: Any, speaker: Role) -> list[Item]:
    """The items of one content; one that names no role is the speaker's. A function's turn holds its responses."""
    if isinstance(turn, str):
        return part_items(speaker, [turn])
    content = mapping(turn)
    role = role_of(content["role"]) if content.get("role") else speaker
    return part_items(role, content.get("parts"))


def part_items(role: Role, parts: Any) -> list[Item]:
    """Return the items of parts, in order. Thoughts, and code that the provider ran itself, say nothing."""
    return mixed_items(role, [_plain(part) for part in sequence(parts)], _tool_item)


def _plain(part: Any) -> Any:
    """Return a part as `content` reads it: with a type, text under `text`."""
    if not isinstance(part, dict):
        return part
    known = camel(part)
    if known.get("thought") is True:
        return {"type": "thinking"}
    if "functionCall" in known or "functionResponse" in known:
        return known
    if isinstance(known.get("text"), str):
        return {"type": "text", "text": known["text"]}
    return {"type": next((key for key in known if key != "thoughtSignature"), "thinking")}


def _tool_item(part: dict[str, Any]) -> Item | None:
    if isinstance(part.get("functionCall"), dict):
        call = part["functionCall"]
        return call_item(call.get("name"), call.get("args") or {}, call.get("id"))
    if isinstance(part.get("functionResponse"), dict):
        return _result(part["functionResponse"])
    return None


def _result(response: Body) -> Item:
    """Return a function response. What is under an error key is the text; a lone `output` or `result` is it, too."""
    value = response.get("response")
    known = mapping(value)
    failed = next((known[key] for key in _ERRORS if known.get(key)), None)
    lone = next((known[key] for key in ("output", "result", "return_value") if list(known) == [key]), value)
    text = as_json(failed if failed is not None else lone)
    return result_item(text + _media(response), response.get("id"), response.get("name"), is_error=failed is not None)


def _media(response: Body) -> str:
    """Return the place of media that came with a response."""
    kinds = (words(next(iter(part), "")) for part in objects(response.get("parts")))
    return "".join(f"\n<{kind}>" for kind in kinds)


# Gemini's declared functions, tool choice and demanded schema; its OpenAPI subset as JSON Schema.

_CHOICES = {"AUTO": "auto", "VALIDATED": "auto", "ANY": "required", "NONE": "none"}
_RENAMED = {"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"}
"""Limits that the API writes as numbers in strings (64-bit integers in protobuf's JSON)."""


def function_schemas(tools: Any) -> dict[str, Any]:
    """Declared functions: name to JSON Schema of the arguments, an empty dict where none was sent."""
    return {name: _arguments(declared) for declared in _declarations(tools) if (name := name_of(declared.get("name")))}


def function_remarks(tools: Any) -> list[dict[str, Any]]:
    """Return what was declared beyond name and schema: descriptions, and tools that the provider runs itself."""
    read = ("parameters", "parametersJsonSchema")
    rests = [
        {k: v for k, v in declared.items() if k not in read and v is not None} for declared in _declarations(tools)
    ]
    others = [{k: v for k, v in camel(tool).items() if k != "functionDeclarations"} for tool in objects(tools)]
    return [rest for rest in rests if rest.keys() - {"name"}] + [other for other in others if other]


def tool_choice(value: Any) -> str | None:
    """Return the function calling mode as "auto", "none", "required", or the one function that is allowed."""
    config = camel(value)
    choice = _CHOICES.get(words(config.get("mode")).upper())
    allowed = [name for name in sequence(config.get("allowedFunctionNames")) if name_of(name)]
    return allowed[0] if choice == "required" and len(allowed) == 1 else choice


def demanded_schema(config: Body) -> dict[str, Any] | None:
    """Return the JSON Schema that the generation config demands; None where it demands none."""
    raw = config.get("responseJsonSchema") or config.get("_responseJsonSchema")
    if isinstance(raw, dict):
        return raw
    described = config.get("responseSchema")
    return json_schema(described) if isinstance(described, dict) and described else None


def json_schema(described: Any) -> Any:
    """Return a schema in Google's OpenAPI subset as JSON Schema.

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
