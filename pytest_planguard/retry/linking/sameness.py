"""Define when two texts, arguments or items are the same. White space and thinking blocks never matter."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from ...wire.exchange import ItemKind
from ...wire.untrusted_json import parsed_or_none

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from ...wire.exchange import Exchange, Item

_FIELD = re.compile(r"[\"']([\w-]{1,80})[\"']\s{0,8}:")
_FIELDS_LIMIT = 20_000
_CANONICAL = json.JSONEncoder(sort_keys=True, ensure_ascii=False)
_THINKING = (("<think>", "</think>"), ("<thinking>", "</thinking>"))


def normal_text(text: str) -> str:
    """Return the text without thinking blocks, with each run of white space as one space. Takes linear time."""
    return " ".join((without_thinking(text) if "<think" in text else text).split())


def without_thinking(text: str) -> str:
    """Return the text without thinking blocks. A block that is never closed is kept."""
    for opening, closing in _THINKING:
        kept, at = [], 0
        while (start := text.find(opening, at)) >= 0 and (end := text.find(closing, start)) >= 0:
            kept.append(text[at:start])
            at = end + len(closing)
        text = "".join([*kept, text[at:]])
    return text


def canonical(value: object) -> str:
    """Return the same string for equal JSON values, regardless of key order. Other values are compared by type."""
    if value is None:  # the usual output schema
        return "null"
    try:
        return _CANONICAL.encode(value)
    except (TypeError, ValueError, RecursionError):
        return repr(type(value))


def call_key(item: Item) -> tuple[str, str]:
    """Return the tool name and the canonical arguments of a call, or their normalised text if they do not parse."""
    return (item.name or "", normal_text(item.text) if item.arguments is None else canonical(item.arguments))


def item_key(item: Item) -> Hashable:
    """Return a key that is equal for equal request items. It ignores call ids, since clients may replace them."""
    if item.kind is ItemKind.CALL:
        return (item.kind, *call_key(item))
    return (item.kind, item.role if item.kind is ItemKind.TEXT else "", normal_text(item.text))


def repeats(item: Item, earlier: Item) -> bool:
    """Return True if an item equals an earlier one or begins with its text: apps may append errors to the task."""
    if item_key(item) == item_key(earlier):
        return True
    said = normal_text(earlier.text)
    return (
        item.kind is earlier.kind
        and item.role is earlier.role
        and bool(said)
        and normal_text(item.text).startswith(said)
    )


def document_key(text: str) -> str | None:
    """Return the canonical form of a JSON object or list, since clients may reformat answers; None for other texts."""
    document = parsed_or_none(text) if text[:1] in ("{", "[") else None
    return None if document is None else canonical(document)


def enclosed(text: str) -> str:
    """Return the text between the outermost brackets, which a client may keep from an answer with prose; else ""."""
    start = min((at for at in (text.find("{"), text.find("[")) if at >= 0), default=-1)
    end = max(text.rfind("}"), text.rfind("]"))
    return text[start : end + 1] if 0 <= start < end else ""


def alike(answer: str, other: str) -> bool:
    """Return True if two documents, even broken ones, share a field name.

    Also True if `other` is empty or `answer` has no field names.
    """
    names, others = (set(_FIELD.findall(text[:_FIELDS_LIMIT])) for text in (answer, other))
    return not other or not names or bool(names & others)


def is_material(earlier: Exchange, later: Exchange) -> bool:
    """Return True if the later request only uses the earlier answer as material.

    Then the answer is prose, and only the later request asks for a document. For example, a critic or a guardrail
    quotes the free text of another step and answers in JSON.
    """
    if _FIELD.search(earlier.answer_text[:_FIELDS_LIMIT]) or earlier.calls:
        return False
    return _wants_document(later) and not _wants_document(earlier)


def _wants_document(exchange: Exchange) -> bool:
    texts = (i.text for i in exchange.request if i.kind is ItemKind.TEXT and i.role != "assistant")
    return bool(exchange.output_schema or exchange.tools) or any("json" in text.casefold() for text in texts)


def answer_key(exchange: Exchange) -> str | None:
    """Return a key that is equal for equal answers; None if the exchange has no answer."""
    return items_key(exchange.answer) or exchange.rejected_text


def items_key(answer: Sequence[Item]) -> str | None:
    """Return a key that is equal for the items of equal answers; None if they are empty."""
    if len(answer) == 1 and answer[0].kind is ItemKind.TEXT:
        return normal_text(answer[0].text) or None
    parts = [" ".join(call_key(i)) if i.kind is ItemKind.CALL else normal_text(i.text) for i in answer]
    return "\n".join(parts) if any(parts) else None


class Repeats:
    """Finds the earlier answer of a conversation that a later one repeats."""

    __slots__ = ("_numbers",)

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def add(self, number: int, key: str | None) -> int | None:
        """Add an answer, and return the number of the latest earlier answer with the same key, or None.

        Empty answers (without a key) do not count as repeated.
        """
        if not key:
            return None
        earlier = self._numbers.get(key)
        self._numbers[key] = number
        return earlier


def task_key(exchange: Exchange) -> Hashable:
    """Return what all requests of one task have in common besides their turns: system text, tools, output schema."""
    system = " ".join(normal_text(i.text) for i in exchange.request if i.role == "system")
    return (system, tuple(sorted(map(str, exchange.tools))), canonical(exchange.output_schema))


def last_user(exchange: Exchange) -> Item | None:
    """Return the last user text of the request: the task, after any worked examples."""
    turns = (i for i in reversed(exchange.request) if i.kind is ItemKind.TEXT and i.role == "user")
    return next(turns, None)
