"""Pydantic's error types in our codes and words."""

from __future__ import annotations

import re
from collections.abc import Mapping
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
# Each value of "'a', 'b' or 3": in quotes of either kind, with escapes, or bare up to the next comma or "or".
_LISTED = re.compile(r"""(?:^|, | or )('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^,'"]+?(?=, | or |$))""")
_TYPES = {
    "int": "an integer",
    "float": "a number",
    "decimal": "a decimal number",
    "complex": "a complex number",
    "string": "a string",
    "bytes": "a string",
    "bool": "true or false",
    "none": "null",
    **dict.fromkeys(("list", "tuple", "set", "frozen_set", "iterable"), "a list"),
    **dict.fromkeys(("dict", "mapping", "model", "model_attributes"), "an object"),
    **dict.fromkeys(("dataclass", "dataclass_exact", "arguments"), "an object"),
    "date": "a date (YYYY-MM-DD)",
    "time": "a time",
    "datetime": "a date and time",
    "time_delta": "a duration",
    "url": "a URL",
    "uuid": "a UUID",
}
"""What pydantic's types are called in words, by the first part of "int_type" or "int_parsing"."""
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
    if kind_name in ("literal_error", "enum", "union_tag_invalid"):
        return FailureKind.ENUM, _choices_of(str(ctx.get("expected") or ctx.get("expected_tags") or ""))
    if kind_name in _COUNTED:
        bound, key, noun = _COUNTED[kind_name]
        return FailureKind.LENGTH, f"{bound} {plural(int(ctx.get(key, 0)), noun)}"
    if kind_name in _BOUNDS:
        bound, key = _BOUNDS[kind_name]
        return FailureKind.RANGE, f"{bound} {ctx.get(key)}"
    if kind_name == "string_pattern_mismatch":
        return FailureKind.FORMAT, f"text matching {ctx.get('pattern')}"
    if kind_name in ("is_instance_of", "is_subclass_of"):
        return FailureKind.TYPE, f"a value of type {ctx.get('class')}"
    return _by_suffix(kind_name)


def kind_of_code(code: str) -> FailureKind | None:
    """Return the kind that a code of pydantic becomes; None for a word that is no code of the installed pydantic."""
    from pydantic_core import core_schema

    if code not in core_schema.ErrorType.__args__:  # type: ignore[attr-defined]  # a Literal
        return None
    if code in MISSING_CODES or code == "union_tag_not_found":
        return FailureKind.MISSING
    return FailureKind.EXTRA if code in EXTRA_CODES else words(code, {})[0]


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
