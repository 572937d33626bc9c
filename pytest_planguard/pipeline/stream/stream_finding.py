"""A finding of the stream monitor: what is wrong, and after how much of the answer that could be told."""

from __future__ import annotations

from dataclasses import dataclass

from ...contract.failure_kinds import FailureKind
from ...contract.finding import Finding
from ...document.prose import loop_message


@dataclass(frozen=True, slots=True)
class StreamFinding:
    """What is wrong with an answer that has not ended."""

    finding: Finding
    character: int
    """Characters of the judged text, counted from its start, after which the detector fired."""
    tokens: int
    """The same in tokens: as the provider counts them in the stream, else one for each four characters begun."""

    @property
    def code(self) -> str:
        """The finding's code, for example "prose" or "schema_echo"."""
        return self.finding.code


def prose_finding(tokens: int) -> Finding:
    """Return the finding for an answer without a document."""
    message = f"no JSON document in the first {tokens} tokens; return the JSON document at once"
    return Finding("prose", (), message, FailureKind.PROSE, expected="a JSON document")


def container_finding() -> Finding:
    """Return the finding for Markdown, or a fence of another language, where JSON is asked."""
    message = "the answer is Markdown where JSON is asked; return the JSON document alone"
    return Finding("wrong_container", (), message, FailureKind.PROSE, expected="a JSON document")


def refusal_finding(text: str) -> Finding:
    """Return the finding for words that decline."""
    return Finding("refusal", (), f"the answer declines: {_clip(text)}", FailureKind.REFUSAL)


def loop_finding(piece: str) -> Finding:
    """Return the finding for a text that repeats a piece."""
    return Finding("loop", (), loop_message(piece), FailureKind.LOOP)


def length_finding(bound: int) -> Finding:
    """Return the finding for a text past its bound."""
    message = f"the answer has more than {bound:,} characters; return a shorter one"
    return Finding("too_large", (), message, FailureKind.TOO_LARGE, expected=f"at most {bound:,} characters")


def _clip(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:59] + "…"
