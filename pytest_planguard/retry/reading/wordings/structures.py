"""Errors as data: objects with a place and a message, and objects that map fields to messages, in whatever nesting."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from ..embedded import is_error_tree, is_schema, values
from ..entry import ErrorEntry, Place, parse_place
from ..error_category import category_of_code, category_of_words, only_invalid
from .lines import WRAPPERS

PLACES = frozenset(
    {"loc", "path", "field", "location", "instancePath", "instance_path", "pointer", "json_path", "dataPath", "param"}
)
"""Keys of the place of an error."""
MESSAGES = ("msg", "message", "error", "detail", "reason", "description", "err")
"""Keys of the words of an error."""
_CODES = ("type", "code", "rule", "keyword", "validator", "kind")
_DEPTH = 12
"""Levels of lists and objects that are followed."""
_LIMIT = 400_000
"""Characters of a text that is read as one value."""
_Error = tuple[Place | None, str | None, str]


def structure_entries(text: str) -> Iterator[ErrorEntry]:
    """One entry for each error in the values that the text contains."""
    for value, start, end in values(text):
        for path, code, message in _errors(value, (), _DEPTH):
            yield ErrorEntry(path, code, message, start, end)


def _errors(value: Any, path: Place, depth: int) -> Iterator[_Error]:
    """Yield place, code and message of every error in a value that is found at `path`."""
    if isinstance(value, str):
        if path and (category_of_words(value) or category_of_code(value) or only_invalid(value)):
            yield path, None, value
    elif isinstance(value, Mapping) and depth and not is_schema(value):
        error = _error(value, path)
        if error:
            yield error
        else:
            yield from _members(value, path, depth - 1)
    elif isinstance(value, (list, tuple)) and depth:
        for at, inner in enumerate(value):
            for place in _places(path, at, inner, len(value)):
                yield from _errors(inner, place, depth - 1)


def _error(value: Mapping[Any, Any], path: Place) -> _Error | None:
    """Return the error that an object is: it has a message, and a place or a code beside it."""
    message, code = _first(value, MESSAGES), _first(value, _CODES)
    written = next((value[k] for k in value if k in PLACES and isinstance(value[k], (str, list, tuple))), None)
    if message is None or (written is None and code is None):
        return None
    if isinstance(written, str):
        return parse_place(written), code, message
    return tuple(map(str, written)) if written is not None else path or None, code, message


def _first(value: Mapping[Any, Any], keys: tuple[str, ...]) -> str | None:
    return next((value[key] for key in keys if isinstance(value.get(key), str)), None)


def _members(value: Mapping[Any, Any], path: Place, depth: int) -> Iterator[_Error]:
    around = WRAPPERS | {"properties", "items"} if is_error_tree(value) else WRAPPERS
    for key, inner in value.items():
        name = str(key)
        yield from _errors(inner, path if name.lower() in around else (*path, *parse_place(name)), depth)


def _places(path: Place, at: int, inner: Any, length: int) -> Iterator[Place]:
    """Below a field, objects in a list are the errors of its items in order; a single one may also wrap all of them."""
    is_item = path and isinstance(inner, Mapping) and not _error(inner, path)
    if not is_item or length == 1:
        yield path
    if is_item:
        yield (*path, str(at))


# Feedback inside JSON: `{"status": "error", "details": "…"}` and a text in quotes say what their texts say.


def opened(text: str) -> str:
    r"""Return the texts of a value that wraps feedback, one a line, or the text of a JSON string; else the text.

    A wrapper is an object or a list with texts and no place of its own, and nothing else but more of the kind. Inside
    of it every quote and line break is escaped, so that no reader would know them.
    """
    try:
        value = json.loads(text) if text.strip()[:1] in ("{", "[", '"') and len(text) <= _LIMIT else None
    except (ValueError, RecursionError):
        return text
    wrapped = list(_wrapped(value, "error"))
    return text if None in wrapped else "\n".join(filter(None, wrapped)) or text


def _wrapped(value: Any, key: str) -> Iterator[str | None]:
    """Yield every text below a wrapper's key, nothing for words and numbers beside it; None for anything else."""
    wraps = key.lower() in WRAPPERS
    if wraps and isinstance(value, list):
        for inner in value:
            yield from _wrapped(inner, key)
    elif wraps and isinstance(value, Mapping) and PLACES.isdisjoint(value):
        for name, inner in value.items():
            yield from _wrapped(inner, str(name))
    elif isinstance(value, (Mapping, list)) or " " in str(value):
        yield value if wraps and isinstance(value, str) else None
