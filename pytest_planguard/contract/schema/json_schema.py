"""A JSON Schema as a contract's schema, through the optional package jsonschema-rs, and its errors as findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...document.limits import MAX_PROBLEMS
from ...errors import UsageError
from ..failure_kinds import FailureKind
from ..finding import Finding
from ..phrasing import as_json, choices, did_you_mean, expected_got, plural
from .instance_path import ErrorPaths
from .pydantic_errors import EXTRA_MESSAGE, MISSING_MESSAGE
from .reference_bounds import check_references

if TYPE_CHECKING:
    from ...document.path import Path

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
        """Return the data, or None and what is wrong with it."""
        try:
            if self._validator.is_valid(data):
                return data, []
            errors = islice(self._validator.iter_errors(data), MAX_PROBLEMS)
            paths = ErrorPaths(data)
            found = [item for error in errors for item in findings(error, self._schema, paths)]
        except (ValueError, RecursionError) as exc:  # a lone surrogate, a key that is no string
            message = f"not a JSON value: {str(exc)[:200]}"
            found = [Finding("type", (), message, FailureKind.TYPE, validator_message=str(exc)[:200])]
        return None, found

    def kinds(self, data: Any, text: str) -> tuple[FailureKind, ...] | None:  # noqa: ARG002 - the interface
        """Return () for data that keeps the schema; None for any other."""
        try:
            return () if self._validator.is_valid(data) else None
        except (ValueError, RecursionError):
            return None

    def plain(self, value: Any, data: Any) -> Any:  # noqa: ARG002 - the interface
        """Return the data: a JSON Schema fills in no defaults."""
        return data

    def json_schema(self) -> dict[str, Any] | None:
        """Return the schema as given."""
        return self._schema


def _validator(schema: dict[str, Any]) -> Any:
    if find_spec("jsonschema_rs") is None:
        raise UsageError(
            "a JSON Schema as a contract needs the optional package jsonschema-rs: "
            "pip install 'pytest-planguard[jsonschema]'"
        )
    import jsonschema_rs

    check_references(schema)
    options = jsonschema_rs.FancyRegexOptions(backtrack_limit=BACKTRACK_LIMIT)
    try:
        return jsonschema_rs.validator_for(schema, validate_formats=True, pattern_options=options, offline=True)
    except ValueError as exc:
        reason = str(exc).partition("\n")[0]
        raise UsageError(f"not a valid JSON Schema: {reason}") from exc


# Errors of jsonschema-rs as findings: our codes, paths of the document, rules in words, what was got.

_TYPE_WORDS = {
    "integer": "an integer",
    "number": "a number",
    "string": "a string",
    "boolean": "true or false",
    "object": "an object",
    "array": "a list",
    "null": "null",
}
_COUNTED = {
    "minLength": ("at least", "character"),
    "maxLength": ("at most", "character"),
    "minItems": ("at least", "item"),
    "maxItems": ("at most", "item"),
    "minProperties": ("at least", "property"),
    "maxProperties": ("at most", "property"),
}
_BOUNDS = {
    "minimum": "at least",
    "maximum": "at most",
    "exclusiveMinimum": "greater than",
    "exclusiveMaximum": "less than",
}
_FIT = {"required": 2, "additionalProperties": 1}


@dataclass(frozen=True, slots=True)
class _Case:
    """One error and the schema it comes from."""

    error: Any
    root: Mapping[str, Any]
    paths: ErrorPaths
    path: Path

    @property
    def keyword(self) -> str:
        return str(self.error.kind.name)

    @property
    def details(self) -> dict[str, Any]:
        details: dict[str, Any] = self.error.kind.as_dict()
        return details

    @property
    def value(self) -> Any:
        return self.error.instance

    @property
    def object_schema(self) -> Mapping[str, Any]:
        """The innermost schema on the way that names properties; empty where a `$ref` hides it."""
        here: Any = self.root
        found: Mapping[str, Any] = {}
        for part in [None, *self.error.schema_path[:-1]]:
            try:
                here = here if part is None else here[part]
            except (KeyError, IndexError, TypeError):
                return {}
            if isinstance(here, Mapping) and isinstance(here.get("properties"), Mapping):
                found = here
        return found

    @property
    def known(self) -> list[str]:
        return list(self.object_schema.get("properties", ()))

    @property
    def owner(self) -> str | None:
        title = self.object_schema.get("title")
        return title if isinstance(title, str) else None


def findings(error: Any, root: Mapping[str, Any], paths: ErrorPaths) -> Iterator[Finding]:
    """Yield the findings of one error: several for a list of unknown keys, the best alternative's for anyOf and oneOf.

    Args:
        error: a `jsonschema_rs.ValidationError`.
        root: the whole schema, for the title and the keys of the object that the error speaks of.
        paths: those of the whole document.
    """
    case = _Case(error, root, paths, paths.path_of(error))
    for found in _RULES.get(case.keyword, _other)(case):
        yield replace(
            found,
            owner=found.owner or case.owner,
            validator_code=found.validator_code or case.keyword,
            validator_message=found.validator_message or error.message[:300],
        )


def _required(case: _Case) -> Iterator[Finding]:
    yield Finding("missing", (*case.path, case.details["property"]), MISSING_MESSAGE, FailureKind.MISSING)


def _unexpected(case: _Case) -> Iterator[Finding]:
    known = case.known
    for key in case.details.get("unexpected", ()):
        free = [name for name in known if name not in case.value]
        actual = as_json(case.value.get(key)) if isinstance(case.value, Mapping) else None
        hint = did_you_mean(key, free)
        yield Finding("extra", (*case.path, key), EXTRA_MESSAGE, FailureKind.EXTRA, actual=actual, hint=hint)


def _rule(kind: FailureKind, path: Path, expected: str, actual: Any, hint: str | None = None) -> Iterator[Finding]:
    got = as_json(actual)
    message = expected_got(expected, got)
    yield Finding(kind.value, path, message, kind, expected=expected, actual=got, hint=hint)


def _type(case: _Case) -> Iterator[Finding]:
    expected = " or ".join(_TYPE_WORDS.get(str(name), str(name)) for name in case.details["types"])
    return _rule(FailureKind.TYPE, case.path, expected, case.value)


def _enum(case: _Case) -> Iterator[Finding]:
    options = case.details["options"] if "options" in case.details else [case.details["expected_value"]]
    hint = did_you_mean(case.value, options)
    for found in _rule(FailureKind.ENUM, case.path, choices(options), case.value, hint):
        yield replace(found, allowed=tuple(options))


def _length(case: _Case, keyword: str) -> Iterator[Finding]:
    bound, noun = _COUNTED[keyword]
    return _rule(FailureKind.LENGTH, case.path, f"{bound} {plural(case.details['limit'], noun)}", case.value)


def _bound(case: _Case, keyword: str) -> Iterator[Finding]:
    return _rule(FailureKind.RANGE, case.path, f"{_BOUNDS[keyword]} {case.details['limit']}", case.value)


def _multiple(case: _Case) -> Iterator[Finding]:
    return _rule(FailureKind.RANGE, case.path, f"a multiple of {case.details['multiple_of']}", case.value)


def _pattern(case: _Case) -> Iterator[Finding]:
    return _rule(FailureKind.FORMAT, case.path, f"text matching {case.details['pattern']}", case.value)


def _format(case: _Case) -> Iterator[Finding]:
    return _rule(FailureKind.FORMAT, case.path, f"text in the format {case.details['format']}", case.value)


def _alternatives(case: _Case) -> Iterator[Finding]:
    """The errors of the alternative that fits best; where none takes the value's type, one that names them all."""

    def refuses(found: Finding) -> bool:
        return found.path == case.path and found.code in ("type", "enum")

    branches = [
        [item for inner in branch for item in findings(inner, case.root, case.paths)]
        for branch in case.details["context"]
    ]
    best = min(branches, key=lambda found: (any(map(refuses, found)), sum(map(_weight, found)), len(found)))
    if any(map(refuses, best)):
        rules = dict.fromkeys(found.expected or "" for branch in branches for found in branch if refuses(found))
        best = list(
            _rule(FailureKind(best[0].code), case.path, " or ".join(rule for rule in rules if rule), case.value)
        )
    yield from best


