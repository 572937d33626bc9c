"""The schemas of autospec's six artifacts, as its validators (0.7) check them and its schema declares them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from ..contract.phrasing import as_json, did_you_mean

if TYPE_CHECKING:
    from ..document.path import Path
    from .reading.parsed_data import Record

FieldType = Literal["object", "array", "string", "integer", "boolean", "any"]


@dataclass(frozen=True, slots=True)
class Field:
    """A key, its allowed values, and the parts that only strict mode checks.

    autospec's schema declares more than its validators check. Both modes check what the validators check. Only strict
    mode also checks the rest of the schema: scalar types, id patterns and some required fields.
    """

    name: str
    type: FieldType = "any"
    required: bool = False
    strict_required: bool = False
    """True if the schema requires the field, but autospec's validator does not check it."""
    enum: tuple[str, ...] = ()
    pattern: str | None = None
    """Regular expression for the whole value."""
    example: str | None = None
    """An example that messages show for the pattern: "RISK-001"."""
    strict_pattern: bool = False
    """True if the schema declares the pattern, but autospec's validator does not check it."""
    max_length: int | None = None
    """Maximum number of characters in a string."""
    fields: tuple[Field, ...] = ()
    """Keys of an object, or of each item of an array of objects."""


_TYPES: dict[str, type] = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "any": object}


@dataclass(frozen=True, slots=True)
class Breach:
    """A breach of a schema."""

    code: str
    """ "missing", "type", "enum", "format", "length" or "extra"."""
    path: Path
    at: Path
    """The path to point at: the value's own path, or its parent's path if the value is missing."""
    message: str
    expected: str | None = None
    actual: str | None = None
    hint: str | None = None
    choices: tuple[str, ...] = ()
    """The allowed values of an enum."""


def check_object(value: Record, fields: tuple[Field, ...], path: Path, *, strict: bool) -> Iterator[Breach]:
    """Yield the breaches of one object, field by field. At the root, missing fields come first."""
    if not path:
        yield from (_missing(field, path) for field in fields if field.name not in value and _needed(field, strict))
    for field in fields:
        if field.name in value:
            yield from check_value(value[field.name], field, (*path, field.name), strict=strict)
        elif path and _needed(field, strict):
            yield _missing(field, path)


def _needed(field: Field, strict: bool) -> bool:
    return field.required or (strict and field.strict_required)


def _missing(field: Field, path: Path) -> Breach:
    expected = f"one of {', '.join(field.enum)}" if field.enum else None if field.type == "any" else f"{field.type}"
    hint = f"add the field {field.name}"
    return Breach("missing", (*path, field.name), path, f"missing required field {field.name}", expected, None, hint)


def check_value(value: object, field: Field, path: Path, *, strict: bool) -> Iterator[Breach]:
    """Yield the breaches of one value and its descendants."""
    wrong = not isinstance(value, _TYPES[field.type]) or (field.type == "integer" and isinstance(value, bool))
    scalar = field.name == "summary" and field.type == "string" and isinstance(value, (dict, list))
    is_checked = field.type in ("object", "array")  # autospec's validator checks only these types
    if wrong and (is_checked or strict or scalar) and not field.enum:
        yield _wrong_type(value, field.type, path)
    elif field.enum:
        listed = ", ".join(field.enum)
        if value not in field.enum:
            hint = did_you_mean(value, field.enum)
            yield Breach("enum", path, path, f"expected one of {listed}", listed, as_json(value), hint, field.enum)
    elif field.type == "object" and isinstance(value, dict):
        yield from check_object(value, field.fields, path, strict=strict)
    elif field.type == "array" and isinstance(value, list):
        for number, item in enumerate(value if field.fields else ()):
            if isinstance(item, dict):
                yield from check_object(item, field.fields, (*path, number), strict=strict)
            else:
                yield _wrong_type(item, "object", (*path, number))
    elif isinstance(value, str) and not wrong:
        yield from _text(value, field, path, strict=strict)


def _wrong_type(value: object, expected: str, path: Path) -> Breach:
    return Breach("type", path, path, f"expected {expected}, got {type_name(value)}", expected, type_name(value))


def type_name(value: object) -> str:
    """Return the name of a value's YAML type, as messages print it."""
    names = {kind: name for name, kind in _TYPES.items()} | {float: "number", type(None): "null"}
    return names.get(type(value), "string")


def _text(value: str, field: Field, path: Path, *, strict: bool) -> Iterator[Breach]:
    if field.pattern is not None and (strict or not field.strict_pattern) and not re.fullmatch(field.pattern, value):
        expected = f"text like {field.example}"
        yield Breach("format", path, path, f"expected {expected}", expected, as_json(value))
    if field.max_length is not None and len(value) > field.max_length:
        expected = f"at most {field.max_length} characters"
        yield Breach("length", path, path, f"expected {expected}, got {len(value)}", expected, str(len(value)))


