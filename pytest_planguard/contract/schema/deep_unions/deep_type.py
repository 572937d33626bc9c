"""A type whose validators look at one value again and again: whether they can be asked about an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .core_schema_walk import core_schema_parts
from .growth import MANY, most_judgements
from .visits import count_visits

if TYPE_CHECKING:
    from ..errors.pydantic_location import Node

ASKED = 10_000
"""Visits up to which pydantic is asked. It tries every alternative, and makes an error of about 2 kB for each that does
not fit: measured for a union of two models that is wrong 9 levels deep (9,207 visits), 9 ms, 2,558 errors and 4 MB."""
ASKED_OF_GOOD = 300_000
"""The same for an answer that keeps the JSON Schema, of which pydantic keeps no errors: 25 ms for 14 levels. Where the
type rejects it all the same (a validator of its own, `Literal[1]` for 1.0) the errors take up to 200 MB."""
REPEATED = 8
"""Visits of each pair of schema and value up to which a large answer is not refused for its size: a list of 5,000 small
trees takes more than `ASKED`, and each value in it only a few."""
READ = 500
"""Errors of pydantic that are read where alternatives repeat: it takes 0.2 ms to place each, and few are kept."""
_PAIRS = 500_000
"""Pairs that are counted, in about a second; an answer with more is not given to pydantic."""


class DeepType:
    """The core schema of a type whose number of judgements grows with the depth of the answer."""

    def __init__(self, core_schema: Node) -> None:
        self._core_schema = core_schema
        self._parts = core_schema_parts(core_schema)

    def visits(self, data: Any) -> int | None:
        """Return how often pydantic would look at the parts of an answer; 0 for an answer that is merely large.

        None where that is more than is counted.
        """
        counted = count_visits(self._core_schema, self._parts, data, _PAIRS)
        if counted is None:
            return None
        return 0 if counted.total <= REPEATED * counted.pairs else counted.total


def deep_type(core_schema: Node) -> DeepType | None:
    """Return the type; None where no value of an answer is judged more than `MANY` times."""
    return DeepType(core_schema) if most_judgements(core_schema, core_schema_parts(core_schema)) > MANY else None
