"""Content of a message, a string or a list of parts, as text items. Shared by all dialects."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..exchange import Item, ItemKind, Role
from ..untrusted_json import as_json, name_of, parsed_or_none, sequence, words

_TEXT_PARTS = frozenset({"text", "input_text", "output_text", "summary_text"})
_SILENT_PARTS = frozenset({"thinking", "redacted_thinking", "reasoning", "reasoning_text", "refusal"})
"""Parts that are no said text: thoughts, and refusals, which have a field of their own."""


def part_text(part: Any, *, media: bool = True) -> str | None:
    """Text of one content part; None for what is no said text: thoughts, refusals, tools that the provider ran itself.

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


def text_items(role: Role, content: Any) -> list[Item]:
    """Return text items of a message's content.

    Parts that follow each other directly in an assistant's turn are one text: providers cut there for citations, in
    the middle of a sentence or a JSON document. Blank content is no item.
    """
    parts = [_as_text(content)] if isinstance(content, (str, dict)) else sequence(content)
    texts = _joined_runs(parts) if role is Role.ASSISTANT else (part_text(part) or "" for part in parts)
    return [Item(ItemKind.TEXT, role, text) for text in texts if text.strip()]


def _as_text(content: str | dict[str, Any]) -> Any:
    """Return a content that is one part or one text; any other object is the document, which some gateways parse."""
    is_part = isinstance(content, str) or isinstance(content.get("text"), str) or isinstance(content.get("type"), str)
    return content if is_part else as_json(content)


def _joined_runs(parts: list[Any]) -> Iterator[str]:
    """Runs of neighbouring parts with text, each run joined; a part without text ends a run."""
    run: list[str] = []
    for part in parts:
        text = part_text(part, media=False)
        if text is None:
            yield "".join(run)
            run = []
        else:
            run.append(text)
    yield "".join(run)


def mixed_items(role: Role, parts: Any, tool_item: Callable[[dict[str, Any]], Item | None]) -> list[Item]:
    """The items of one message, in order: text between the calls and results that `tool_item` reads from parts."""
    items: list[Item] = []
    run: list[Any] = []
    for part in sequence(parts):
        item = tool_item(part) if isinstance(part, dict) else None
        if item is None:
            run.append(part)
            continue
        items += [*text_items(role, run), item]
        run = []
    return items + text_items(role, run)


def flat_text(content: Any) -> str:
    """Return a tool result's content as one text: parts joined by newlines, other JSON values as JSON."""
    if content is None:
        return ""
    if isinstance(content, list):
        return "\n".join(text for part in content if (text := part_text(part)))
    return as_json(content)


def call_item(name: Any, arguments: Any, call_id: Any) -> Item:
    """Return a tool call. Arguments come as JSON text, or parsed where the provider parses them."""
    text = "" if arguments is None else as_json(arguments)
    parsed = parsed_or_none(text) if isinstance(arguments, str) else arguments
    return Item(ItemKind.CALL, Role.ASSISTANT, text, name_of(call_id), name_of(name), parsed)


def result_item(content: Any, call_id: Any, name: Any = None, *, is_error: bool = False) -> Item:
    """Return a tool's result on its way back to the model."""
    return Item(ItemKind.RESULT, Role.TOOL, flat_text(content), name_of(call_id), name_of(name), is_error=is_error)
