"""Errors as a JSON object that maps fields to messages, flat or nested; and JSON Schemas, which only look like one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..entry import ErrorEntry, Place, parse_place
from ..error_category import category_of_code, category_of_words, only_invalid
from .error_lists import values
from .lines import LABELS

_DEPTH = 12
WRAPPERS = LABELS | {
    "detail",
    "field_errors",
    "fielderrors",
    "fields",
    "feedback",
    "problems",
    "issues",
    "findings",
    "_errors",
    "nested",
    "non_field_errors",
    "_schema",
}
"""Keys around errors that are no part of a place."""


def map_entries(text: str) -> Iterator[ErrorEntry]:
    """One entry for each text of an object that names a rule, at the path of its keys."""
    for value, start, end in values(text):
        if isinstance(value, Mapping) and not is_schema(value):
            for path, message in _leaves(value, (), _DEPTH):
                yield ErrorEntry(path, None, message, start, end)


def _leaves(value: Any, path: Place, depth: int) -> Iterator[tuple[Place, str]]:
    if isinstance(value, str):
        if path and (category_of_words(value) or category_of_code(value) or only_invalid(value)):
            yield path, value
    elif isinstance(value, Mapping) and depth:
        around = WRAPPERS | {"properties", "items"} if is_error_tree(value) else WRAPPERS
        for key, inner in value.items():
            name = str(key)
            more = () if name.lower() in around else parse_place(name)
            yield from _leaves(inner, (*path, *more), depth - 1)
    elif isinstance(value, list) and depth:
        for at, inner in enumerate(value):
            for place in _places(path, at, inner, len(value)):
                yield from _leaves(inner, place, depth - 1)


def _places(path: Place, at: int, inner: Any, length: int) -> Iterator[Place]:
    """Below a field, objects in a list are the errors of its items in order; a single one may also wrap all of them."""
    if not path or length == 1 or not isinstance(inner, Mapping):
        yield path
    if path and isinstance(inner, Mapping):
        yield (*path, str(at))


# JSON Schemas inside feedback: they say what is allowed, not what is wrong, and would speak of every field.

_SCHEMA_DEPTH = 4


def is_schema(value: Any) -> bool:
    """Whether a JSON value is the schema of an object or holds the definitions of one, and is no tree of errors."""
    if not isinstance(value, Mapping) or is_error_tree(value):
        return False
    return any(isinstance(value.get(k), Mapping) for k in ("properties", "$defs"))


def is_error_tree(value: Mapping[Any, Any]) -> bool:
    """Whether an object lists errors beside its `properties` and `items`, as a tree in the shape of a schema does."""
    return isinstance(value.get("errors"), list)


def without_schemas(text: str) -> str:
    """The text, each schema in it blanked with spaces, so that places stay where they are.

    Inside another value `{}` is left of it, so that the value stays one: {"loc": ["title"], "input": {}}.
    """
    if "properties" not in text and "$defs" not in text:
        return text
    for start, end, inside in list(_spans(text, 0, _SCHEMA_DEPTH)):
        left = "{}" if inside else ""
        text = text[:start] + left.ljust(end - start) + text[end:]
    return text


def _spans(text: str, offset: int, depth: int) -> Iterator[tuple[int, int, bool]]:
    """Where schemas start and end, and whether they are inside another value."""
    for value, start, end in values(text):
        if is_schema(value):
            yield offset + start, offset + end, depth < _SCHEMA_DEPTH
        elif depth and _holds_schema(value, depth):
            yield from _spans(text[start + 1 : end - 1], offset + start + 1, depth - 1)


def _holds_schema(value: Any, depth: int) -> bool:
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else ()
    return any(is_schema(i) or (depth > 0 and _holds_schema(i, depth - 1)) for i in inner)
