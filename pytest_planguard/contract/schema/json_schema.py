"""A JSON Schema as a contract's schema, through the optional package jsonschema-rs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...document.limits import MAX_DEPTH, MAX_PROBLEMS
from ...errors import UsageError
from ..failure_kinds import FailureKind
from ..finding import Finding
from .reference_bounds import check_references
from .schema import SchemaCheck
from .values import is_flat, levels

if TYPE_CHECKING:
    from .deep_unions.pieces import Piecewise

BACKTRACK_LIMIT = 100_000
"""Steps that one pattern may go back in one text. A hostile text that needs more counts as not matching."""


class JsonSchemaCheck(SchemaCheck):
    """Validates with formats asserted, no network (`$ref` stays inside the schema), and bounded pattern matching.

    A schema whose alternatives judge one value again and again is asked piece by piece: see `deep_unions`.
    """

    def __init__(self, schema: Mapping[str, object]) -> None:
        self._schema = dict(schema)
        self._validator = _validator(self._schema)

    @property
    def name(self) -> str:
        """The schema's title, else "schema"."""
        return str(self._schema.get("title") or "schema")

    def validate(self, data: object, text: str | None = None) -> tuple[Any, list[Finding]]:
        """Return the data, or None and what is wrong with it."""
        try:
            found = self._errors(data, text)
        except (ValueError, RecursionError) as exc:  # a lone surrogate, a key that is no string
            message = f"not a JSON value: {str(exc)[:200]}"
            found = [Finding("type", (), message, FailureKind.TYPE, validator_message=str(exc)[:200])]
        return (None, found) if found else (data, [])

    def json_schema(self) -> dict[str, Any] | None:
        """Return the schema as given."""
        return self._schema

    @cached_property
    def _is_deep(self) -> bool:
        """Whether some value of an answer is judged so often that the validator is not trusted to list its errors."""
        from .deep_unions.growth import MANY, json_schema_parts, most_judgements

        return most_judgements(self._schema, json_schema_parts(self._schema)) > MANY

    @cached_property
    def _is_quick(self) -> bool:
        """Whether the validator of a deep schema may be asked whether an answer holds."""
        from .deep_unions.growth import is_valid_is_quick

        return is_valid_is_quick(self._schema)

    @cached_property
    def _pieces(self) -> Piecewise | None:
        """The schema in pieces; None where it cannot be cut."""
        from .deep_unions.pieces import InseparableError, Pieces, Piecewise

        try:
            return Piecewise(Pieces(self._schema), _compiled, quick=self._is_quick)
        except (InseparableError, ValueError, RecursionError):
            return None

    def _errors(self, data: object, text: str | None) -> list[Finding]:
        deep = not is_flat(text) and self._is_deep
        if (not deep or self._is_quick) and self._validator.is_valid(data):
            return []
        return self._of_deep(data) if deep else list(self._listed(data))

    def _of_deep(self, data: object) -> list[Finding]:
        """Return what is wrong with an answer: as a whole where it is flat enough, else that nobody looked."""
        from ..phrasing import too_many
        from .deep_unions.growth import MANY, json_schema_parts, most_judgements

        if self._pieces is None:
            flat = most_judgements(self._schema, json_schema_parts(self._schema), levels(data, MAX_DEPTH)) <= MANY
            return list(self._listed(data)) if flat else [too_many(0, known_bad=False)]
        judged = self._pieces.judge(data)
        found = judged.findings
        if judged.complete:
            return found
        steps = None if len(found) == MAX_PROBLEMS else judged.steps
        return [*found, too_many(len(found), steps=steps, known_bad=bool(found))]

    def _listed(self, data: object) -> Iterator[Finding]:
        """Yield what the validator lists, `MAX_PROBLEMS` errors at most."""
        from ..phrasing import too_many
        from .json_schema_errors import ErrorPaths, findings

        errors, paths = self._validator.iter_errors(data), ErrorPaths(data)
        for error in islice(errors, MAX_PROBLEMS):
            yield from findings(error, self._schema, paths)
        if next(errors, None) is not None:
            yield too_many(MAX_PROBLEMS, known_bad=True)


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


def _compiled(schema: dict[str, Any]) -> Any:
    """Compile a schema. Raises ValueError."""
    import jsonschema_rs

    options = jsonschema_rs.FancyRegexOptions(backtrack_limit=BACKTRACK_LIMIT)
    return jsonschema_rs.validator_for(schema, validate_formats=True, pattern_options=options, offline=True)
