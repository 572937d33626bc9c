"""A finding: one thing wrong with an answer, and its conversion to plain JSON types.

Reports render findings. Nothing parses a rendered finding. The module `finding_places` adds lines and columns.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from ..document.path import Path
from ..document.positions import Span
from .failure_kinds import FailureKind

if TYPE_CHECKING:
    from pydantic import TypeAdapter


class Severity(StrEnum):
    """How much a finding matters. The members are in ascending order."""

    INFO = "info"
    """The answer passes, with a note: a fence was stripped, or prose surrounded the document."""
    WARN = "warn"
    """The answer passes. The finding is reported but never fed back: a field got its default."""
    RETRY = "retry"
    """The answer is bad. The next request must feed the finding back."""
    FAIL = "fail"
    """The answer is bad, and asking again is pointless or forbidden. Stop at once, without a retry."""

    @cached_property
    def bad(self) -> bool:
        """True for RETRY and FAIL, with which an answer does not pass."""
        return self in (Severity.RETRY, Severity.FAIL)

    @cached_property
    def rank(self) -> int:
        """0 for info up to 3 for fail."""
        return list(Severity).index(self)


SeverityLike = Severity | Literal["info", "warn", "retry", "fail"]
"""A severity as an argument: the member or its value."""
OWN = MappingProxyType({"exclude": True})
"""Marks fields that only help to recognise feedback. pydantic excludes them from a finding's data."""


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
    """The rule as text: 'one of "low", "medium", "high"', "at least 2 items"."""
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
    allowed: tuple[Any, ...] = field(default=(), metadata=OWN)
    """The values that the rule allows, as plain JSON; () if it doesn't list values."""
    replaces: tuple[Finding, ...] = field(default=(), compare=False, repr=False, metadata=OWN)
    """The validator's findings that this finding replaces: if the model returned the schema, that fields are missing.
    () for every other finding. Feedback may mention these instead, because the app sees them."""
    quote: str = field(default="", metadata=OWN)
    """The part of the model's text that is wrong, such as a hunk of a diff; "" if the path says enough. Feedback that
    repeats it feeds the finding back."""
    inside: Path = ()
    """The field whose text `span` refers to: ("plan_markdown",) for a plan in a field; () for the answer itself."""

    @property
    def identity(self) -> tuple[str, Path]:
        """A key that is the same for two findings of the same problem."""
        return (self.code, self.path)

    def __hash__(self) -> int:  # readers of feedback remember what they read for a finding
        return hash((self.code, self.path, self.message))


# A finding as plain JSON types: the dataclass's fields, in the same format for run files, reports and programs.


def finding_data(finding: Finding) -> dict[str, Any]:
    """Return a finding as JSON types; `path` lists keys and indices, `span` is null without a place."""
    data: dict[str, object] = _adapter().dump_python(finding, mode="json")
    return data


@cache
def _adapter() -> TypeAdapter[Finding]:
    from pydantic import TypeAdapter

    return TypeAdapter(Finding)


def any_bad(found: Iterable[Finding]) -> bool:
    """Return True if a finding is bad: of severity retry or fail."""
    return True in [item.severity.bad for item in found]
