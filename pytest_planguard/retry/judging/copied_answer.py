"""Find the texts of a valid answer that come from worked examples or the feedback, and not from the task.

The constraint `not_copied` defines copies in the same way, with different thresholds. It covers fields that an author
chose. This check covers the whole answer, so the answer may repeat texts of the task.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...document.path import to_dotted
from ...document.path_pattern import texts_in
from ...document.words import copied_from, source
from ...wire.exchange import ItemKind, Role
from ...wire.untrusted_json import parsed_or_none
from ..linking.sameness import last_user, without_thinking

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...wire.exchange import Exchange

SHORTEST_COPY = 3
"""Minimum number of words of a copied text. One or two words are labels and choices ("in progress"). `not_copied` needs
four words; three are enough here, since this check only warns by default."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A text of the answer that is also in an example or in the feedback."""

    path: tuple[str | int, ...]
    text: str
    source: str
    """"an example" or "the feedback"."""

    def __str__(self) -> str:
        return f"{to_dotted(self.path)} copies {self.source}: {json.dumps(self.text[:80], ensure_ascii=False)}"


def words_of(exchange: Exchange) -> str:
    """Return all parts of an answer, each on a new line: its text and the arguments of its calls."""
    return "\n".join(item.text for item in exchange.answer)


def copies(data: object, first: Exchange, feedback: Sequence[tuple[str, str]]) -> list[Copy]:
    """Return every copied text of a parsed answer.

    Args:
        data: the parsed answer.
        first: the exchange of attempt 1. Its assistant turns are the worked examples, and its last user text is the
            task, which the answer may repeat.
        feedback: for each retry, its new words and all earlier answers. Texts of an earlier answer are not copies.
    """
    last = last_user(first)
    task = last.text if last else ""
    sources = [source("an example", text, task) for text in example_texts(first)]
    sources += [source("the feedback", text, task, said) for text, said in feedback]
    origins = (
        [(path, text, copied_from(text, sources, SHORTEST_COPY)) for path, text in texts_in(data)] if sources else []
    )
    return [Copy(path, text, origin) for path, text, origin in origins if origin is not None]


def example_texts(first: Exchange) -> tuple[str, ...]:
    """Return the worked examples of a conversation: the model's answers in its first request.

    Strings within JSON are also returned separately, since escapes would hide their words.
    """
    return tuple(text for item in first.request for text in _shown(item.kind, item.role, item.text, item.arguments))


def _shown(kind: ItemKind, role: Role, text: str, arguments: object) -> Iterator[str]:
    if kind is ItemKind.TEXT and role is Role.ASSISTANT:
        yield text
        yield from (inner for _, inner in texts_in(parsed_or_none(without_thinking(text))))
    elif kind is ItemKind.CALL:
        yield from (inner for _, inner in texts_in(arguments))
