"""What is wrong with an answer as a document, and what was taken off around it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .path import Path
    from .span import Span


@dataclass(frozen=True, slots=True)
class Problem:
    """One reason why an answer is no sound document."""

    code: str
    """A parse-phase failure kind: "empty", "truncated", "invalid_json", "invalid_yaml", "prose", "fence", "thinking",
    "multiple", "duplicate_key", "non_finite", "too_deep", "too_large", "ask_back", "refusal", "loop", "encoding"."""
    message: str
    """One line in words, without the place."""
    span: Span | None = None
    """Place in the whole text; None where the problem has none (an empty answer)."""
    expected: str | None = None
    """What should stand there, in words: '"," or "]"'."""
    actual: str | None = None
    """What stands there, at most 60 characters."""
    parser_message: str | None = None
    """The standard parser's own words, by which foreign feedback about this problem is recognised."""
    path: Path = ()
    """Where in the document, for problems that have a path (duplicate_key, non_finite); else the root."""
    related: tuple[tuple[str, Span], ...] = ()
    """Other places that belong to the problem, each with a word of why: the first of two equal keys."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something that stood around the document and was taken off."""

    code: str
    """"thinking", "fence" or "prose"."""
    message: str
    """One line in words, without the place."""
    span: Span | None = None
    """What was taken off, in coordinates of the whole text."""
