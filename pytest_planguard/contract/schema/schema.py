"""The schema part of a contract, independent of how the schema is written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..finding import Finding


class SchemaCheck:
    """One schema. This base class accepts every document, for a contract without a schema."""

    has_other_names = False
    """True if it takes field names that its JSON Schema lacks."""

    @property
    def name(self) -> str:
        """Name for reports: the model's name, or the JSON Schema's title."""
        return "contract"

    def validate(self, data: object, text: str | None = None) -> tuple[Any, list[Finding]]:  # noqa: ARG002 - for others
        """Return the validated value, or None if a finding is bad, and the findings.

        Args:
            data: the plain parsed document.
            text: the document as JSON text if it was written in JSON; None to validate `data` itself.
        """
        return data, []

    def plain(self, value: object, data: object) -> Any:  # noqa: ARG002 - for others
        """Return a validated value as plain data under its JSON names; `data` if the schema converts nothing."""
        return data

    def sound(self, data: object, text: str | None, broken: Sequence[Finding]) -> Any:  # noqa: ARG002 - for others
        """Return the valid parts of bad data in the form of `plain`, with a `HOLE` for each invalid part.

        Args:
            data: as for `validate`.
            text: as for `validate`.
            broken: the bad findings that `validate` returned.
        """
        from ..hole import cut

        return cut(data, broken)

    def json_schema(self) -> dict[str, Any] | None:
        """Return the schema as JSON Schema; None if it has none."""
        return None

    def wrapped(self, data: object) -> Any:
        """Return the data in the schema's form; only a bare list may change."""
        return data

    def as_written(self, found: Iterable[Finding]) -> list[Finding]:
        """Return findings about wrapped data with their paths in the answer."""
        return list(found)


def any_bad(found: Iterable[Finding]) -> bool:
    """Return True if a finding is bad: of severity retry or fail."""
    return True in [item.severity.bad for item in found]
