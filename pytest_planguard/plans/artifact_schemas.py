"""The schemas of autospec's six artifacts, as its validators (0.7) check them and its schema declares them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from ..contract.phrasing import as_json, did_you_mean

if TYPE_CHECKING:
    from ..document.path import Path

FieldType = Literal["object", "array", "string", "integer", "boolean", "any"]


@dataclass(frozen=True, slots=True)
class Field:
    """A key, what may stand under it, and which of that only strict mode asks for.

    autospec declares more than its validators check. What they check holds in both modes; what they only declare
    (scalar types, id patterns, some required fields) is marked and asked for in strict mode alone.
    """

    name: str
    type: FieldType = "any"
    required: bool = False
    strict_required: bool = False
    """Declared as required, and not checked by the original."""
    enum: tuple[str, ...] = ()
    pattern: str | None = None
    """Regular expression for the whole value."""
    example: str | None = None
    """What a message shows for the pattern: "RISK-001"."""
    strict_pattern: bool = False
    """The pattern is declared, and not checked by the original."""
    max_length: int | None = None
    """Characters of a string."""
    fields: tuple[Field, ...] = ()
    """Keys of an object, or of each item of an array of objects."""

    @property
    def checked_type(self) -> bool:
        """True where the original checks the type too: it does for objects and arrays."""
        return self.type in ("object", "array")


# Check a parsed artifact against its schema: every breach with its path and the path whose place shows it.

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "boolean": (bool,),
    "any": (object,),
}


@dataclass(frozen=True, slots=True)
class Breach:
    """One breach of a schema."""

    code: str
    """ "missing", "type", "enum", "format", "length" or "extra"."""
    path: Path
    at: Path
    """What shows the place: the path itself, or its parent where it is missing."""
    message: str
    expected: str | None = None
    actual: str | None = None
    hint: str | None = None
    choices: tuple[str, ...] = ()
    """The words of an enum."""


def check_object(value: dict[Any, Any], fields: tuple[Field, ...], path: Path, *, strict: bool) -> Iterator[Breach]:
    """Breaches of one object, field by field; at the root what is missing comes first."""
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


def check_value(value: Any, field: Field, path: Path, *, strict: bool) -> Iterator[Breach]:
    """Breaches of one value and of everything below it."""
    wrong = not isinstance(value, _TYPES[field.type]) or (field.type == "integer" and isinstance(value, bool))
    scalar = field.name == "summary" and field.type == "string" and isinstance(value, (dict, list))
    if wrong and (field.checked_type or strict or scalar) and not field.enum:
        yield _wrong_type(value, field.type, path)
    elif field.enum:
        yield from _enum(value, field, path)
    elif field.type == "object" and isinstance(value, dict):
        yield from check_object(value, field.fields, path, strict=strict)
    elif field.type == "array" and isinstance(value, list):
        yield from _items(value, field, path, strict=strict)
    elif not wrong:
        yield from _text(value, field, path, strict=strict)


def _items(value: list[Any], field: Field, path: Path, *, strict: bool) -> Iterator[Breach]:
    for number, item in enumerate(value if field.fields else ()):
        if isinstance(item, dict):
            yield from check_object(item, field.fields, (*path, number), strict=strict)
        else:
            yield _wrong_type(item, "object", (*path, number))


def _wrong_type(value: Any, expected: str, path: Path) -> Breach:
    return Breach("type", path, path, f"expected {expected}, got {type_name(value)}", expected, type_name(value))


def type_name(value: Any) -> str:
    """Return the YAML type of a value, as messages call it."""
    if value is None:
        return "null"
    names = {dict: "object", list: "array", str: "string", bool: "boolean", int: "integer", float: "number"}
    return names.get(type(value), "string")


def _enum(value: Any, field: Field, path: Path) -> Iterator[Breach]:
    if value not in field.enum:
        listed = ", ".join(field.enum)
        hint = did_you_mean(value, field.enum)
        yield Breach("enum", path, path, f"expected one of {listed}", listed, as_json(value), hint, field.enum)


def _text(value: Any, field: Field, path: Path, *, strict: bool) -> Iterator[Breach]:
    if field.pattern is not None and (strict or not field.strict_pattern) and not re.fullmatch(field.pattern, value):
        expected = f"text like {field.example}"
        yield Breach("format", path, path, f"expected {expected}", expected, as_json(value))
    if field.max_length is not None and len(value) > field.max_length:
        expected = f"at most {field.max_length} characters"
        yield Breach("length", path, path, f"expected {expected}, got {len(value)}", expected, str(len(value)))


STATUS_BY_VERSION = MappingProxyType(
    {
        "completed": ("Draft", "Review", "Approved", "Completed"),
        "implemented": ("Draft", "Review", "Approved", "Implemented"),
    }
)
"""Words for a feature's status: later versions say Completed, the first design said Implemented."""
TASK_STATUS = ("Pending", "InProgress", "Completed", "Blocked")
TASK_TYPE = ("setup", "implementation", "test", "documentation", "refactor")
LEVEL = ("low", "medium", "high")
NOTES_LIMIT = 1000
"""Characters of a task's notes."""


def _string(name: str, *, required: bool = False) -> Field:
    return Field(name, "string", required=required)


def _list(name: str, *, required: bool = False, fields: tuple[Field, ...] = ()) -> Field:
    return Field(name, "array", required=required, fields=fields)


