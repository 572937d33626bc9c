"""The schema part of a contract: what a contract asks of it, whatever it is written in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..finding import Finding


class SchemaCheck:
    """One schema. This one accepts every document: that of a contract of constraints and rules alone."""

    has_other_names = False
    """Whether it takes fields by other names than its JSON Schema has."""

    @property
    def name(self) -> str:
        """Name for reports: the model's, or the JSON Schema's title."""
        return "contract"

    def validate(self, data: object, text: str | None = None) -> tuple[Any, list[Finding]]:  # noqa: ARG002 - for others
        """Return the validated value and what is wrong with the data; the value is None where a finding is bad.

        Args:
            data: the plain parsed document.
            text: the document as JSON text where it was written in JSON; None to validate `data` as it is.
        """
        return data, []

    def plain(self, value: object, data: object) -> Any:  # noqa: ARG002 - for others
        """Return a validated value as plain data under its JSON names; `data` where validating changes nothing."""
        return data

    def sound(self, data: object, text: str | None, broken: Sequence[Finding]) -> Any:  # noqa: ARG002 - for others
        """Return what is sound of data that is bad, as `plain` would, with a `HOLE` for each part that is not.

        Args:
            data: as for `validate`.
            text: as for `validate`.
            broken: the bad findings that `validate` returned.
        """
        from ..hole import cut

        return cut(data, broken)

    def json_schema(self) -> dict[str, Any] | None:
        """Return the schema as JSON Schema; None where it has none."""
        return None

    def wrapped(self, data: Any) -> Any:
        """Return the data as the schema has it; only a bare list may be read as another value than was written."""
        return data

    def as_written(self, found: Iterable[Finding]) -> list[Finding]:
        """Return findings about wrapped data with the paths that they have in the answer."""
        return list(found)


def any_bad(found: Iterable[Finding]) -> bool:
    """Return whether a finding is bad: of severity retry or fail."""
    return True in [item.severity.bad for item in found]
