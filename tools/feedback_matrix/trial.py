"""One measurement: an answer with known faults, the text that is sent about it, and which of the faults it says."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from .split import held_out


class Unsaid(Enum):
    """How a text comes near a fault that it does not say."""

    OTHER_PLACE = "other place"
    """It reports another field."""
    OTHER_ITEM = "other item"
    """It reports the same rule at the same field of another item."""
    OTHER_RULE = "other rule"
    """It reports another rule of the same field, the opposite limit among them."""
    PARTIAL = "partial"
    """It reports another fault of the answer, and leaves this one out."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One text, sent after one answer."""

    group: str
    """The table in which it is counted."""
    unit: str
    """What is held out as a whole: validator, phrase or wording."""
    language: str
    envelope: str
    document: str
    answer: tuple[str, ...]
    """Names of the answer's faults."""
    text: str
    said: tuple[str, ...]
    """Those of the answer's faults that the text says."""
    kind: Unsaid | None = None
    """How the text comes near the others; None where it says all of them."""
    row: str = ""
    """The row of the group's table: validator, style or form."""

    @property
    def held_out(self) -> bool:
        """Whether it belongs to the third that is only counted."""
        return held_out(self.unit)
