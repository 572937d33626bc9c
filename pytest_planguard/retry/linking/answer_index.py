"""Find the earlier exchanges whose answer or request a later request repeats, in constant time per lookup."""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING

from ...wire.exchange import ItemKind, Role
from .sameness import call_key, document_key, enclosed, item_key, normal_text

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from ...wire.exchange import Exchange, Item

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
        for part in sorted(p for p in parts if p):
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
