"""A contract's verdict on one answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

from ..errors import PlanguardError
from .failure_kinds import FailureKind, Reask, strictest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import TypeVar

    from .finding import Finding

    T_co = TypeVar("T_co", covariant=True, default=Any)
else:
    from typing import TypeVar

    T_co = TypeVar("T_co", covariant=True)  # a default needs Python 3.13, and means nothing at run time

ORIGINAL_LIMIT = 500
"""Maximum characters of the model's raw text in `SchemaValidationError`. The rest is only counted."""


@dataclass(frozen=True, slots=True)
class Verdict(Generic[T_co]):
    """All findings of one answer, the parsed value, and the failure kind. `T_co` is the type of the value."""

    contract: str
    """Name of the contract."""
    text: str
    """The judged text: the whole answer, or the arguments of the output tool as JSON text."""
    findings: tuple[Finding, ...] = ()
    """Findings of all severities, sorted by phase, then by place in the text."""
    value: T_co | None = None
    """The validated value (a model instance if the schema is a model); None unless `ok`."""
    data: Any = None
    """The parsed document as plain data (dict, list, str, …), as far as it could be parsed; None if nothing could be
    parsed."""
    format: str = "json"
    """The format that was read: "json", "yaml" or "markdown"."""

    @property
    def ok(self) -> bool:
        """True if no finding has severity retry or fail."""
        # called so often that a generator's cost shows
        return not self.findings or True not in [f.severity.bad for f in self.findings]

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings with severity retry or fail."""
        return tuple([f for f in self.findings if f.severity.bad])

    @property
    def kind(self) -> FailureKind | None:
        """The failure kind of the answer's first bad finding; None if ok."""
        return next((f.kind for f in self.findings if f.severity.bad), None) if self.findings else None

    @property
    def reask(self) -> Reask:
        """The advice on asking again: NO if ok or if a finding has severity fail, otherwise the strictest advice."""
        errors = [f for f in self.findings if f.severity.bad]
        if not errors or "fail" in [f.severity for f in errors]:
            return Reask.NO
        return strictest([f.kind for f in errors])

    def good_items(self, path: str = "") -> list[tuple[int, Any]]:
        """Return the 0-based index and plain value of each item in the list at `path` that has no bad finding.

        Use it to keep the good items if some are bad: `verdict.good_items("levers")`. A path that does not lead to a
        list has no items. A finding about the list itself ("too few items") affects none of its items.
        """
        from ..document.path_pattern import parse_path

        bad = [found.path for found in self.errors]
        return [
            (index, item)
            for where, items in parse_path(path).select(self.data)
            if isinstance(items, list)
            for index, item in enumerate(items)
            if not any(touched[: len(where) + 1] == (*where, index) for touched in bad)
        ]


class SchemaValidationError(PlanguardError):
    """A model's final answer breaks its contract. This is a content error: don't retry it like a transport error.

    Attributes:
        provider_name: the provider that answered, for example "openai"; None if unknown.
        original_message: the model's raw text, cut after `ORIGINAL_LIMIT` characters, with a note on how much is
            missing.
        findings: the bad findings, in the order of the verdict.
    """

    def __init__(
        self,
        message: str,
        provider_name: str | None = None,
        original_message: str | None = None,
        findings: Sequence[Finding] = (),
    ) -> None:
        super().__init__(message)
        self.provider_name = provider_name
        cut = 0 if original_message is None else len(original_message) - ORIGINAL_LIMIT
        if original_message is not None and cut > 0:
            original_message = f"{original_message[:ORIGINAL_LIMIT]}… ({cut:,} more character{'s' * (cut != 1)})"
        self.original_message = original_message
        self.findings = tuple(findings)