def _weight(found: Finding) -> int:
    # A broken constant tells an alternative apart like nothing else; wrong keys say more than wrong values.
    return 10 if found.validator_code == "const" else _FIT.get(found.validator_code or "", 0)


def _key_name(case: _Case) -> Iterator[Finding]:
    inner = case.details["error"]
    key = inner.instance
    for found in findings(inner, case.root, case.paths):
        yield replace(found, path=(*case.path, str(key)))


def _other(case: _Case) -> Iterator[Finding]:
    message = f"{case.keyword} does not hold; got {as_json(case.value)}"
    yield Finding("rule", case.path, message, FailureKind.RULE, actual=as_json(case.value))


def _unique(case: _Case) -> Iterator[Finding]:
    return _rule(FailureKind.RULE, case.path, "different items", case.value)


_Rule = Callable[[_Case], Iterator[Finding]]
_RULES: dict[str, _Rule] = {
    "required": _required,
    "additionalProperties": _unexpected,
    "unevaluatedProperties": _unexpected,
    "type": _type,
    "enum": _enum,
    "const": _enum,
    "multipleOf": _multiple,
    "pattern": _pattern,
    "format": _format,
    "anyOf": _alternatives,
    "oneOf": _alternatives,
    "propertyNames": _key_name,
    "uniqueItems": _unique,
    **{keyword: partial(_length, keyword=keyword) for keyword in _COUNTED},
    **{keyword: partial(_bound, keyword=keyword) for keyword in _BOUNDS},
}

_KINDS = {
    FailureKind.MISSING: ("required",),
    FailureKind.EXTRA: ("additionalProperties", "unevaluatedProperties"),
    FailureKind.TYPE: ("type",),
    FailureKind.ENUM: ("enum", "const"),
    FailureKind.LENGTH: tuple(_COUNTED),
    FailureKind.RANGE: (*_BOUNDS, "multipleOf"),
    FailureKind.FORMAT: ("pattern", "format"),
    FailureKind.RULE: (
        *("additionalItems", "anyOf", "backtrackLimitExceeded", "contains", "contentEncoding", "contentMediaType"),
        *("custom", "falseSchema", "fromUtf8", "not", "oneOf", "propertyNames", "regexEngineFailure"),
        *("unevaluatedItems", "uniqueItems", "dependentRequired", "dependentSchemas", "if", "then", "else", "$ref"),
    ),
}
KEYWORD_KINDS = {keyword: kind for kind, keywords in _KINDS.items() for keyword in keywords}
"""The kind that a broken keyword becomes; those whose findings come from a part of it (`anyOf`) count as a rule."""
