"""Gemini's contents: parts of text, media, function calls and function responses, as items."""

from __future__ import annotations

import re
from typing import Any

from ..exchange import Item, Role
from ..shapes import as_json, mapping, objects, sequence, words
from .base import Body, role_of
from .content import call_item, mixed_items, result_item

_SNAKE = re.compile(r"_([a-z])")
_ERRORS = ("error", "call_error")
"""Members of a function response that say that the call failed: Google's own, and the one that older clients send."""


def camel(value: Any) -> dict[str, Any]:
    """An object with its own keys in camel case, as the API writes them; some clients send snake case."""
    return {_SNAKE.sub(lambda letter: letter[1].upper(), key): inner for key, inner in mapping(value).items()}


def contents_items(contents: Any) -> list[Item]:
    """The items of a request's contents: one text, one content, or a list of both."""
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
    """The items of parts, in order. Thoughts, and code that the provider ran itself, say nothing."""
    return mixed_items(role, [_plain(part) for part in sequence(parts)], _tool_item)


def _plain(part: Any) -> Any:
    """A part as `content` reads it: with a type, text under `text`."""
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
    """A function response. What is under an error key is the text; a lone `output` or `result` is it, too."""
    value = response.get("response")
    known = mapping(value)
    failed = next((known[key] for key in _ERRORS if known.get(key)), None)
    lone = next((known[key] for key in ("output", "result", "return_value") if list(known) == [key]), value)
    text = as_json(failed if failed is not None else lone)
    return result_item(text + _media(response), response.get("id"), response.get("name"), is_error=failed is not None)


def _media(response: Body) -> str:
    """The place of media that came with a response."""
    kinds = (words(next(iter(part), "")) for part in objects(response.get("parts")))
    return "".join(f"\n<{kind}>" for kind in kinds)
