"""Shapes that several providers share: content parts, tools, errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .exchange import Item, ItemKind, Role
from .untrusted_json import JsonObject, as_json, mapping, name_of, objects, parsed_or_none, sequence, words

_TEXT_PARTS = frozenset({"text", "input_text", "output_text", "summary_text"})
_SILENT_PARTS = frozenset({"thinking", "redacted_thinking", "reasoning", "reasoning_text", "refusal"})
"""Parts without spoken text: thoughts, and refusals, which have a separate field."""


def part_text(part: object, *, media: bool = True) -> str | None:
    """Return the text of one content part; None for thoughts, refusals, and tools that the provider ran.

    With `media`, any other part is `<type>`, so that an image keeps its place in a user's message.
    """
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return None
    kind = words(part.get("type"))
    if kind in _TEXT_PARTS or not kind:
        text = part.get("text")
        return text if isinstance(text, str) else None
    return f"<{kind}>" if media and kind not in _SILENT_PARTS else None


def text_items(role: Role, content: object) -> list[Item]:
    """Return text items of a message's content.

    Adjacent parts in an assistant's turn are one text: providers split there for citations, even in the middle of a
    sentence or a JSON document. Blank content is not an item.
    """
    if isinstance(content, str):
        return [Item(ItemKind.TEXT, role, content)] if content.strip() else []
    parts = [_as_text(content)] if isinstance(content, dict) else sequence(content)
    texts = _joined_runs(parts) if role is Role.ASSISTANT else (part_text(part) or "" for part in parts)
    return [Item(ItemKind.TEXT, role, text) for text in texts if text.strip()]


def _as_text(content: JsonObject) -> object:
    """Return content that is one part; any other object is the document, which some gateways parse."""
    is_part = isinstance(content.get("text"), str) or isinstance(content.get("type"), str)
    return content if is_part else as_json(content)


def _joined_runs(parts: list[Any]) -> Iterator[str]:
    """Yield runs of neighbouring parts with text, each run joined; a part without text ends a run."""
    run: list[str] = []
    for part in parts:
        text = part_text(part, media=False)
        if text is None:
            yield "".join(run)
            run = []
        else:
            run.append(text)
    yield "".join(run)


def mixed_items(role: Role, parts: object, tool_item: Callable[[JsonObject], Item | None]) -> list[Item]:
    """Return the items of one message, in order: text between the calls and results that `tool_item` reads."""
    items: list[Item] = []
    run: list[object] = []
    for part in sequence(parts):
        item = tool_item(part) if isinstance(part, dict) else None
        if item is None:
            run.append(part)
            continue
        items += [*text_items(role, run), item]
        run = []
    return items + text_items(role, run)


def flat_text(content: object) -> str:
    """Return a tool result's content as one text: parts joined by newlines, other JSON values as JSON text."""
    if content is None:
        return ""
    if isinstance(content, list):
        return "\n".join(text for part in content if (text := part_text(part)))
    return as_json(content)


def call_item(name: object, arguments: object, call_id: object) -> Item:
    """Return a tool call. Arguments are JSON text, or parsed if the provider parses them."""
    text = "" if arguments is None else as_json(arguments)
    parsed = parsed_or_none(text) if isinstance(arguments, str) else arguments
    return Item(ItemKind.CALL, Role.ASSISTANT, text, name_of(call_id), name_of(name), parsed)


def result_item(content: object, call_id: object, name: object = None, *, is_error: bool = False) -> Item:
    """Return a tool's result that is sent back to the model."""
    return Item(ItemKind.RESULT, Role.TOOL, flat_text(content), name_of(call_id), name_of(name), is_error=is_error)


# Declared tools, tool choice and demanded schemas, in the shapes that providers share.

_CHOICES = {"auto": "auto", "none": "none", "required": "required", "any": "required"}
_SCHEMA_KEYS = ("parameters", "input_schema")


