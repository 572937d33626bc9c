"""Values inside a text, as JSON or Python prints them; and texts without the JSON Schemas among these values."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

# The beginning of a list or an object with a text in it: '[{"loc"', "{'goal'", '["goal'. The quote tells JSON from
# Python.
_START = re.compile(r"[\[{][\s\[{(]{0,9}([\"'])")
_TRIES = 40
"""Beginnings of values that are tried without success; each costs at most the rest of the text."""
_PRINTED = 5
"""Tries that a value printed by Python counts for: its end is looked for, bracket by bracket."""
_VALUE_LIMIT = 50_000
"""Characters of a value printed by Python that are read."""
_STRING = r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\""
# A bracket, or a text in which brackets do not count.
_BRACKET = re.compile(rf"{_STRING}|[\[\](){{}}]")
_DEPTH = {"[": 1, "{": 1, "(": 1, "]": -1, "}": -1, ")": -1}
"""What a bracket adds to the depth; a text adds nothing."""
# A value in a call, as Python prints objects: "ErrorDetail(string='…', code='…')", "deque([…])", "ValueError('…')".
_CALL = re.compile(
    r"\b[A-Za-z_]\w{0,60}\((?:\w{1,30}=)?('[^'\\\n]{0,400}'|\"[^\"\\\n]{0,400}\"|\[[^\[\]()]{0,400}\])"
    r"(?:, ?\w{1,30}=[^(){}\[\]\n]{0,200})?\)"
)
_DECODER = json.JSONDecoder()


def values(text: str) -> Iterator[tuple[Any, int, int]]:
    """(value, start, end) of the JSON or Python lists and objects in the text."""
    at = failed = 0
    while failed < _TRIES and (opening := _START.search(text, at)):
        start = opening.start()
        value, end = _value(text, start, opening[1])
        failed += 0 if end else 1 if opening[1] == '"' else _PRINTED
        at = end or start + 1
        if end:
            yield value, start, end


def _value(text: str, start: int, quote: str) -> tuple[Any, int | None]:
    from ast import literal_eval

    with suppress(ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        if quote == '"':
            return _DECODER.raw_decode(text, start)
        end = _closing(text, start)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a stray escape like "\\d" must not hang on the reader's warning filters
            return literal_eval(_CALL.sub(r"\1", text[start : end or start])), end
    return None, None


def _closing(text: str, start: int) -> int | None:
    """The character after the bracket that closes the one at `start`; texts are skipped."""
    depth = 0
    for token in _BRACKET.finditer(text, start, start + _VALUE_LIMIT):
        depth += _DEPTH.get(token[0], 0)
        if not depth:
            return token.end()
    return None


# JSON Schemas inside feedback: they say what is allowed, not what is wrong, and would speak of every field.


def without_schemas(text: str) -> str:
    """The text without the schemas in it; `{}` is left where one is a part of another value."""
    if "properties" not in text and "$defs" not in text:
        return text
    for value, start, end in reversed(list(values(text))):
        rest = _without_schemas(value)
        if rest != value:
            printed = json.dumps(rest, ensure_ascii=False, default=str, skipkeys=True) if rest else ""
            text = text[:start] + printed + text[end:]
    return text


def _without_schemas(value: Any) -> Any:
    if is_schema(value):
        return {}
    if isinstance(value, Mapping):
        return {key: _without_schemas(inner) for key, inner in value.items()}
    return type(value)(map(_without_schemas, value)) if isinstance(value, (list, tuple)) else value


def is_schema(value: Any) -> bool:
    """Whether a value is the schema of an object or has the definitions of one, and is no tree of errors."""
    keys = ("properties", "$defs") if isinstance(value, Mapping) and not is_error_tree(value) else ()
    return any(isinstance(value.get(key), Mapping) for key in keys)


def is_error_tree(value: Mapping[Any, Any]) -> bool:
    """Whether an object lists errors beside its `properties` and `items`, as a tree in the shape of a schema does."""
    return isinstance(value.get("errors"), list)
