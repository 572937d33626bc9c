"""The schema part of a contract: one small interface, and the choice of who implements it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from ...errors import UsageError

if TYPE_CHECKING:
    from ..finding import Finding


class SchemaCheck(Protocol):
    """What a contract asks of a schema, whatever it is written in."""

    @property
    def name(self) -> str:
        """Name for reports: the model's, or the JSON Schema's title."""
        ...

    def validate(self, data: object, text: str | None = None) -> tuple[Any, list[Finding]]:
        """Return the validated value and what is wrong with the data; the value is None where a finding is bad.

        Args:
            data: the plain parsed document.
            text: the document as JSON text where it was written in JSON; None to validate `data` as it is.
        """
        ...

    def plain(self, value: object, data: object) -> Any:
        """Return a validated value as plain data under its JSON names; `data` where validating changes nothing."""
        ...

    def sound(self, data: object, text: str | None, broken: Sequence[Finding]) -> Any:
        """Return what is sound of data that is bad, as `plain` would, with a `HOLE` for each part that is not.

        Args:
            data: as for `validate`.
            text: as for `validate`.
            broken: the bad findings that `validate` returned.
        """
        ...

    def json_schema(self) -> dict[str, Any] | None:
        """Return the schema as JSON Schema; None where it has none."""
        ...


class NoSchema:
    """Accepts every document: a contract of constraints and rules alone."""

    name = "contract"

    def validate(self, data: object, text: str | None = None) -> tuple[Any, list[Finding]]:  # noqa: ARG002 - the interface
        """Return the data itself, with nothing to say about it."""
        return data, []

    def plain(self, value: object, data: object) -> Any:  # noqa: ARG002 - the interface
        """Return the data: nothing was validated."""
        return data

    def sound(self, data: object, text: str | None, broken: Sequence[Finding]) -> Any:  # noqa: ARG002 - the interface
        """Return the data: all of it is sound."""
        return data

    def json_schema(self) -> dict[str, Any] | None:
        """None: there is no schema."""
        return None


def schema_check(schema: object, *, strict: bool) -> SchemaCheck:
    """Return the check for a schema: None, a JSON Schema as a dict, a pydantic model, or any type a TypeAdapter takes.

    Raises:
        UsageError: for a value that cannot be a schema, an invalid JSON Schema, or a missing optional package.
    """
    if schema is None:
        return NoSchema()
    if isinstance(schema, Mapping):
        from .json_schema import JsonSchemaCheck

        return JsonSchemaCheck(schema)
    if isinstance(schema, (str, bytes, int, float, list, tuple, set)):
        raise UsageError(
            f"a contract's schema must be a pydantic model, a type, a JSON Schema as a dict, or None: "
            f"got a {type(schema).__name__}; give one of these"
        )
    from .pydantic_schema import PydanticCheck

    return PydanticCheck(schema, strict=strict)
