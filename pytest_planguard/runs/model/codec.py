"""Convert runs to plain data and JSON lines, and back. pydantic does this, based on the dataclasses."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from ...document.path import to_dotted
from .foreign_fields import RowError, seen

if TYPE_CHECKING:
    from pydantic import TypeAdapter
    from pydantic_core import SchemaValidator, ValidationError

T = TypeVar("T")

_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
"""An escaped surrogate, such as "\\ud83d", which may be unpaired. pydantic's JSON parser accepts only pairs."""


def row_data(value: object) -> dict[str, Any]:
    """Return a row, or any part of a row, as plain JSON types. Unknown values become null."""
    kind: object = type(value)
    data: dict[str, object] = _adapter(kind).dump_python(value, mode="json")
    return data


def row_text(value: object) -> str:
    """Return a row as one line of ASCII JSON. Equal rows give the same text in every process."""
    return json.dumps(row_data(value), separators=(",", ":"))


def read_row(kind: type[T], line: bytes | str) -> T:
    """Read a row, or a run's header, that `row_text` wrote. Unknown fields are ignored.

    Raises RowError with the place, the expected value and the actual one.
    """
    from pydantic import ValidationError

    try:
        row: T = _read(kind, line.encode() if isinstance(line, str) else line)
    except ValidationError as error:
        raise RowError(_explained(error)) from None
    except (ValueError, RecursionError):  # from Python's own parser
        raise RowError(NO_JSON) from None
    return row


NO_JSON = "it is not JSON"


def _read(kind: object, line: bytes) -> Any:
    validator = _validator(kind)
    try:
        return validator.validate_json(line, strict=True)
    except ValueError as error:
        if "hex escape" not in str(error) or not _SURROGATE.search(line):
            raise
    # Python's own parser accepts unpaired surrogates. Only lax mode turns lists into tuples, so "1" is read as 1 here.
    return validator.validate_python(json.loads(line))


@cache
def _adapter(kind: Any) -> TypeAdapter[object]:
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


@cache
def _validator(kind: object) -> SchemaValidator:
    """Return the validator for a type.

    It stops at the first error in a list, because a hostile list may have millions.
    """
    from pydantic_core import SchemaValidator, core_schema

    ends = {"tuple"}
    if "fail_fast" in core_schema.DictSchema.__annotations__:  # earlier versions of pydantic lack it
        ends.add("dict")
    schema = _adapter(kind).core_schema
    _end_early(schema, ends)
    return SchemaValidator(schema)


def _end_early(node: object, ends: set[str]) -> None:
    if isinstance(node, dict):
        if node.get("type") in ends:
            node["fail_fast"] = True
        for inner in node.values():
            _end_early(inner, ends)
    elif isinstance(node, list | tuple):
        for inner in node:
            _end_early(inner, ends)


def _explained(error: ValidationError) -> str:
    """Return the first error, such as "judged[0].attempts[0].answer: a valid string is needed, got 3"."""
    first = error.errors(include_url=False, include_context=False)[0]
    where = tuple(first["loc"])
    if first["type"] == "json_invalid":
        return NO_JSON
    if "path" in where:  # pydantic appends the type that it tried to the step: ("path", 1, "str")
        where = where[: where.index("path") + 2]
        return f"{to_dotted(where)}: a path lists keys and indices from 0, got {seen(first['input'])}"
    if first["type"] == "missing":
        return f"{to_dotted(where)}: the field is missing"
    place = f"{to_dotted(where)}: " if where else ""
    return f"{place}{first['msg'][0].lower()}{first['msg'][1:]}, got {seen(first['input'])}"
