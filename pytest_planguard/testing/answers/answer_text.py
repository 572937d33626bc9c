"""A document as a model wraps it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

TextWrapping = Literal[
    "bare",
    "fenced",
    "prose_around",
    "thinking",
    "truncated",
    "schema_echo",
    "two_documents",
    "empty",
    "refusal",
    "ask_back",
]
"""What a model puts around a document, does to it, or writes instead of it."""


@dataclass(frozen=True, slots=True)
class AnswerText:
    """One text of a model and the document behind it."""

    text: str
    wrapping: TextWrapping
    value: Any
    """The document as plain data, which keeps the contract."""
    readable: bool
    """Whether a reader can find exactly this document in the text; False where it must give up."""


TEXT_WRAPPINGS: Mapping[TextWrapping, bool] = {
    "bare": True,
    "fenced": True,
    "prose_around": True,
    "thinking": True,
    "truncated": False,
    "schema_echo": False,
    "two_documents": False,
    "empty": False,
    "refusal": False,
    "ask_back": False,
}
"""Wrapping to whether the document can be read from it; the first is what an example shrinks to."""