STATUS_BY_VERSION = MappingProxyType(
    {word.lower(): ("Draft", "Review", "Approved", word) for word in ("Completed", "Implemented")}
)
"""Allowed values for a feature's status. Later autospec versions say Completed, the first design said Implemented."""
TASK_STATUS = ("Pending", "InProgress", "Completed", "Blocked")
TASK_TYPE = ("setup", "implementation", "test", "documentation", "refactor")
LEVEL = ("low", "medium", "high")
NOTES_LIMIT = 1000
"""Maximum number of characters in a task's notes."""


def _strings(*names: str) -> tuple[Field, ...]:
    """Return required text fields."""
    return tuple(Field(name, "string", required=True) for name in names)


def _word(name: str, words: tuple[str, ...], *, required: bool = True) -> Field:
    return Field(name, "string", required=required, enum=words)


def _list(name: str, *fields: Field, required: bool = True) -> Field:
    return Field(name, "array", required=required, fields=fields)


def _optional(*names: str) -> tuple[Field, ...]:
    """Return optional lists."""
    return tuple(Field(name, "array") for name in names)


def _object(name: str, *fields: Field) -> Field:
    return Field(name, "object", required=True, fields=fields)


def spec(version: str = "completed") -> tuple[Field, ...]:
    """Return the fields of spec.yaml; `version` is a key of `STATUS_BY_VERSION`."""
    status = _word("status", STATUS_BY_VERSION[version], required=False)
    story = (
        Field("id", "string", required=True, pattern=r"US-\d+", example="US-001", strict_pattern=True),
        *_strings("title"),
        _word("priority", ("P0", "P1", "P2", "P3")),
        *_strings("as_a", "i_want", "so_that"),
        Field("acceptance_scenarios", "array", strict_required=True),
    )
    return (
        _object("feature", *_strings("branch", "created"), status, Field("input", "string")),
        _list("user_stories", *story),
        _object("requirements", _list("functional"), *_optional("non_functional")),
    )


PLAN = (
    _object("plan", *_strings("branch", "spec_path")),
    *_strings("summary"),
    _object("technical_context", *_optional("primary_dependencies", "constraints")),
    _list(
        "implementation_phases",
        Field("phase", "integer", required=True),
        *_strings("name"),
        *_optional("deliverables"),
        required=False,
    ),
    _list(
        "risks",
        Field("id", "string", pattern=r"RISK-\d{3}", example="RISK-001"),
        *_strings("risk"),
        _word("likelihood", LEVEL),
        _word("impact", LEVEL),
        required=False,
    ),
)
"""Fields of plan.yaml."""
_TASK = (
    Field("id", "string", required=True, pattern=r"T\d+", example="T001", strict_pattern=True),
    *_strings("title"),
    _word("status", TASK_STATUS),
    _word("type", TASK_TYPE),
    Field("parallel", "boolean"),
    *_optional("dependencies", "acceptance_criteria"),
    Field("notes", "string", max_length=NOTES_LIMIT),
)
TASKS = (
    _object("tasks", *_strings("branch")),
    _object("summary", Field("total_tasks", "integer"), Field("total_phases", "integer")),
    _list("phases", Field("number", "integer", required=True), *_strings("title"), _list("tasks", *_TASK)),
)
"""Fields of tasks.yaml."""
_CATEGORIES = ("duplication", "ambiguity", "coverage", "constitution", "inconsistency", "underspecification")
ANALYSIS = (
    _object("analysis", *_strings("branch", "timestamp")),
    _list(
        "findings",
        *_strings("id"),
        _word("category", _CATEGORIES),
        _word("severity", ("CRITICAL", "HIGH", "MEDIUM", "LOW")),
        *_strings("location", "summary"),
    ),
    _object("summary", _word("overall_status", ("PASS", "WARN", "FAIL"))),
)
"""Fields of analysis.yaml."""
_DIMENSIONS = ("completeness", "clarity", "consistency", "measurability", "coverage", "edge_cases")
_ITEM = (
    *_strings("id", "description"),
    _word("status", ("pending", "pass", "fail")),
    _word("quality_dimension", _DIMENSIONS, required=False),
)
CHECKLIST = (
    _object(
        "checklist",
        *_strings("feature", "branch", "domain"),
        _word("audience", ("author", "reviewer", "qa", "release"), required=False),
        _word("depth", ("lightweight", "standard", "comprehensive"), required=False),
    ),
    _list("categories", *_strings("name"), _list("items", *_ITEM)),
)
"""Fields of checklist.yaml."""
CONSTITUTION = (
    _object("constitution", *_strings("project_name", "version")),
    _list(
        "principles",
        *_strings("id", "name"),
        _word("priority", ("NON-NEGOTIABLE", "MUST", "SHOULD", "MAY")),
        *_strings("description"),
        _word("category", ("quality", "architecture", "process", "security"), required=False),
    ),
    _list("sections", *_strings("name", "content"), required=False),
)
"""Fields of constitution.yaml."""
_FIXED = {"plan": PLAN, "tasks": TASKS, "analysis": ANALYSIS, "checklist": CHECKLIST, "constitution": CONSTITUTION}
KINDS = ("spec", *_FIXED)


def schema_of(kind: str, version: str = "completed") -> tuple[Field, ...]:
    """Return the top-level fields of a kind of artifact."""
    return spec(version) if kind == "spec" else _FIXED[kind]
