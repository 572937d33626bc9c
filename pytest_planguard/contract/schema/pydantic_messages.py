"""Pydantic's error types in our codes and words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from ..failure_kinds import FailureKind
from ..phrasing import choices, plural

MISSING_CODES = frozenset(
    {"missing", "missing_argument", "missing_keyword_only_argument", "missing_positional_only_argument"}
)
EXTRA_CODES = frozenset(
    {"extra_forbidden", "unexpected_keyword_argument", "unexpected_positional_argument", "invalid_key"}
)
_LISTED = re.compile(r"""(?:^|, | or )('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^,'"]+?(?=, | or |$))""")
_TYPES = {
    "int": "an integer",
    "float": "a number",
    "decimal": "a decimal number",
    "complex": "a complex number",
    "string": "a string",
    "bool": "true or false",
    "bytes": "a string",
    "list": "a list",
    "tuple": "a list",
    "set": "a list",
    "frozen_set": "a list",
    "iterable": "a list",
    "dict": "an object",
    "mapping": "an object",
    "model": "an object",
    "dataclass": "an object",
    "model_attributes": "an object",
    "dataclass_exact": "an object",
    "arguments": "an object",
    "none": "null",
    "date": "a date (YYYY-MM-DD)",
    "time": "a time",
    "datetime": "a date and time",
    "time_delta": "a duration",
    "url": "a URL",
    "uuid": "a UUID",
}
_COUNTED = {
    "too_short": ("at least", "min_length", "item"),
    "too_long": ("at most", "max_length", "item"),
    "string_too_short": ("at least", "min_length", "character"),
    "string_too_long": ("at most", "max_length", "character"),
    "bytes_too_short": ("at least", "min_length", "byte"),
    "bytes_too_long": ("at most", "max_length", "byte"),
    "url_too_long": ("at most", "max_length", "character"),
}
_BOUNDS = {
    "greater_than": ("greater than", "gt"),
    "greater_than_equal": ("at least", "ge"),
    "less_than": ("less than", "lt"),
    "less_than_equal": ("at most", "le"),
    "multiple_of": ("a multiple of", "multiple_of"),
}
_EXACT: dict[str, tuple[FailureKind, str]] = {
    "int_from_float": (FailureKind.TYPE, "an integer"),
    "int_parsing_size": (FailureKind.RANGE, "a smaller integer"),
    "none_required": (FailureKind.TYPE, "null"),
    "finite_number": (FailureKind.RANGE, "a finite number"),
    "set_item_not_hashable": (FailureKind.TYPE, "a simple value"),
    "date_past": (FailureKind.RANGE, "a date in the past"),
    "date_future": (FailureKind.RANGE, "a date in the future"),
    "datetime_past": (FailureKind.RANGE, "a date and time in the past"),
    "datetime_future": (FailureKind.RANGE, "a date and time in the future"),
    "timezone_naive": (FailureKind.FORMAT, "a date and time without a time zone"),
    "timezone_aware": (FailureKind.FORMAT, "a date and time with a time zone"),
    "date_from_datetime_inexact": (FailureKind.FORMAT, "a date without a time"),
    "json_invalid": (FailureKind.FORMAT, "a string of valid JSON"),
    "json_type": (FailureKind.TYPE, "a string of valid JSON"),
    "url_scheme": (FailureKind.FORMAT, "a URL of an allowed scheme"),
    "uuid_version": (FailureKind.FORMAT, "a UUID of the demanded version"),
    "string_not_ascii": (FailureKind.FORMAT, "ASCII characters only"),
}


def words(kind_name: str, ctx: Mapping[str, Any]) -> tuple[FailureKind, str | None]:
    """Return the kind and the rule in words of one pydantic error; None where only the validator's own words say it."""
    if kind_name in _EXACT:
        return _EXACT[kind_name]
    for known, rule in _RULES:
        if kind_name in known:
            return rule(kind_name, ctx)
    return _by_suffix(kind_name)


@lru_cache(maxsize=256)
def literal_values(listed: str) -> tuple[Any, ...]:
    """Return the values in pydantic's wording of a Literal or Enum: "'a', 'b' or 3" gives ("a", "b", 3)."""
    return tuple(_literal(token) for token in _LISTED.findall(listed))


@lru_cache(maxsize=256)
def _choices_of(listed: str) -> str:
    return choices(literal_values(listed))


def _literal(token: str) -> Any:
    if token[:1] in ("'", '"') and "\\" not in token:
        return token[1:-1]
    from ast import literal_eval

    try:
        return literal_eval(token)
    except (ValueError, SyntaxError):
        return token


def _enum(_: str, ctx: Mapping[str, Any]) -> tuple[FailureKind, str]:
    listed = str(ctx.get("expected") or ctx.get("expected_tags") or "")
    return FailureKind.ENUM, _choices_of(listed)


def _length(name: str, ctx: Mapping[str, Any]) -> tuple[FailureKind, str]:
    bound, key, noun = _COUNTED[name]
    return FailureKind.LENGTH, f"{bound} {plural(int(ctx.get(key, 0)), noun)}"


def _bound(name: str, ctx: Mapping[str, Any]) -> tuple[FailureKind, str]:
    words_, key = _BOUNDS[name]
    return FailureKind.RANGE, f"{words_} {ctx.get(key)}"


def _pattern(_: str, ctx: Mapping[str, Any]) -> tuple[FailureKind, str]:
    return FailureKind.FORMAT, f"text matching {ctx.get('pattern')}"


def _instance(_: str, ctx: Mapping[str, Any]) -> tuple[FailureKind, str]:
    return FailureKind.TYPE, f"a value of type {ctx.get('class')}"


def _by_suffix(name: str) -> tuple[FailureKind, str | None]:
    """Return the families "int_type", "date_parsing", "decimal_max_digits" of which pydantic has several dozen."""
    stem, _, suffix = name.rpartition("_")
    if suffix in ("type", "parsing") and stem in _TYPES:
        textual = suffix == "parsing" and stem in ("date", "time", "datetime", "time_delta", "url", "uuid")
        return FailureKind.FORMAT if textual else FailureKind.TYPE, _TYPES[stem]
    family = name.split("_", 1)[0]
    if family in ("date", "time", "datetime", "url", "uuid", "timezone") or name.startswith("bytes_invalid"):
        return FailureKind.FORMAT, _TYPES.get(family)
    if family == "decimal":
        return FailureKind.RANGE, None
    return (FailureKind.TYPE, None) if suffix == "type" else (FailureKind.RULE, None)


_Words = Callable[[str, Mapping[str, Any]], tuple[FailureKind, str | None]]
_RULES: tuple[tuple[frozenset[str], _Words], ...] = (
    (frozenset({"literal_error", "enum", "union_tag_invalid"}), _enum),
    (frozenset(_COUNTED), _length),
    (frozenset(_BOUNDS), _bound),
    (frozenset({"string_pattern_mismatch"}), _pattern),
    (frozenset({"is_instance_of", "is_subclass_of"}), _instance),
)
