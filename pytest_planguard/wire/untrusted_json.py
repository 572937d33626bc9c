"""Read untrusted JSON. A value of the wrong type counts as empty, so a hostile body cannot cause an exception."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from ..document.formats.json_load import is_too_deep, opens_too_deep
from ..document.limits import MAX_DEPTH

JsonObject = dict[str, Any]
"""A JSON object as parsed. Its values may have any type."""


def mapping(value: object) -> JsonObject:
    """Return the value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def sequence(value: object) -> list[Any]:
    """Return the value if it is an array, else an empty one."""
    return value if isinstance(value, list) else []


def objects(value: object) -> list[JsonObject]:
    """Return the objects of an array, without its other items."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def words(value: object) -> str:
    """Return the value if it is a string, else an empty one."""
    return value if isinstance(value, str) else ""


def name_of(value: object) -> str | None:
    """Return the value if it is a non-empty string, else None."""
    return value if isinstance(value, str) and value else None


def whole(value: object) -> int | None:
    """Return the value if it is an integer, else None. A boolean does not count."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def as_json(value: object) -> str:
    """Return the value as compact JSON in its original order; a string stays itself."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def parse_json(text: str) -> Any:
    """Return the JSON value of a text. Raises ValueError if it is not JSON or is nested deeper than `MAX_DEPTH`."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        if isinstance(error, RecursionError) or opens_too_deep(text):
            raise ValueError(f"nested deeper than {MAX_DEPTH} levels") from None
        raise
    if is_too_deep(value, text):
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
    return value


def parsed_or_none(text: str) -> Any:
    """Return the JSON value of a text; None if it is not JSON."""
    try:
        return parse_json(text)
    except ValueError:
        return None


def children(node: object) -> Collection[Any]:
    """Return the values directly in an object or array; () for any other value."""
    if isinstance(node, dict):
        return node.values()
    return node if isinstance(node, list) else ()
