"""A JSON Schema as a contract's schema, through the optional package jsonschema-rs."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

from ..errors import UsageError
from .finding import Finding
from .json_schema_errors import findings
from .kinds import FailureKind

BACKTRACK_LIMIT = 100_000
"""Steps that one pattern may go back in one text. A hostile text that needs more counts as not matching."""


class JsonSchemaCheck:
    """Validates with formats asserted, no network (`$ref` stays inside the schema), and bounded pattern matching."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._schema = dict(schema)
        self._validator = _validator(self._schema)

    @property
    def name(self) -> str:
        """The schema's title, else "schema"."""
        return str(self._schema.get("title") or "schema")

    def validate(self, data: Any, text: str | None = None) -> tuple[Any, list[Finding]]:  # noqa: ARG002 - the interface
        """The data, or None and what is wrong with it."""
        try:
            if self._validator.is_valid(data):
                return data, []
            found = [item for error in self._validator.iter_errors(data) for item in findings(error, self._schema)]
        except (ValueError, RecursionError) as exc:  # a lone surrogate, a key that is no string
            message = f"not a JSON value: {str(exc)[:200]}"
            found = [Finding("type", (), message, FailureKind.TYPE, validator_message=str(exc)[:200])]
        return None, found

    def json_schema(self) -> dict[str, Any] | None:
        """The schema as given."""
        return self._schema


def _validator(schema: dict[str, Any]) -> Any:
    if find_spec("jsonschema_rs") is None:
        raise UsageError(
            "a JSON Schema as a contract needs the optional package jsonschema-rs: "
            "pip install 'pytest-planguard[jsonschema]'"
        )
    import jsonschema_rs

    options = jsonschema_rs.FancyRegexOptions(backtrack_limit=BACKTRACK_LIMIT)
    try:
        return jsonschema_rs.validator_for(schema, validate_formats=True, pattern_options=options, offline=True)
    except ValueError as exc:
        reason = str(exc).split("\n", 1)[0]
        raise UsageError(f"not a valid JSON Schema: {reason}") from exc
