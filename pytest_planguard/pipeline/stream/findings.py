"""Findings of the stream monitor about an answer that has not ended, and the thresholds of its detectors."""

from __future__ import annotations

from dataclasses import dataclass

from ...contract.failure_kinds import FailureKind
from ...contract.finding import Finding
from ...contract.phrasing import clip
from ...errors import UsageError

CHARACTERS_PER_TOKEN = 4
"""An estimate for English prose. If the stream has the provider's count, that is used instead."""


@dataclass(frozen=True, slots=True)
class StreamThresholds:
    """When a detector fires. 0 turns a detector off, None removes a limit.

    Raises:
        UsageError: a negative number.
    """

    prose_tokens: int = 500
    """Maximum number of tokens of text before the document. A thinking block at the start is not counted."""
    container_tokens: int = 150
    """Number of tokens after which an answer that looks like Markdown, without a document, counts as the wrong
    container."""
    container_lines: int = 3
    """Number of headings, list items and table rows that make a text Markdown. An introduction has one or two."""
    refusal_tokens: int = 100
    """Tokens of text after which a phrase such as "I cannot help with" counts as a refusal. Some models apologise
    first, then answer."""
    loop_characters: int = 4_000
    """Length of a repetition, in characters, that counts as a loop in a document: a list of 2,000 zeros does, one of
    1,000 does not. In prose, 400 characters are enough."""
    echo_characters: int = 8_192
    """Number of characters at the start of a document to search for the schema, which begins an echo."""
    partial: bool = False
    """True to validate complete fields while the rest is still missing."""
    max_characters: int | None = None
    """Maximum length of an answer, in characters, without its thinking block."""

    def __post_init__(self) -> None:
        for name in ("prose_tokens", "container_tokens", "container_lines", "refusal_tokens", "loop_characters"):
            if getattr(self, name) < 0:
                raise UsageError(f"wrong {name}: got {getattr(self, name)}; give 0 or more")
        if self.max_characters is not None and self.max_characters < 1:
            raise UsageError(f"wrong max_characters: got {self.max_characters}; give 1 or more, or None for no bound")


@dataclass(frozen=True, slots=True)
class StreamFinding:
    """One thing wrong with an answer that has not ended, and when it was detected."""

    finding: Finding
    character: int
    """Number of characters between the start of the judged text and the point at which the detector fired."""
    tokens: int
    """The same position in tokens: the provider's count from the stream, or a quarter of `character`, rounded up."""

    @property
    def code(self) -> str:
        """The finding's code, for example "prose" or "schema_echo"."""
        return self.finding.code


def refusal_finding(text: str) -> Finding:
    """Return the finding for a refusal."""
    return Finding("refusal", (), f"the answer declines: {clip(' '.join(text.split()))}", FailureKind.REFUSAL)
