"""Find what a valid answer copied from worked examples or from the feedback instead of answering the task.

What counts as a copy is the same as for the constraint `not_copied`. This check has other thresholds: it looks at the
whole answer, and not at fields that an author chose, so what the task says may be repeated.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

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
"""Words of a text that is looked for. Single words and pairs are labels and choices ("in progress"); three are enough,
where `not_copied` demands four, since what is found here only warns by default."""


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
    """Return all that an answer says, a line for each part: its text, the arguments of its calls."""
    return "\n".join(item.text for item in exchange.answer)


def copies(data: Any, first: Exchange, feedback: Sequence[tuple[str, str]]) -> list[Copy]:
    """Return every copied text of a parsed answer.

    `first` is the exchange of attempt 1, whose assistant turns are the worked examples and whose last user text is
    the task; what the task itself says may be repeated. `feedback` are pairs: the new words of a retry, and all that
    the model had answered before it, which feedback may quote and the model may keep.
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
    """Return the worked examples of a conversation: what the first request shows as answers of the model.

    Texts within JSON come a second time by themselves, without the escapes that would hide their words.
    """
    return tuple(text for item in first.request for text in _shown(item.kind, item.role, item.text, item.arguments))


def _shown(kind: ItemKind, role: Role, text: str, arguments: Any) -> Iterator[str]:
    if kind is ItemKind.TEXT and role is Role.ASSISTANT:
        yield text
        yield from (inner for _, inner in texts_in(parsed_or_none(without_thinking(text))))
    elif kind is ItemKind.CALL:
        yield from (inner for _, inner in texts_in(arguments))
