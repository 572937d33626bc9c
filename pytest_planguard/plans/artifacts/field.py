"""One field of an artifact's schema."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

FieldType = Literal["object", "array", "string", "integer", "boolean", "any"]


@dataclass(frozen=True, slots=True)
class Field:
    """A key, what may stand under it, and which of that only strict mode asks for.

    autospec declares more than its validators check. What they check holds in both modes; what they only declare
    (scalar types, id patterns, some required fields) is marked and asked for in strict mode alone.
    """

    name: str
    type: FieldType = "any"
    required: bool = False
    strict_required: bool = False
    """Declared as required, and not checked by the original."""
    enum: tuple[str, ...] = ()
    pattern: str | None = None
    """Regular expression for the whole value."""
    example: str | None = None
    """What a message shows for the pattern: "RISK-001"."""
    strict_pattern: bool = False
    """The pattern is declared, and not checked by the original."""
    max_length: int | None = None
    """Characters of a string."""
    fields: tuple[Field, ...] = ()
    """Keys of an object, or of each item of an array of objects."""

    @property
    def checked_type(self) -> bool:
        """True where the original checks the type too: it does for objects and arrays."""
        return self.type in ("object", "array")
