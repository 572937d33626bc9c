"""A finding: one thing wrong with an answer, its severity, and its form as plain JSON types.

Every report renders this value; nothing parses a rendering.
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
    """How much a finding matters, in ascending order of definition."""

    INFO = "info"
    """Noted, passes: a fence was stripped, or prose surrounded the document."""
    WARN = "warn"
    """Recorded and shown, passes, never fed back: a field took its default."""
    RETRY = "retry"
    """The answer is bad; the finding belongs in the next request."""
    FAIL = "fail"
    """The answer is bad and asking again is pointless or forbidden: stop at once, without a retry."""

    @cached_property
    def bad(self) -> bool:
        """True if the answer does not pass: retry and fail."""
        return self in (Severity.RETRY, Severity.FAIL)

    @cached_property
    def rank(self) -> int:
        """0 for info up to 3 for fail."""
        return list(Severity).index(self)


ACTUAL_LIMIT = 60
"""Characters of an offending value that a finding keeps."""


OWN = MappingProxyType({"exclude": True})
"""Marks fields that only help to recognise feedback: pydantic leaves them out of a finding's data."""


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that belongs to a finding: the first of two duplicates, or the other end of an edge."""

    message: str
    path: Path = ()
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing wrong with one answer.

    Two findings are the *same* problem if their `identity`, code and path, is equal; wording and value do not matter.
    """

    code: str
    """The rule that is broken: "missing", "type", "enum", "invalid_json", or the name of a constraint or plan rule."""
    path: Path
    """Keys and 0-based indices from the document's root; () is the root."""
    message: str
    """One line without path and position, for example 'expected integer; got "two"'."""
    kind: FailureKind
    """The class of failure that the code belongs to."""
    severity: Severity = Severity.RETRY
    span: Span | None = None
    """The place in the model's text, counted with its wrapper (fence, prose); None if there is no text or no place."""
    expected: str | None = None
    """The rule in words: 'one of "low", "medium", "high"', "at least 2 items"."""
    actual: str | None = None
    """The offending value as JSON, at most `ACTUAL_LIMIT` characters; None if there is no value (missing)."""
    hint: str | None = None
    """How to fix it, if that is not obvious: 'did you mean "high"?'."""
    related: tuple[Related, ...] = ()
    validator_code: str | None = field(default=None, metadata=OWN)
    """The validator's code, such as pydantic's "literal_error" or JSON Schema's "enum"; None for planguard's rules."""
    validator_message: str | None = field(default=None, metadata=OWN)
    """The validator's message, which helps to recognise an app's feedback; None for planguard's rules."""
    owner: str | None = field(default=None, metadata=OWN)
    """Title of the model or schema object that owns the path's last key; None if the schema has no name."""
    allowed: tuple[Any, ...] = field(default=(), hash=False, metadata=OWN)
    """The values that the rule lists, as plain JSON; () if it lists none."""
    replaces: tuple[Finding, ...] = field(default=(), compare=False, repr=False, metadata=OWN)
    """The validator's findings that this one finding sums up: for a schema sent back, that its fields are missing. ()
    for every other finding. Feedback may name these instead, because apps know them."""
    inside: Path = ()
    """The field whose text `span` refers to: ("plan_markdown",) for a plan in a field; () for the answer itself."""

    @property
    def identity(self) -> tuple[str, Path]:
        """The key that two findings of the same problem share."""
        return (self.code, self.path)


# A finding as plain JSON types: the dataclass's fields, in one shape for run files, reports and machines.


def finding_data(finding: Finding) -> dict[str, Any]:
    """Return a finding as JSON types; `path` lists keys and indices, `span` is null without a place."""
    data: dict[str, Any] = _adapter().dump_python(finding, mode="json")
    return data


@cache
def _adapter() -> TypeAdapter[Finding]:
    from pydantic import TypeAdapter

    return TypeAdapter(Finding)
