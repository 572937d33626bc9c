"""One document on its way to becoming a plan."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from .outline import Outline, outline

if TYPE_CHECKING:
    from ...document.answer import Document


class Source:
    """A document that was read, with its outline, worked out at most once, and where its file stands."""

    def __init__(self, document: Document, path: str | None = None) -> None:
        self.document = document
        self.data: Any = document.data
        """The parsed document; for Markdown its text."""
        self.is_markdown = document.format == "markdown"
        """True where the document was read as Markdown."""
        self.path = path.replace("\\", "/") if path else None
        """The file's path with forward slashes, as far as it is known; a hint, never proof of a format."""

    @cached_property
    def outline(self) -> Outline:
        """Headings, items and text of a Markdown document."""
        return outline(self.document.text, self.document.body, self.document.offset)

    @cached_property
    def sketch(self) -> str:
        """The outline in a normal form, one block a line."""
        return self.outline.sketch()
