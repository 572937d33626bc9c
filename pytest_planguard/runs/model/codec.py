"""Convert runs to JSON lines and back, and read typed fields from the data of other programs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from ...document.path import Path, WildcardPath, to_dotted

if TYPE_CHECKING:
    from pydantic import TypeAdapter
    from pydantic_core import SchemaValidator, ValidationError


MOST = 2**53
"""The largest integer to accept. Floats represent all integers up to it, and token counts are far smaller."""
SHOWN = 40
"""Maximum number of characters of a wrong value in a message."""


class RowError(ValueError):
    """Data that cannot be read. The message names the field, the expected value and the actual one."""


def text(data: dict[str, Any], name: str) -> str:
    """Return a required text field."""
    value = data.get(name)
    if not isinstance(value, str):
        raise RowError(f"the field {name!r} must be text, got {seen(value)}")
    return value


def maybe_text(data: dict[str, Any], name: str) -> str | None:
    """Return a text field, or None if it is missing or null."""
    value = data.get(name)
    return value if value is None or type(value) is str else text(data, name)


def number(data: dict[str, Any], name: str) -> float | None:
    """Return a number, or None if the field is missing, not a number, or an integer above `MOST`."""
    value = data.get(name)
    if value is None:  # the most frequent case; a type check would be slower
        return None
    if isinstance(value, int) and abs(value) > MOST:
        return None
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def count(data: dict[str, Any], name: str) -> int | None:
    """Return an integer from 0 to `MOST`, or None if the field is missing or has another value."""
    value = data.get(name)
    return value if type(value) is int and 0 <= value <= MOST else None


def listed(data: dict[str, Any], name: str) -> list[Any]:
    """Return a list; [] if the field is missing or null."""
    value = data.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise RowError(f"the field {name!r} must be a list, got {seen(value)}")
    return value


def objects(data: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """Return a list of objects; [] if the field is missing or null."""
    found = listed(data, name)
    if not found:
        return found
    for item in found:
        if not isinstance(item, dict):
            raise RowError(f"the field {name!r} must be a list of objects, got {seen(item)} in it")
    return found


def inner(data: dict[str, Any], name: str) -> dict[str, Any]:
    """Return an object; {} if the field is missing or null."""
    value = data.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise RowError(f"the field {name!r} must be an object, got {seen(value)}")
    return value


def seen(value: Any) -> str:
    """Return a wrong value as text for a message: its beginning, or its type."""
    if isinstance(value, dict | list):
        return f"{type(value).__name__} of {len(value)}"
    shown = "nothing" if value is None else repr(value)
    return shown if len(shown) <= SHOWN else f"{shown[: SHOWN - 1]}…"


# Fields in other tools' files. Their formats change, so a missing field or a wrong type counts as empty.


def object_or_empty(data: Mapping[str, object], name: str) -> dict[str, Any]:
    """Return a field that is an object; {} for anything else."""
    value = data.get(name)
    return value if isinstance(value, dict) else {}


def objects_or_empty(data: Mapping[str, object], name: str) -> Iterator[dict[str, Any]]:
    """Return the objects in a field that is a list; nothing for anything else."""
    return (item for item in list_or_empty(data, name) if isinstance(item, dict))


def list_or_empty(data: Mapping[str, object], name: str) -> list[Any]:
    """Return a field that is a list; [] for anything else."""
    value = data.get(name)
    return value if isinstance(value, list) else []


def numbers_of(data: dict[str, Any]) -> dict[str, float]:
    """Return those fields of an object that are numbers."""
    return {name: value for name in data if (value := number(data, name)) is not None}


def parsed_json(content: bytes | str) -> Any:
    """Return the JSON value; None if the content is not JSON, not UTF-8, or nested deeper than Python parses."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


# Paths are lists of keys and indices, so that the key "0" and the index 0 stay distinct.


def path_of(data: dict[str, Any]) -> Path:
    """Return a path field; the root if it is missing or null. Raises RowError for any other value."""
    steps = listed(data, "path")
    for step in steps:
        if type(step) is not str and not (type(step) is int and step >= 0):
            raise RowError(f"the field 'path' must list keys and indices from 0, got {seen(step)} in it")
    return tuple(steps)


def wildcard_path_of(data: dict[str, Any]) -> WildcardPath:
    """Return the field `path`, with None for any item of a list. Raises RowError if it is missing."""
    if data.get("path") is None:
        raise RowError("the field 'path' is missing: [] for the whole answer")
    steps = listed(data, "path")
    for step in steps:
        if step is not None and type(step) is not str:
            raise RowError(f"the field 'path' must list keys, and null for any item of a list, got {seen(step)} in it")
    return tuple(steps)


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
