"""The values of runs as plain data and lines of JSON, and back: pydantic reads and writes what the dataclasses say."""

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
"""Half of a pair, "\\ud83d", which may be alone; pydantic's JSON reader takes whole pairs only."""


def row_data(value: Any) -> dict[str, Any]:
    """Return a row, or any part of one, as plain JSON types; what is unknown is null."""
    kind: Any = type(value)
    data: dict[str, Any] = _adapter(kind).dump_python(value, mode="json")
    return data


def row_text(value: Any) -> str:
    """Return the JSON of a row, plain ASCII on one line; the same for the same row in every process."""
    return json.dumps(row_data(value), separators=(",", ":"))


def read_row(kind: type[T], line: bytes | str) -> T:
    """Return the row, or the header of a run, that `row_text` wrote. Unknown fields are left alone.

    Raises RowError: where it is wrong, what was expected there, and what was seen.
    """
    from pydantic import ValidationError

    try:
        row: T = _read(kind, line.encode() if isinstance(line, str) else line)
    except ValidationError as error:
        raise RowError(_explained(error)) from None
    except (ValueError, RecursionError):  # of Python's own reader
        raise RowError(NO_JSON) from None
    return row


NO_JSON = "it is not JSON"


def _read(kind: Any, line: bytes) -> Any:
    validator = _validator(kind)
    try:
        return validator.validate_json(line, strict=True)
    except ValueError as error:
        if "hex escape" not in str(error) or not _SURROGATE.search(line):
            raise
    # Half of a pair, which Python's own reader takes. Lists become tuples in lax mode only, so "1" is read as 1 here.
    return validator.validate_python(json.loads(line))


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


@cache
def _validator(kind: Any) -> SchemaValidator:
    """Return what reads a kind of value, and ends at the first error of each list: a hostile one has millions."""
    from pydantic_core import SchemaValidator, core_schema

    ends = {"tuple"}
    if "fail_fast" in core_schema.DictSchema.__annotations__:  # earlier versions of pydantic cannot
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
    """Return the first error: "judged[0].attempts[0].answer: a valid string is needed, got 3"."""
    first = error.errors(include_url=False, include_context=False)[0]
    where = tuple(first["loc"])
    if first["type"] == "json_invalid":
        return NO_JSON
    if "path" in where:  # behind its step the reader names the type that it tried: ("path", 1, "str")
        where = where[: where.index("path") + 2]
        return f"{to_dotted(where)}: a path lists keys and indices from 0, got {seen(first['input'])}"
    if first["type"] == "missing":
        return f"{to_dotted(where)}: the field is missing"
    place = f"{to_dotted(where)}: " if where else ""
    return f"{place}{first['msg'][0].lower()}{first['msg'][1:]}, got {seen(first['input'])}"
