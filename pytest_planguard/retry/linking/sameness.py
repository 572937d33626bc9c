"""Define when two texts, arguments or items are the same. White space and thinking blocks never matter."""

from __future__ import annotations

import json
import re
from collections import defaultdict, deque
from typing import TYPE_CHECKING

from ...wire.exchange import ItemKind, Role
from ...wire.untrusted_json import parsed_or_none

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from ...wire.exchange import Exchange, Item


# A key of JSON or of a Python dict: '"title":', "'title' :".
_FIELD = re.compile(r"[\"']([\w-]{1,80})[\"']\s{0,8}:")
_FIELDS_LIMIT = 20_000
"""Maximum number of characters of an answer to search for keys: they repeat from item to item."""
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


# Find the earlier exchanges whose answer or request a later request repeats, in constant time per lookup.


SAME_ANSWERS = 64
"""Maximum number of exchanges with the same answer to consider, latest first. Keeps linking linear."""
_HEAD = 48  # a client may append words to an answer, so index its first characters
_TEXT, _HEADS, _DOCUMENT, _CALL, _ID = range(5)


class AnswerIndex:
    """An index of answers. `matches` looks up the items of a later request."""

    def __init__(self) -> None:
        self._known: dict[Hashable, deque[int]] = defaultdict(lambda: deque(maxlen=SAME_ANSWERS))
        self._calls: dict[int, frozenset[tuple[str, str]]] = {}
        self._texts: dict[int, str] = {}

    def add(self, number: int, exchange: Exchange) -> None:
        """Index the exchange's answer under `number`."""
        calls = exchange.calls
        self._calls[number] = frozenset(map(call_key, calls))
        for key in self._calls[number]:
            self._known[(_CALL, *key)].append(number)
        for call_id in {c.call_id for c in calls if c.call_id}:
            self._known[(_ID, call_id)].append(number)
        text = normal_text(exchange.answer_text)
        self._texts[number] = text
        parts = {text, *(normal_text(i.text) for i in exchange.answer if i.kind is ItemKind.TEXT)}
        if exchange.prefill:  # the client may repeat only what it received
            parts.add(normal_text(exchange.answer_text.removeprefix(exchange.prefill)))
        for part in sorted(p for p in parts if p):  # the order of a set differs between processes
            self._add_text(number, part)

    def matches(self, item: Item) -> Iterator[tuple[int, bool]]:
        """Yield (number, exact) for each earlier exchange whose answer this request item repeats.

        Three kinds of match are not exact: a call with the same id but rewritten arguments, the result of a call, and
        an assistant text that continues after the answer.
        """
        if item.kind is ItemKind.RESULT:
            yield from ((n, False) for n in self._known.get((_ID, item.call_id), ()) if item.call_id)
        elif item.kind is ItemKind.CALL:
            yield from self._call_matches(item)
        elif item.role is Role.ASSISTANT:
            yield from self._text_matches(normal_text(item.text))

    def _add_text(self, number: int, text: str) -> None:
        self._known[(_TEXT, text)].append(number)
        if len(text) >= _HEAD:
            self._known[(_HEADS, text[:_HEAD])].append(number)
        inner = enclosed(text)
        if inner and inner != text:
            self._known[(_TEXT, inner)].append(number)
        if document := document_key(inner):
            self._known[(_DOCUMENT, document)].append(number)

    def _call_matches(self, call: Item) -> Iterator[tuple[int, bool]]:
        key = call_key(call)
        by_id = self._known.get((_ID, call.call_id), ()) if call.call_id else ()
        yield from ((n, key in self._calls[n]) for n in by_id)
        if not by_id:  # no answer has this id, so the client may have replaced it
            yield from ((n, True) for n in self._known.get((_CALL, *key), ()))

    def _text_matches(self, text: str) -> Iterator[tuple[int, bool]]:
        exact = self._known.get((_TEXT, text)) or self._known.get((_DOCUMENT, document_key(text))) or ()
        yield from ((n, True) for n in exact)
        if not exact:
            begun = self._known.get((_HEADS, text[:_HEAD]), ())
            yield from ((n, False) for n in begun if text.startswith(self._texts[n]))


class Prefixes:
    """A prefix tree of requests by their items. Two requests share the nodes of their common prefix."""

    def __init__(self) -> None:
        self._nodes: dict[Hashable, int] = {}

    def nodes(self, exchange: Exchange) -> tuple[int, ...]:
        """Return one node for each prefix of the request, starting with the empty one: k + 1 nodes for k items."""
        at = self._nodes.setdefault("start", 0)
        path = [at]
        for item in exchange.request:
            at = self._nodes.setdefault((at, item_key(item)), len(self._nodes))
            path.append(at)
        return tuple(path)


def common(one: tuple[int, ...], other: tuple[int, ...]) -> int:
    """Return the number of leading items that two requests share, by bisection over their nodes."""
    low, high = 0, min(len(one), len(other)) - 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[middle] == other[middle] else (low, middle - 1)
    return low