def tool_schemas(tools: object) -> JsonObject:
    """Return the declared tools: name to JSON Schema of the arguments, an empty dict if none was sent.

    Tools that the provider runs (web search and the like) declare no arguments and are left out.
    """
    return {name: schema for tool in objects(tools) for name, schema in [_declared(tool)] if name}


def _declared(tool: JsonObject) -> tuple[str | None, JsonObject]:
    kind = words(tool.get("type"))
    inner = tool.get("function") or tool.get("custom")
    body = inner if isinstance(inner, dict) else tool
    key = next((key for key in _SCHEMA_KEYS if key in body), None)
    ours = key is not None or inner is not None or kind in ("function", "custom")
    name = name_of(body.get("name"))
    return (name if ours else None), mapping(body.get(key)) if key else {}


def declared(specs: Iterable[tuple[JsonObject, object]]) -> JsonObject:
    """Return tools by name with the JSON Schema of their arguments. Each item of `specs` is a tool and its schema."""
    return {name: mapping(schema) for spec, schema in specs if (name := name_of(spec.get("name")))}


def choice_of(value: object) -> str | None:
    """Return the tool choice as "auto", "none", "required" or the only tool's name; None if missing or unknown."""
    if isinstance(value, str):
        return _CHOICES.get(value, value) or None
    choice = mapping(value)
    named = next((choice[key] for key in ("function", "custom") if isinstance(choice.get(key), dict)), choice)
    if name := name_of(named.get("name")):
        return name
    allowed = mapping(choice.get("allowed_tools"))
    kind = words(allowed.get("mode") or choice.get("mode") or choice.get("type"))
    return _CHOICES.get(kind)


def demanded_schema(value: object) -> JsonObject | None:
    """Return the JSON Schema that an output format demands; None if it demands none ("text", "json_object").

    Known shapes: `{"type": "json_schema", "json_schema": {"schema": …}}`, `{"type": "json_schema", "schema": …}`, and
    `{"type": "json_object", "schema": …}` of some hosts of open models.
    """
    output = mapping(value)
    for holder in (mapping(output.get("json_schema")), output):
        for key in ("schema", "schema_definition"):
            if isinstance(holder.get(key), dict):
                return mapping(holder[key])
    return None


# The error that a body reports, in any provider's shape.

ERROR_LIMIT = 2_000
"""Maximum number of characters to keep of an error message."""


@dataclass(frozen=True, slots=True)
class ProviderError:
    """An error as the provider reports it."""

    message: str
    rejected_text: str | None = None
    """The model's text if the provider rejected it (`failed_generation`)."""


def provider_error(body: object) -> ProviderError | None:
    """Return the error of a parsed body; None if it reports none.

    Shapes: `{"error": {"message"}}` (OpenAI, Anthropic, most hosts), `{"error": "…"}`, `{"message"}`, `{"detail"}`, and
    a list with one of these.
    """
    if isinstance(body, list):
        return next((found for found in map(provider_error, objects(body)) if found), None)
    whole = mapping(body)
    error = whole.get("error")
    # `"error": null` is in every answer of some hosts.
    if not error:
        return None
    inner = mapping(error)
    rejected = name_of(inner.get("failed_generation")) or name_of(whole.get("failed_generation"))
    return ProviderError(_clipped(_message(inner) or as_json(error)), rejected)


def http_error(status: int, body: object, text: str) -> ProviderError:
    """Return the error of an answer with status >= 400, for any body."""
    known = provider_error(body)
    if known:
        return known
    message = _message(mapping(body)) or " ".join(text[: 2 * ERROR_LIMIT].split())
    return ProviderError(_clipped(message) or f"HTTP {status}")


def _message(body: Mapping[str, object]) -> str | None:
    for key in ("message", "detail", "msg"):
        if body.get(key):
            return as_json(body[key])
    return None


def _clipped(message: str) -> str:
    return message if len(message) <= ERROR_LIMIT else message[: ERROR_LIMIT - 1] + "…"
