"""What a feedback style gets to word, and what a style is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ..finding import Finding
from ..phrasing import plural

TEXT_LIMIT = 2_000
"""Characters that feedback has at most: a real system sent 201,850 for one answer of 10,023."""
LINE_LIMIT = 20
"""Problems that the default style lists at most."""

Counting = Literal["attempts", "retries"]


class Correction(NamedTuple):
    """What a retry has to say. The findings are all bad, of one answer, and never mix syntax with schema problems."""

    findings: tuple[Finding, ...]
    attempt: int | None = None
    """The attempt that failed, from 1; None where the caller does not count."""
    max_attempts: int | None = None
    """Attempts allowed in all, the first included."""
    document: str = "JSON object"
    """What the model must return: "JSON object", "YAML document", …"""

    @property
    def problems(self) -> str:
        """'1 problem', '3 problems'."""
        return plural(len(self.findings), "problem")


class Worded(NamedTuple):
    """A style's text and how many of the findings it names."""

    text: str
    shown: int


@dataclass(frozen=True, slots=True)
class Style:
    """A way of wording feedback."""

    name: str
    word: Callable[[Correction], Worded]
    opening: str = ""
    """How its text always begins: by that an earlier block in a prompt is found and replaced; "" for never."""


def fitted(lines: Sequence[str], limit: int, budget: int) -> int:
    """Return how many of the lines go out: at most `limit`, and at most `budget` characters with their line breaks."""
    used = 0
    for shown, line in enumerate(lines[:limit]):
        used += len(line) + 1
        if used > budget:
            return shown
    return min(len(lines), limit)
