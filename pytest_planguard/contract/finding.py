"""The one value that says what is wrong with an answer, how much it matters, and its form as plain JSON types.

Everything that reports renders this value; nothing re-parses a rendering.

"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ..document.path import Path, Span
from .failure_kinds import FailureKind

if TYPE_CHECKING:
    from pydantic import TypeAdapter


class Severity(StrEnum):
    """How much a finding matters, from least to most. The order of definition is the order of severity."""

    INFO = "info"
    """Noted, passes: a fence was stripped, prose stood around the document."""
    WARN = "warn"
    """Recorded and shown, passes, never fed back: a field took its default."""
    RETRY = "retry"
    """The answer is bad; the finding belongs into the next request."""
    FAIL = "fail"
    """The answer is bad and asking again is pointless or forbidden: stop at once, zero retries."""

    @cached_property
    def bad(self) -> bool:
        """True where the answer does not pass: retry and fail."""
        return self in (Severity.RETRY, Severity.FAIL)

    @cached_property
    def rank(self) -> int:
        """0 for info up to 3 for fail."""
        return list(Severity).index(self)


# A finding and the places that belong to it.

ACTUAL_LIMIT = 60
"""Characters of an offending value that a finding keeps."""


OWN = MappingProxyType({"exclude": True})
"""What feedback is recognised by and nothing else shows: pydantic leaves such a field out of a finding's data."""


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that belongs to a finding: the first of two duplicates, the other end of an edge."""

    message: str
    path: Path = ()
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing wrong with one answer.

    Two findings are the *same* problem when `identity` agrees: code and path, whatever the wording or the value.
    """

    code: str
    """What rule is broken: "missing", "type", "enum", "invalid_json", or a constraint's or plan rule's own name."""
    path: Path
    """Keys and 0-based indices from the document's root, as in the document; () is the root."""
    message: str
    """One line in words, without path and position, for example 'expected integer; got "two"'."""
    kind: FailureKind
    """The class of failure that the code belongs to."""
    severity: Severity = Severity.RETRY
    span: Span | None = None
    """Place in the model's own text, the wrapper (fence, prose) included; None when there is no text or no place."""
    expected: str | None = None
    """The rule in words: 'one of "low", "medium", "high"', "at least 2 items"."""
    actual: str | None = None
    """The offending value as JSON, at most `ACTUAL_LIMIT` characters; None where there is none (missing)."""
    hint: str | None = None
    """What to do about it, where that is not obvious: 'did you mean "high"?'."""
    related: tuple[Related, ...] = ()
    validator_code: str | None = field(default=None, metadata=OWN)
    """The validator's own code, for example pydantic's "literal_error" or JSON Schema's "enum"; None for own rules."""
    validator_message: str | None = field(default=None, metadata=OWN)
    """The validator's own words, by which foreign feedback about this finding is recognised; None for own rules."""
    owner: str | None = field(default=None, metadata=OWN)
    """Title of the model or schema object that the path's last key belongs to; None where the schema has no name."""
    allowed: tuple[Any, ...] = field(default=(), hash=False, metadata=OWN)
    """The values that the rule lists, where it lists values; () elsewhere. Plain JSON values."""
    replaces: tuple[Finding, ...] = field(default=(), compare=False, repr=False, metadata=OWN)
    """What a validator reports where this one finding says it at once: of a schema sent back, that its fields are
    missing. () for every other finding. Apps know these, so feedback may name them instead."""
    inside: Path = ()
    """The field in whose text `span` counts: ("plan_markdown",) for a plan in a field; () for the answer itself."""

    @property
    def identity(self) -> tuple[str, Path]:
        """What makes two findings the same problem."""
        return (self.code, self.path)


# A finding as plain JSON types: one shape for rows, reports and machines, the fields of the dataclass.


def finding_data(finding: Finding) -> dict[str, Any]:
    """Return a finding; `path` lists keys and indices, `span` is null without a place."""
    data: dict[str, Any] = _adapter().dump_python(finding, mode="json")
    return data


@cache
def _adapter() -> TypeAdapter[Finding]:
    from pydantic import TypeAdapter

    return TypeAdapter(Finding)
