"""Errors as a JSON object that maps fields to messages, flat or nested: `{"tasks": {"0": {"status": ["…"]}}}`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..entry import Entry, Place, parse_place
from ..rules import only_invalid, rule_of_code, rule_of_words
from .error_lists import values
from .lines import LABELS
from .schemas import is_error_tree, is_schema

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


def map_entries(text: str) -> Iterator[Entry]:
    """One entry for each text of an object that names a rule, at the path of its keys."""
    for value, start, end in values(text):
        if isinstance(value, Mapping) and not is_schema(value):
            for path, message in _leaves(value, (), _DEPTH):
                yield Entry(path, None, message, start, end)


def _leaves(value: Any, path: Place, depth: int) -> Iterator[tuple[Place, str]]:
    if isinstance(value, str):
        if path and (rule_of_words(value) or rule_of_code(value) or only_invalid(value)):
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