def _object(name: str, *fields: Field, required: bool = False) -> Field:
    return Field(name, "object", required=required, fields=fields)


def spec(version: str = "completed") -> tuple[Field, ...]:
    """Fields of spec.yaml; `version` is a key of `STATUS_BY_VERSION`."""
    story = (
        Field("id", "string", required=True, pattern=r"US-\d+", example="US-001", strict_pattern=True),
        _string("title", required=True),
        Field("priority", "string", required=True, enum=("P0", "P1", "P2", "P3")),
        _string("as_a", required=True),
        _string("i_want", required=True),
        _string("so_that", required=True),
        Field("acceptance_scenarios", "array", strict_required=True),
    )
    return (
        _object(
            "feature",
            _string("branch", required=True),
            _string("created", required=True),
            Field("status", "string", enum=STATUS_BY_VERSION[version]),
            _string("input"),
            required=True,
        ),
        _list("user_stories", required=True, fields=story),
        _object("requirements", _list("functional", required=True), _list("non_functional"), required=True),
    )


PLAN = (
    _object("plan", _string("branch", required=True), _string("spec_path", required=True), required=True),
    Field("summary", "string", required=True),
    _object("technical_context", _list("primary_dependencies"), _list("constraints"), required=True),
    _list(
        "implementation_phases",
        fields=(Field("phase", "integer", required=True), _string("name", required=True), _list("deliverables")),
    ),
    _list(
        "risks",
        fields=(
            Field("id", "string", pattern=r"RISK-\d{3}", example="RISK-001"),
            _string("risk", required=True),
            Field("likelihood", "string", required=True, enum=LEVEL),
            Field("impact", "string", required=True, enum=LEVEL),
        ),
    ),
)
"""Fields of plan.yaml."""
TASKS = (
    _object("tasks", _string("branch", required=True), required=True),
    _object("summary", Field("total_tasks", "integer"), Field("total_phases", "integer"), required=True),
    _list(
        "phases",
        required=True,
        fields=(
            Field("number", "integer", required=True),
            _string("title", required=True),
            _list(
                "tasks",
                required=True,
                fields=(
                    Field("id", "string", required=True, pattern=r"T\d+", example="T001", strict_pattern=True),
                    _string("title", required=True),
                    Field("status", "string", required=True, enum=TASK_STATUS),
                    Field("type", "string", required=True, enum=TASK_TYPE),
                    Field("parallel", "boolean"),
                    _list("dependencies"),
                    _list("acceptance_criteria"),
                    Field("notes", "string", max_length=NOTES_LIMIT),
                ),
            ),
        ),
    ),
)
"""Fields of tasks.yaml."""
ANALYSIS = (
    _object("analysis", _string("branch", required=True), _string("timestamp", required=True), required=True),
    _list(
        "findings",
        required=True,
        fields=(
            _string("id", required=True),
            Field(
                "category",
                "string",
                required=True,
                enum=("duplication", "ambiguity", "coverage", "constitution", "inconsistency", "underspecification"),
            ),
            Field("severity", "string", required=True, enum=("CRITICAL", "HIGH", "MEDIUM", "LOW")),
            _string("location", required=True),
            _string("summary", required=True),
        ),
    ),
    _object("summary", Field("overall_status", "string", required=True, enum=("PASS", "WARN", "FAIL")), required=True),
)
"""Fields of analysis.yaml."""
CHECKLIST = (
    _object(
        "checklist",
        _string("feature", required=True),
        _string("branch", required=True),
        _string("domain", required=True),
        Field("audience", "string", enum=("author", "reviewer", "qa", "release")),
        Field("depth", "string", enum=("lightweight", "standard", "comprehensive")),
        required=True,
    ),
    _list(
        "categories",
        required=True,
        fields=(
            _string("name", required=True),
            _list(
                "items",
                required=True,
                fields=(
                    _string("id", required=True),
                    _string("description", required=True),
                    Field("status", "string", required=True, enum=("pending", "pass", "fail")),
                    Field(
                        "quality_dimension",
                        "string",
                        enum=("completeness", "clarity", "consistency", "measurability", "coverage", "edge_cases"),
                    ),
                ),
            ),
        ),
    ),
)
"""Fields of checklist.yaml."""
CONSTITUTION = (
    _object("constitution", _string("project_name", required=True), _string("version", required=True), required=True),
    _list(
        "principles",
        required=True,
        fields=(
            _string("id", required=True),
            _string("name", required=True),
            Field("priority", "string", required=True, enum=("NON-NEGOTIABLE", "MUST", "SHOULD", "MAY")),
            _string("description", required=True),
            Field("category", "string", enum=("quality", "architecture", "process", "security")),
        ),
    ),
    _list("sections", fields=(_string("name", required=True), _string("content", required=True))),
)
"""Fields of constitution.yaml."""
KINDS = ("spec", "plan", "tasks", "analysis", "checklist", "constitution")


def schema_of(kind: str, version: str = "completed") -> tuple[Field, ...]:
    """Return the top-level fields of one kind of artifact."""
    fixed = {"plan": PLAN, "tasks": TASKS, "analysis": ANALYSIS, "checklist": CHECKLIST, "constitution": CONSTITUTION}
    return spec(version) if kind == "spec" else fixed[kind]
