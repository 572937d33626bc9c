"""Errors as data: JSON or Python values inside a text, and the errors in them.

Errors are objects with a place and a message, or objects that map fields to messages, at any depth. JSON Schemas among
the values are left out: they say what is allowed, not what is wrong.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from .entry import ErrorEntry, Place, parse_place
from .error_category import category_of_code, category_of_words, only_invalid
from .lines import WRAPPERS

# The beginning of a list or an object that starts with a text: '[{"loc"', "{'goal'", '["goal'. The quote distinguishes
# JSON from Python.
_START = re.compile(r"[\[{][\s\[{(]{0,9}([\"'])")
_TRIES = 40
"""Maximum number of failed attempts to parse a value; each costs at most the rest of the text."""
_PRINTED = 5
"""Number of attempts that a failed Python value counts for: its end must be searched bracket by bracket."""
_VALUE_LIMIT = 50_000
"""Maximum number of characters of a value printed by Python to read."""
_STRING = r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\""
# A bracket, or a text, whose brackets do not count.
_BRACKET = re.compile(rf"{_STRING}|[\[\](){{}}]")
# A value in a call, as Python prints objects: "ErrorDetail(string='…', code='…')", "deque([…])", "ValueError('…')".
_CALL = re.compile(
    r"\b[A-Za-z_]\w{0,60}\((?:\w{1,30}=)?('[^'\\\n]{0,400}'|\"[^\"\\\n]{0,400}\"|\[[^\[\]()]{0,400}\])"
    r"(?:, ?\w{1,30}=[^(){}\[\]\n]{0,200})?\)"
)
_DECODER = json.JSONDecoder()


def values(text: str) -> Iterator[tuple[Any, int, int]]:
    """Yield (value, start, end) for the JSON or Python lists and objects in the text."""
    at = failed = 0
    while failed < _TRIES and (opening := _START.search(text, at)):
        start = opening.start()
        value, end = _value(text, start, opening[1])
        failed += 0 if end else 1 if opening[1] == '"' else _PRINTED
        at = end or start + 1
        if end:
            yield value, start, end


def _value(text: str, start: int, quote: str) -> tuple[object, int | None]:
    from ast import literal_eval

    # `literal_eval` documents these five for text that only looks like Python: "[[[[…", "{[]: 1}".
    with suppress(ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        if quote == '"':
            return _DECODER.raw_decode(text, start)
        end = _closing(text, start)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a stray escape like "\\d" must not depend on the reader's warning filters
            return literal_eval(_CALL.sub(r"\1", text[start : end or start])), end
    return None, None


def _closing(text: str, start: int) -> int | None:
    """Return the position after the bracket that closes the one at `start`, ignoring brackets in strings."""
    depth = 0
    for token in _BRACKET.finditer(text, start, start + _VALUE_LIMIT):
        depth += (token[0] in "[{(") - (token[0] in "]})")
        if not depth:
            return token.end()
    return None


def without_schemas(text: str) -> str:
    """Return the text without its schemas, which would name every field; one within another value becomes `{}`."""
    if "properties" not in text and "$defs" not in text:
        return text
    for value, start, end in reversed(list(values(text))):
        rest = _without_schemas(value)
        if rest != value:
            printed = json.dumps(rest, ensure_ascii=False, default=str, skipkeys=True) if rest else ""
            text = text[:start] + printed + text[end:]
    return text


def _without_schemas(value: object) -> object:
    if is_schema(value):
        return {}
    if isinstance(value, Mapping):
        return {key: _without_schemas(inner) for key, inner in value.items()}
    return type(value)(map(_without_schemas, value)) if isinstance(value, (list, tuple)) else value


def is_schema(value: Any) -> bool:
    """Return True if a value is the schema of an object or defines one, and is not a tree of errors."""
    keys = ("properties", "$defs") if isinstance(value, Mapping) and not is_error_tree(value) else ()
    return any(isinstance(value.get(key), Mapping) for key in keys)


def is_error_tree(value: Mapping[object, object]) -> bool:
    """Return True if an object lists errors beside its `properties` and `items`: an error tree shaped like a schema."""
    return isinstance(value.get("errors"), list)


PLACES = frozenset(
    {"loc", "path", "field", "location", "instancePath", "instance_path", "pointer", "json_path", "dataPath", "param"}
    | {"at", "in", "property", "propertyPath", "attribute", "where"}
)
"""Keys for the place of an error."""
MESSAGES = ("msg", "message", "error", "detail", "reason", "description", "err")
"""Keys for the message of an error."""
_CODES = ("type", "code", "rule", "keyword", "validator", "kind")
_LEVELS = 12
"""Maximum number of levels of lists and objects to follow."""
_LIMIT = 400_000
"""Maximum number of characters of a text to read as one value."""
_Error = tuple[Place | None, str | None, str]


def structure_entries(text: str) -> Iterator[ErrorEntry]:
    """Yield an entry for each error in the values of the text."""
    for value, start, end in values(text):
        for path, code, message in _errors(value, (), _LEVELS):
            yield ErrorEntry(path, code, message, start, end)


def _errors(value: object, path: Place, depth: int) -> Iterator[_Error]:
    """Yield place, code and message of every error in a value that is at `path`."""
    if isinstance(value, str):
        if path and (category_of_words(value) or category_of_code(value) or only_invalid(value)):
            yield path, None, value
    elif isinstance(value, Mapping) and depth and not is_schema(value):
        error = _error(value, path)
        if error:
            yield error
        around = WRAPPERS | {"properties", "items"} if is_error_tree(value) else WRAPPERS
        for key, inner in () if error else value.items():
            name = str(key)
            here = path if name.lower() in around else (*path, *parse_place(name))
            yield from _errors(inner, here, depth - 1)
    elif isinstance(value, (list, tuple)) and depth:
        for at, inner in enumerate(value):
            for place in _places(path, at, inner, len(value)):
                yield from _errors(inner, place, depth - 1)


def _error(value: Mapping[Any, Any], path: Place) -> _Error | None:
    """Return the error in an object that has a message, and a place or a code."""
    said = ((value[key] for key in keys if isinstance(value.get(key), str)) for keys in (MESSAGES, _CODES))
    message, code = (next(words, None) for words in said)
    written = [value[key] for key in value if key in PLACES and isinstance(value[key], (str, list, tuple))]
    if message is None or (not written and code is None):
        return None
    return _joined(written) if written else path or None, code, message


def _joined(written: Sequence[str | Sequence[object]]) -> Place:
    """Return the place that several keys of an error give together: {"property": "id", "path": ["tasks", 0]}."""
    steps = [parse_place(one) if isinstance(one, str) else tuple(map(str, one)) for one in written]
    whole = max(steps, key=len)
    return next(((*whole, *one) for one in steps if len(one) == 1 and one[0] not in whole), whole)


def _places(path: Place, at: int, inner: object, length: int) -> Iterator[Place]:
    """Yield the possible places of errors in a list: the field, an item of it, or both for a single object."""
    is_item = path and isinstance(inner, Mapping) and not _error(inner, path)
    if not is_item or length == 1:
        yield path
    if is_item:
        yield (*path, str(at))


# A block of a programming language: "nights: int" in it is not an error. A block without a language, and one of data or
# of a console, may contain the errors.
_CODE = re.compile(
    r"```(?:py(?:thon)?|pydantic|[jt]sx?|typescript|javascript|java|kotlin|go|rust|ruby|php|c|cpp|csharp|swift|sql|graphql)\n"
    r"[^`]*```",
    re.IGNORECASE,
)


def without_code(text: str) -> str:
    """Return the text with its code blocks blanked. All positions stay the same."""
    return _CODE.sub(lambda block: re.sub(r"[^\n]", " ", block[0]), text)


# Feedback inside JSON: `{"status": "error", "details": "…"}` and a text in quotes mean the same as their texts.


def opened(text: str) -> str:
    r"""Return the texts of a value that wraps feedback, one per line, or the text of a JSON string; else the text.

    A wrapper is an object or a list that contains only texts and further wrappers, and no place. Quotes and line breaks
    inside it are escaped, so no reader would recognise them.
    """
    try:
        value = json.loads(text) if text.strip()[:1] in ("{", "[", '"') and len(text) <= _LIMIT else None
    except (ValueError, RecursionError):
        return text
    wrapped = list(_wrapped(value, "error"))
    return text if None in wrapped else "\n".join(filter(None, wrapped)) or text


def _wrapped(value: object, key: str) -> Iterator[str | None]:
    """Yield every text below a wrapper's key, ignoring words and numbers beside it; yield None for anything else."""
    wraps = key.lower() in WRAPPERS
    if wraps and isinstance(value, list):
        for inner in value:
            yield from _wrapped(inner, key)
    elif wraps and isinstance(value, Mapping) and PLACES.isdisjoint(value):
        for name, inner in value.items():
            yield from _wrapped(inner, str(name))
    elif isinstance(value, (Mapping, list)) or " " in str(value):
        yield value if wraps and isinstance(value, str) else None
