"""Errors as data: JSON lists of objects with a location and a message, and the same printed by Python."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

from ..entry import ErrorEntry, Place, parse_place

_START = re.compile(r"[\[{]\s*[{\"']")
_TRIES = 40
"""Beginnings of values that are tried without success; each costs at most the rest of the text."""
_VALUE_LIMIT = 50_000
"""Characters of a list printed by Python that are read."""
_WINDOW = 20_000
"""Characters that are read before the text in front is left behind."""
_DEPTH = 4
_PATHS = (
    "loc",
    "path",
    "field",
    "location",
    "instancePath",
    "instance_path",
    "pointer",
    "json_path",
    "dataPath",
    "param",
)
PLACE_KEYS = frozenset(_PATHS)
"""Keys that hold the place of an error."""
_MESSAGES = ("msg", "message", "error", "detail", "reason", "description", "err")
_PROPERTIES = ("missingProperty", "additionalProperty", "unevaluatedProperty")
_CODES = ("type", "code", "rule", "keyword", "validator", "kind")
_CALL = re.compile(
    r"\b[A-Za-z_]\w{0,60}\((?:\w{1,30}=)?('[^'\\\n]{0,400}'|\"[^\"\\\n]{0,400}\"|\[[^\[\]()]{0,400}\])"
    r"(?:, ?\w{1,30}=[^(){}\[\]\n]{0,200})?\)"
)
"""A value in a call, as Python prints objects: `ErrorDetail(string='…', code='…')`, `deque([…])`."""
# A bracket, or a string as Python and JSON print it, in which brackets do not count.
_BRACKET = re.compile(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|[\[\](){}]")
_DECODER = json.JSONDecoder()


def list_entries(text: str) -> Iterator[ErrorEntry]:
    """One entry for each object with a message, and a location or a code, in any JSON value inside the text."""
    for value, start, end in values(text):
        for path, code, message in _errors(value, _DEPTH):
            yield ErrorEntry(path, code, message, start, end)


def values(text: str) -> Iterator[tuple[Any, int, int]]:
    """(value, start, end) of the JSON or Python lists and objects that stand in the text."""
    at = failed = passed = 0
    while failed < _TRIES and (found := _START.search(text, at)):
        if found.start() > _WINDOW:  # the decoder counts all lines in front of where it fails
            text, passed, at = text[found.start() :], passed + found.start(), 0
            continue
        value, end = _value(text, found.start())
        if end is None:
            failed += 1
            at = found.start() + 1
        else:
            yield value, passed + found.start(), passed + end
            at = end


def _value(text: str, start: int) -> tuple[Any, int | None]:
    try:
        return _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return _python_value(text, start)


def _python_value(text: str, start: int) -> tuple[Any, int | None]:
    from ast import literal_eval

    end = _closing(text, start) if "'" in text[start : start + 20] else None
    if end is None:
        return None, None
    printed = text[start:end]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a stray escape like "\\d" must not hang on the reader's warning filters
            return literal_eval(_CALL.sub(r"\1", printed) if "(" in printed else printed), end
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None, None


def _closing(text: str, start: int) -> int | None:
    """The character after the bracket that closes the one at `start`; strings are skipped."""
    depth = 0
    for token in _BRACKET.finditer(text, start, start + _VALUE_LIMIT):
        depth += (token[0] in "[{(") - (token[0] in "]})")
        if not depth:
            return token.end()
    return None


def _errors(value: Any, depth: int) -> Iterator[tuple[Place | None, str | None, str]]:
    if isinstance(value, Mapping):
        message = _first(value, _MESSAGES)
        code = _first(value, _CODES)
        path, known = _place(value)
        if path is not None:
            path = (*path, *_property(value))
        if message and (known or code):
            yield path, code, message
        elif depth:
            for inner in value.values():
                yield from _errors(inner, depth - 1)
    elif isinstance(value, (list, tuple)) and depth:
        for inner in value:
            yield from _errors(inner, depth - 1)


def _property(value: Mapping[Any, Any]) -> Place:
    """The property that is missing or too much, where the parameters of an error at the object around it name it."""
    params = value.get("params")
    name = _first(params, _PROPERTIES) if isinstance(params, Mapping) else None
    return (name,) if name else ()


def _first(value: Mapping[Any, Any], names: tuple[str, ...]) -> str | None:
    return next((value[name] for name in names if isinstance(value.get(name), str)), None)


def _place(value: Mapping[Any, Any]) -> tuple[Place | None, bool]:
    for name in _PATHS:
        written = value.get(name)
        if isinstance(written, str):
            return parse_place(written), True
        if isinstance(written, (list, tuple)):
            return tuple(str(segment) for segment in written), True
    return None, False
