"""The kind and the words of each of pydantic's error codes."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic_core import core_schema

from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.schema.pydantic_errors import kind_of_code, literal_values, words

from ...support.one_item import in_one_item

TYPES = {
    "int": "an integer",
    "float": "a number",
    "decimal": "a decimal number",
    "complex": "a complex number",
    "string": "a string",
    "bytes": "a string",
    "bool": "true or false",
    **dict.fromkeys(("list", "tuple", "set", "frozen_set", "iterable"), "a list"),
    **dict.fromkeys(("dict", "mapping", "model", "model_attributes"), "an object"),
    **dict.fromkeys(("dataclass", "dataclass_exact", "arguments"), "an object"),
    "date": "a date (YYYY-MM-DD)",
    "time": "a time",
    "datetime": "a date and time",
    "time_delta": "a duration",
    "url": "a URL",
    "uuid": "a UUID",
    **dict.fromkeys(("callable", "named_tuple", "fraction", "deque"), None),
}
PARSED = {
    **{f"{name}_parsing": ("type", TYPES[name]) for name in ("int", "float", "bool", "decimal")},
    **{
        f"{name}_parsing": ("format", TYPES[name]) for name in ("date", "time", "datetime", "time_delta", "url", "uuid")
    },
    "date_from_datetime_parsing": ("format", "a date (YYYY-MM-DD)"),
    "datetime_from_date_parsing": ("format", "a date and time"),
    "datetime_object_invalid": ("format", "a date and time"),
    "url_syntax_violation": ("format", "a URL"),
    "bytes_invalid_encoding": ("format", "a string"),
    "timezone_offset": ("format", None),
    "complex_str_parsing": ("rule", None),
}
EXACT = {
    "int_from_float": ("type", "an integer"),
    "int_parsing_size": ("range", "a smaller integer"),
    "none_required": ("type", "null"),
    "finite_number": ("range", "a finite number"),
    "set_item_not_hashable": ("type", "a simple value"),
    "date_past": ("range", "a date in the past"),
    "date_future": ("range", "a date in the future"),
    "datetime_past": ("range", "a date and time in the past"),
    "datetime_future": ("range", "a date and time in the future"),
    "timezone_naive": ("format", "a date and time without a time zone"),
    "timezone_aware": ("format", "a date and time with a time zone"),
    "date_from_datetime_inexact": ("format", "a date without a time"),
    "json_invalid": ("format", "a string of valid JSON"),
    "json_type": ("type", "a string of valid JSON"),
    "url_scheme": ("format", "a URL of an allowed scheme"),
    "uuid_version": ("format", "a UUID of the demanded version"),
    "string_not_ascii": ("format", "ASCII characters only"),
    **dict.fromkeys(("decimal_max_digits", "decimal_max_places", "decimal_whole_digits"), ("range", None)),
    **dict.fromkeys(("value_error", "assertion_error", "frozen_field", "recursion_loop"), ("rule", None)),
}  # fmt: skip
WITH_VALUES: list[tuple[str, dict[str, Any], str, str]] = [
    ("too_short", {"min_length": 2}, "length", "at least 2 items"),
    ("too_long", {"max_length": 1}, "length", "at most 1 item"),
    ("string_too_short", {"min_length": 1}, "length", "at least 1 character"),
    ("string_too_long", {"max_length": 3}, "length", "at most 3 characters"),
    ("bytes_too_short", {"min_length": 2}, "length", "at least 2 bytes"),
    ("bytes_too_long", {"max_length": 2}, "length", "at most 2 bytes"),
    ("url_too_long", {"max_length": 9}, "length", "at most 9 characters"),
    ("greater_than", {"gt": 1}, "range", "greater than 1"),
    ("greater_than_equal", {"ge": 1.5}, "range", "at least 1.5"),
    ("less_than", {"lt": -1}, "range", "less than -1"),
    ("less_than_equal", {"le": 0}, "range", "at most 0"),
    ("multiple_of", {"multiple_of": 5}, "range", "a multiple of 5"),
    ("string_pattern_mismatch", {"pattern": "^a"}, "format", "text matching ^a"),
    ("is_instance_of", {"class": "Path"}, "type", "a value of type Path"),
    ("is_subclass_of", {"class": "Path"}, "type", "a value of type Path"),
    ("literal_error", {"expected": "'a' or 3"}, "enum", 'one of "a", 3'),
    ("enum", {"expected": "'a'"}, "enum", '"a"'),
    ("union_tag_invalid", {"expected_tags": "'a', 'b'"}, "enum", 'one of "a", "b"'),
]


@in_one_item
@pytest.mark.parametrize(
    ("code", "kind", "said"),
    [
        *((f"{name}_type", "type", said) for name, said in TYPES.items()),
        *((code, *pair) for code, pair in (PARSED | EXACT).items()),
    ],
)
def test_the_words_of_a_code(code: str, kind: str, said: str | None) -> None:
    """Of each type, of each text that is none, and of each rule without a value; none where pydantic's say more."""
    assert words(code, {}) == (FailureKind(kind), said)
    assert kind_of_code(code) == (FailureKind(kind) if _is_known(code) else None)


@in_one_item
@pytest.mark.parametrize(("code", "values", "kind", "said"), WITH_VALUES)
def test_the_words_of_a_code_with_a_value(code: str, values: dict[str, Any], kind: str, said: str) -> None:
    """Its bound, its pattern, its class or its choices."""
    assert words(code, values) == (FailureKind(kind), said)
    assert kind_of_code(code) == (FailureKind(kind) if _is_known(code) else None)


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        *((code, "missing") for code in ("missing", "missing_argument", "union_tag_not_found")),
        *((f"missing_{kind}_only_argument", "missing") for kind in ("keyword", "positional")),
        *((code, "extra") for code in ("extra_forbidden", "invalid_key", "unexpected_keyword_argument")),
        ("unexpected_positional_argument", "extra"),
        ("my_own_code", None),
        ("", None),
    ],
)
def test_the_kind_of_a_code_about_keys(code: str, kind: str | None) -> None:
    """A code of the user's own has none."""
    assert kind_of_code(code) == (None if kind is None else FailureKind(kind))


def _is_known(code: str) -> bool:
    """Return True if the installed pydantic has the code: an older one lacks some."""
    return code in core_schema.ErrorType.__args__  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("listed", "values"),
    [
        ("'a', 'b' or 'c'", ("a", "b", "c")),
        ("'a, b' or \"it's\"", ("a, b", "it's")),
        ("'a or b', 1 or None", ("a or b", 1, None)),
        (r"'a\n' or 'b\'c\"'", ("a\n", "b'c\"")),
        ("True, -1.5 or <Colour.RED: 1>", (True, -1.5, "<Colour.RED: 1>")),
        ("'é'", ("é",)),
        ("", ()),
    ],
)
def test_the_values_in_pydantics_list(listed: str, values: tuple[Any, ...]) -> None:
    """Texts in either quotes, with escapes, and bare values; what is no value of Python is a text."""
    assert literal_values(listed) == values
