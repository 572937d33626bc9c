"""The thresholds of the stream's detectors, in tokens of four characters or in characters."""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import UsageError

CHARACTERS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class StreamThresholds:
    """When a detector fires. 0 turns a detector off, None removes a bound.

    Raises:
        UsageError: a negative number.
    """

    prose_tokens: int = 500
    """Tokens of the answer without a document. A thinking block at the start does not count."""
    container_tokens: int = 150
    """Tokens after which an answer that looks like Markdown, and has no document, is in the wrong container."""
    container_lines: int = 3
    """Headings, list items and table rows that make a text look like Markdown: a lead-in has one or two."""
    refusal_tokens: int = 100
    """Tokens of text after which a phrase such as "I cannot help with" is a refusal: some apologise, then answer."""
    loop_characters: int = 4_000
    """Characters of a document that repeat one piece: 1,000 equal zeros in a list are no loop, 2,000 are. In prose 400
    characters are enough."""
    echo_characters: int = 8_192
    """Characters of a document that are searched for the schema: an echo begins with it."""
    partial: bool = False
    """Whether complete fields are validated while the rest is still missing."""
    max_characters: int | None = None
    """Characters of the longest answer; a thinking block does not count."""

    def __post_init__(self) -> None:
        for name in ("prose_tokens", "container_tokens", "container_lines", "refusal_tokens", "loop_characters"):
            if getattr(self, name) < 0:
                raise UsageError(f"wrong {name}: got {getattr(self, name)}; give 0 or more")
        if self.max_characters is not None and self.max_characters < 1:
            raise UsageError(f"wrong max_characters: got {self.max_characters}; give 1 or more, or None for no bound")
