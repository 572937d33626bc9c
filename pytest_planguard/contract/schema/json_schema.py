"""Use a JSON Schema as a contract's schema. Requires the optional package jsonschema-rs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...document.limits import MAX_DEPTH, MAX_PROBLEMS
from ...errors import UsageError
from ..failure_kinds import FailureKind
from ..finding import Finding
from .bounds import check_references, findings_of_start, with_short_enums
from .schema import SchemaCheck, is_flat, levels

if TYPE_CHECKING:
    from .schema_pieces import Piecewise

BACKTRACK_LIMIT = 100_000
"""Maximum number of backtracking steps of a pattern in a text. A hostile text that needs more does not match."""


class JsonSchemaCheck(SchemaCheck):
    """Validate with format checks, no network (`$ref` stays inside the schema), and bounded pattern matching.

    A schema whose alternatives validate a value many times is checked piece by piece: see `schema_pieces`.
    """

    def __init__(self, schema: Mapping[str, object]) -> None:
        self._schema = dict(schema)
        self._validator = _validator(self._schema)

    @property
    def name(self) -> str:
        """The schema's title, or "schema"."""
        return str(self._schema.get("title") or "schema")

    def validate(self, data: object, text: str | None = None) -> tuple[Any, list[Finding]]:
        """Return the data, or None with the findings."""
        try:
            found = self._errors(data, text)
        except (ValueError, RecursionError) as exc:  # a lone surrogate, or a key that is not a string
            message = f"not a JSON value: {str(exc)[:200]}"
            found = [Finding("type", (), message, FailureKind.TYPE, validator_message=str(exc)[:200])]
        return (None, found) if found else (data, [])

    def json_schema(self) -> dict[str, Any] | None:
        """Return the schema as given."""
        return self._schema

    @cached_property
    def _is_deep(self) -> bool:
        """True if a value may be validated so often that the validator must not list its errors."""
        from .schema_growth import MANY, json_schema_parts, most_judgements

        return most_judgements(self._schema, json_schema_parts(self._schema)) > MANY

    @cached_property
    def _is_quick(self) -> bool:
        """True if `is_valid` of a deep schema is fast enough."""
        from .schema_growth import is_valid_is_quick

        return is_valid_is_quick(self._schema)

    @cached_property
    def _pieces(self) -> Piecewise | None:
        """The schema in pieces; None if it cannot be cut."""
        from .schema_pieces import InseparableError, Pieces, Piecewise

        try:
            return Piecewise(Pieces(self._listed_schema), _compiled, quick=self._is_quick)
        except (InseparableError, ValueError, RecursionError):  # a piece does not compile, or is nested too deeply
            return None

    @cached_property
    def _listed_schema(self) -> dict[str, object]:
        """The same schema, whose errors are small."""
        return with_short_enums(self._schema)

    @cached_property
    def _lister(self) -> Any:
        """The validator that lists errors."""
        return self._validator if self._listed_schema == self._schema else _compiled(self._listed_schema)

    def _errors(self, data: object, text: str | None) -> list[Finding]:
        deep = not is_flat(text) and self._is_deep
        listed = self._of_deep if deep else self._listed
        if deep and not self._is_quick:  # `is_valid` would visit each way: 12 s for 16 models
            return listed(data)
        if self._validator.is_valid(data):
            return []
        return findings_of_start(data, lambda part: len(listed(part)), listed) or listed(data)

    def _of_deep(self, data: object) -> list[Finding]:
        """Return the findings for a deep schema.

        If the answer is too deep, return a finding that it was not checked.
        """
        from ..phrasing import too_many
        from .schema_growth import MANY, json_schema_parts, most_judgements

        if self._pieces is None:
            flat = most_judgements(self._schema, json_schema_parts(self._schema), levels(data, MAX_DEPTH)) <= MANY
            return self._listed(data) if flat else [too_many(0, known_bad=False)]
        judged = self._pieces.judge(data)
        found = judged.findings
        if judged.complete:
            return found
        steps = None if len(found) == MAX_PROBLEMS else judged.steps
        return [*found, too_many(len(found), steps=steps, known_bad=bool(found))]

    def _listed(self, data: object) -> list[Finding]:
        """Return the validator's errors as findings, `MAX_PROBLEMS` errors at most."""
        from ..phrasing import too_many
        from .json_schema_errors import ErrorPaths, findings

        errors, paths = self._lister.iter_errors(data), ErrorPaths(data)
        first = islice(errors, MAX_PROBLEMS)
        found = [one for error in first for one in findings(error, self._listed_schema, paths)]
        more = next(errors, None) is not None
        return [*found, too_many(MAX_PROBLEMS, known_bad=True)] if more else found


def _validator(schema: dict[str, Any]) -> Any:
    if find_spec("jsonschema_rs") is None:
        raise UsageError(
            "a JSON Schema as a contract needs the optional package jsonschema-rs: "
            "pip install 'pytest-planguard[jsonschema]'"
        )
    check_references(schema)
    try:
        return _compiled(schema)
    except ValueError as exc:
        reason = str(exc).partition("\n")[0]
        raise UsageError(f"not a valid JSON Schema: {reason}") from exc


def _compiled(schema: dict[str, Any]) -> object:
    """Compile a schema. Raises ValueError."""
    import jsonschema_rs

    options = jsonschema_rs.FancyRegexOptions(backtrack_limit=BACKTRACK_LIMIT)
    return jsonschema_rs.validator_for(schema, validate_formats=True, pattern_options=options, offline=True)
