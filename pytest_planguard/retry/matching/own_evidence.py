"""Numbers and values of a finding and its place, in any language: its own, and those that contradict it.

For `nights`, which is 90 and may be at most 28, "не может быть меньше 1 (сейчас -2)" has the other bound and another
value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...contract.schema.schema_fields import schemas_at
from ...document.path import get_at
from ..reading.amounts import amounts_in, spelled_in
from ..reading.error_category import ErrorCategory, category_of
from .keyword_match import LIMITS, bound_of, limit_of, names_allowed, quotes_value

if TYPE_CHECKING:
    from ...contract.finding import Finding

_BOUNDS = (
    *("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"),
    *("minLength", "maxLength", "minItems", "maxItems"),
)
_WITH_VALUE = LIMITS | {ErrorCategory.RANGE, ErrorCategory.ENUM, ErrorCategory.TYPE, ErrorCategory.FORMAT}
"""Rules about an existing value. Feedback on such a rule names a bound, the value or the allowed values."""
# The form of a date, in letters of many languages: "YYYY-MM-DD", "JJJJ-MM-TT", "AAAA/MM/JJ".
_FORM = re.compile(r"\b[A-ZГД]{4}[-/.][A-ZМ]{2}[-/.][A-ZД]{2}\b|\bISO[ -]?8601", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Own:
    """The finding's own numbers and values, and the other bounds at its place."""

    finding: Finding
    value: frozenset[float]
    """Its value, or the value's length and numbers."""
    others: frozenset[float]
    """The bounds at its place, except its own."""
    pattern: str | None

    @classmethod
    def of(cls, finding: Finding, data: Any, schema: Any) -> Own:
        """Return the numbers of a finding's place, from the answer and the contract's JSON Schema."""
        nodes = schemas_at(schema, finding.path) if isinstance(schema, Mapping) else ()
        found = [node.get(name) for node in nodes for name in _BOUNDS]
        bounds = frozenset(float(n) for n in found if isinstance(n, int | float) and not isinstance(n, bool))
        pattern = next((node["pattern"] for node in nodes if isinstance(node.get("pattern"), str)), None)
        return cls(finding, frozenset(_numbers_of(get_at(data, finding.path))), bounds - {limit_of(finding)}, pattern)

    def opposes(self, words: str, near: str) -> bool:
        """Return True if words name another bound of the place, and `near` has neither the finding's bound nor value.

        A bound that differs by one may be the same in other words: "fewer than 29" is 28 at most. The value must match
        exactly.
        """
        limit = bound_of(self.finding)
        if limit is None or (amounts_in(words) & self.others).issubset(self.value | _around(limit)):
            return False
        return amounts_in(near).isdisjoint(self.value | _around(limit)) and limit not in spelled_in(near)

    def is_told(self, words: str) -> bool:
        """Return True if words that planguard cannot read contain something that belongs to the finding.

        That is its value, its bound, its length, its pattern, or two of its allowed values. Only rules about a value
        have any of these.
        """
        finding = self.finding
        if category_of(finding) not in _WITH_VALUE:
            return not amounts_in(words) & self.others if category_of(finding) is ErrorCategory.MISSING else True
        limit = limit_of(finding)
        own = self.value | (_around(limit) if limit is not None else set())
        return (
            not own.isdisjoint(amounts_in(words) | spelled_in(words))
            or quotes_value(finding, words)
            or names_allowed(finding, words)
            or (self.pattern is not None and self.pattern in words)
            or (category_of(finding) is ErrorCategory.FORMAT and _FORM.search(words) is not None)
        )


def _around(limit: float) -> set[float]:
    return {limit - 1, limit, limit + 1}


def _numbers_of(value: object) -> Iterable[float]:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return (float(value),)
    if isinstance(value, str):
        return (float(len(value)), *amounts_in(value[:200]))
    return (float(len(value)),) if isinstance(value, list | dict) else ()
