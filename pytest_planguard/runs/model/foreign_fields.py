"""Read typed fields from the data of other programs. Required fields are strict, all others tolerant."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ...document.path import Path, WildcardPath

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


def path_of(data: dict[str, Any], name: str = "path") -> Path:
    """Return a path field; the root if it is missing or null. Raises RowError for any other value."""
    steps = listed(data, name)
    for step in steps:
        if type(step) is not str and not (type(step) is int and step >= 0):
            raise RowError(f"the field {name!r} must list keys and indices from 0, got {seen(step)} in it")
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
