"""A prompt that knows what it said before feedback was put into it, so that the next feedback takes the place of it.

Only the words could tell otherwise, and an author's own template may have any words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self


class WithFeedback(str):
    """A prompt with feedback in it. A plain text in every other respect: it compares, joins and dumps like one."""

    own: str

    def __new__(cls, text: str, own: str) -> Self:
        """Keep the text as it was without the feedback; that of a prompt that had feedback already is its own."""
        made = super().__new__(cls, text)
        made.own = own_text(own)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy with what it knows."""
        return WithFeedback, (str(self), self.own)


def own_text(text: str) -> str:
    """Return a prompt without the feedback that was put into it; the prompt itself where none was."""
    return text.own if isinstance(text, WithFeedback) else text


def own_parts(parts: list[Any]) -> list[Any]:
    """Return the parts of a message without feedback: a part that is nothing else is left out."""
    own = (_own_part(part) for part in parts)
    return [part for part in own if part is not None]


def _own_part(part: Any) -> Any:
    text = part.get("text") if isinstance(part, Mapping) else None
    if not isinstance(text, WithFeedback):
        return part
    return {**part, "text": text.own} if text.own else None
