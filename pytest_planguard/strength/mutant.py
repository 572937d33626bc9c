"""A mutant: a good answer that was made bad in one way."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..document.path import value_at
from .evidence import place_name

if TYPE_CHECKING:
    from ..document.path import Path

DROP = object()
"""Stands for the value of a key that is taken out."""


@dataclass(frozen=True, slots=True)
class Edit:
    """What stands at a path afterwards."""

    path: Path
    value: Any
    """The new value, or `DROP`."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One mutated answer."""

    operator: str
    """Name of what was done: "duplicate"."""
    answer: int
    """Index of the good answer."""
    edits: tuple[Edit, ...]
    """At least one. The first says where the mutant is."""

    @property
    def path(self) -> Path:
        """Where the answer was changed."""
        return self.edits[0].path

    @property
    def place(self) -> str:
        """The same without indices: "steps[*]"."""
        return place_name(self.path)

    def of(self, data: Any) -> Any:
        """Return a mutated copy of the good answer's data."""
        mutated = copy.deepcopy(data)
        for edit in self.edits:
            *parents, last = edit.path
            parent = value_at(mutated, tuple(parents))
            if edit.value is DROP:
                del parent[last]
            else:
                parent[last] = copy.deepcopy(edit.value)
        return mutated
