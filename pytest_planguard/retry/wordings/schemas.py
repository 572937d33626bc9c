"""JSON Schemas inside feedback: they say what is allowed, not what is wrong, and would speak of every field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .error_lists import values

_DEPTH = 4


def is_schema(value: Any) -> bool:
    """Whether a JSON value is the schema of an object or holds the definitions of one, and is no tree of errors."""
    if not isinstance(value, Mapping) or is_error_tree(value):
        return False
    return any(isinstance(value.get(k), Mapping) for k in ("properties", "$defs"))


def is_error_tree(value: Mapping[Any, Any]) -> bool:
    """Whether an object lists errors beside its `properties` and `items`, as a tree in the shape of a schema does."""
    return isinstance(value.get("errors"), list)


def without_schemas(text: str) -> str:
    """The text, each schema in it blanked with spaces, so that places stay where they are."""
    if "properties" not in text and "$defs" not in text:
        return text
    for start, end in list(_spans(text, 0, _DEPTH)):
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _spans(text: str, offset: int, depth: int) -> Iterator[tuple[int, int]]:
    """Where schemas stand, those inside other values, too."""
    for value, start, end in values(text):
        if is_schema(value):
            yield offset + start, offset + end
        elif depth and _holds_schema(value, depth):
            yield from _spans(text[start + 1 : end - 1], offset + start + 1, depth - 1)


def _holds_schema(value: Any, depth: int) -> bool:
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else ()
    return any(is_schema(i) or (depth > 0 and _holds_schema(i, depth - 1)) for i in inner)
