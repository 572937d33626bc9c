"""Finds what a valid answer copied from worked examples or from the feedback instead of answering the task."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...document.path import to_dotted
from ...wire.exchange import ItemKind, Role
from ..linking.sameness import last_user, normal_text, without_thinking

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...wire.exchange import Exchange

SHORTEST_COPY = 3
"""Words of a text that cannot well be found twice by chance; single words are labels and choices."""
_DEPTH = 20


@dataclass(frozen=True, slots=True)
class Copy:
    """A text of the answer that stands in an example or in the feedback."""

    path: tuple[str | int, ...]
    text: str
    source: str
    """"an example" or "the feedback"."""

    def __str__(self) -> str:
        return f"{to_dotted(self.path)} copies {self.source}: {json.dumps(self.text[:80], ensure_ascii=False)}"


def words_of(exchange: Exchange) -> str:
    """All that an answer says, a line for each part: its text, the arguments of its calls."""
    return "\n".join(item.text for item in exchange.answer)


def copies(data: Any, first: Exchange, feedback: Sequence[tuple[str, str]]) -> list[Copy]:
    """Every copied text of a parsed answer.

    `first` is the exchange of attempt 1, whose assistant turns are the worked examples and whose last user text is
    the task; what the task itself says may be repeated. `feedback` are pairs: the new words of a retry, and all that
    the model had answered before it, which feedback may quote and the model may keep.
    """
    task = last_user(first)
    allowed = _folded(task.text) if task else ""
    found = [
        (path, text, _folded(text)) for path, text in _texts(data, (), _DEPTH) if len(text) >= 2 * SHORTEST_COPY - 1
    ]
    long = [own for own in found if len(own[2].split()) >= SHORTEST_COPY and own[2] not in allowed]
    if not long:
        return []
    examples = frozenset(_folded(text) for text in _examples(first))
    told = [(_folded(text), _folded(said)) for text, said in feedback]
    sources = [(path, text, _source(words, examples, told)) for path, text, words in long]
    return [Copy(path, text, source) for path, text, source in sources if source is not None]


def _source(words: str, examples: frozenset[str], told: Sequence[tuple[str, str]]) -> str | None:
    if words in examples:
        return "an example"
    return "the feedback" if any(words in new and words not in own for new, own in told) else None


def _examples(first: Exchange) -> Iterator[str]:
    for item in first.request:
        if item.kind is ItemKind.TEXT and item.role is Role.ASSISTANT:
            yield item.text
            yield from (text for _, text in _texts(_parsed(item.text), (), _DEPTH))
        elif item.kind is ItemKind.CALL:
            yield from (text for _, text in _texts(item.arguments, (), _DEPTH))


def _parsed(text: str) -> Any:
    try:
        return json.loads(without_thinking(text))
    except (ValueError, RecursionError):
        return None


def _texts(value: Any, path: tuple[str | int, ...], depth: int) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if isinstance(value, str):
        yield path, value
    elif depth and isinstance(value, dict):
        for key, inner in value.items():
            yield from _texts(inner, (*path, str(key)), depth - 1)
    elif depth and isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _texts(inner, (*path, index), depth - 1)


def _folded(text: str) -> str:
    return normal_text(text).casefold().strip(" .!?\"'")
