"""Values that a schema or a content constraint demands: one for each form, type and kind of constraint."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_planguard import Contract, FailureKind, Finding
from pytest_planguard.contract.constraints.builders import (
    contains,
    count,
    distinct,
    excludes,
    in_range,
    max_length,
    min_length,
    non_empty,
    not_copied,
    one_of,
)
from pytest_planguard.retry.proving.edits import constraint_rules, edits
from pytest_planguard.retry.proving.schema_examples import resized, samples

from ...support.one_item import in_one_item

FORMATS = {
    "date": "2024-01-31",
    "date-time": "2024-01-31T12:00:00Z",
    "time": "12:00:00Z",
    "duration": "P1D",
    "email": "someone@example.com",
    "uri": "https://example.com/",
    "uuid": "6f1c2f0e-2c55-4c0e-9a3c-1f0a3b5d7e9f",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
}


@in_one_item
@pytest.mark.parametrize("form", FORMATS)
def test_a_text_of_each_format(form: str) -> None:
    """Whatever its length; another format gets any text."""
    assert list(samples({"type": "string", "format": form, "maxLength": 2}, {})) == [FORMATS[form]]
    assert list(samples({"type": "string", "format": f"{form}s"}, {})) == ["sample"]
    assert list(samples({"type": "string", "format": [form]}, {})) == ["sample"]


@in_one_item
@pytest.mark.parametrize(
    ("schema", "values"),
    [
        ({"type": "string"}, ["sample"]),
        ({"type": "integer"}, [1, 0]),
        ({"type": "number"}, [1, 0]),
        ({"type": "boolean"}, [True, False]),
        ({"type": "array"}, [[]]),
        ({"type": "array", "minItems": 3}, [["sample", "sample 2", "sample 3"]]),
        ({"type": "array", "minItems": 3, "items": {"enum": [1, 2]}}, [[1, 2, 1]]),
        ({"type": "object"}, [{}]),
        ({"type": "null"}, [None]),
        ({"type": ["null", "boolean"]}, [True, False, None]),
        ({"type": ["tuple", "null"]}, [None]),
        ({"properties": {"a": {}}}, [{}]),
        ({"type": "object", "properties": {"a": {"type": "null"}}, "required": ["a"]}, [{"a": None}]),
        ({"minLength": 3}, []),
        ({"const": None, "default": 7, "enum": [1], "examples": [2]}, [None, 7, 1, 2]),
        ({"enum": [1, 2, 3, 4, 5, 6]}, [1, 2, 3, 4, 5]),
        ({"examples": [1, 2, 3, 4, 5, 6]}, [1, 2, 3, 4, 5]),
        ({"examples": "abc", "type": 7}, []),
        ({"type": "integer", "minimum": 5}, [5, 5]),
        ({"type": "integer", "minimum": 1.5}, [2, 2]),
        ({"type": "number", "exclusiveMinimum": 1, "exclusiveMaximum": 3}, [2, 2]),
        ({"type": "number", "maximum": -2}, [-2, -2]),
        ({"type": "number", "multipleOf": 0}, [1, 0]),
        ({"type": "number", "multipleOf": -3}, [1, 0]),
        ({"type": "number", "multipleOf": True}, [1, 0]),
        ({"type": "string", "minLength": 8}, ["sample s"]),
        ({"type": "string", "minLength": 14}, ["sample sample "[:13] + "x"]),
        ({"type": "string", "maxLength": 3}, ["sax"]),
        ({"type": "string", "minLength": True, "maxLength": -1}, ["sample"]),
    ],
)
def test_the_values_of_each_type(schema: dict[str, Any], values: list[Any]) -> None:
    """Constants first, then those that the schema lists, then those of its types, null last."""
    made = list(samples(schema, schema))
    assert made == values
    assert [type(one) for one in made if not isinstance(one, float)] == [
        type(one) for one, other in zip(values, made, strict=True) if not isinstance(other, float)
    ]


@pytest.mark.parametrize("value", [True, None, {"a": 1}])
def test_what_has_no_size_is_not_resized(value: object) -> None:
    """A truth value is no number here."""
    assert list(resized(value, {"minimum": 5, "minLength": 5}, {})) == []


@pytest.mark.parametrize(
    ("value", "schema", "made"),
    [
        ("abc", {}, "abc"),
        ([1], {}, [1]),
        ([1, 2, 3], {"minItems": 2, "maxItems": 1}, [1, 2]),
        ([1], {"minItems": 2}, [1, 1]),
        (7, {"multipleOf": 5}, 5),
        (7, {"multipleOf": 5, "minimum": 6}, 10),
        (7.5, {"type": "integer"}, 7),
        (7.5, {"exclusiveMaximum": 7.5}, 6.5),
    ],
)
def test_a_value_is_made_to_fit(value: object, schema: dict[str, Any], made: object) -> None:
    """What already fits stays as it is."""
    assert list(resized(value, schema, schema)) == [made]


RULES: dict[str, tuple[Any, dict[str, Any] | None]] = {
    "non_empty": (non_empty("name"), {"minLength": 1, "minItems": 1}),
    "min_length": (min_length("name", 9), {"minLength": 9}),
    "max_length": (max_length("name", 2), {"maxLength": 2}),
    "count": (count("name", 2, 4), {"minItems": 2, "maxItems": 4}),
    "count of at least": (count("name", 2), {"minItems": 2}),
    "range": (in_range("name", 3, 5), {"minimum": 3, "maximum": 5}),
    "range of at most": (in_range("name", max=5), {"maximum": 5}),
    "one_of": (one_of("name", "a", "b"), {"enum": ["a", "b"]}),
    "distinct": (distinct("name"), None),
    "contains": (contains("name", "x", language="en"), None),
}


@in_one_item
@pytest.mark.parametrize("name", RULES)
def test_each_constraint_as_keywords_of_a_schema(name: str) -> None:
    """For a finding of it at its field, and for each field that is missing; one about words has no keywords."""
    rule, keywords = RULES[name]
    contract = Contract({"title": "T"}, constraints=[rule])
    data = {"name": "abc", "other": "abc"}

    def rules(code: str, *path: str) -> list[Any]:
        finding = Finding(code, path, "is wrong", FailureKind.CONTENT)
        return list(constraint_rules(finding, data, contract))

    found = [] if keywords is None else [keywords]
    assert rules(rule.code, "name") == found
    assert rules(rule.code, "other") == []
    assert rules("type", "name") == []
    assert rules("missing", "other") == found


def proposed(rule: Any, value: object) -> list[Any]:
    """Return the values that are tried for a finding of a constraint at a name."""
    contract = Contract({"title": "T"}, constraints=[rule])
    finding = Finding(rule.code, ("name",), "is wrong", FailureKind.CONTENT)
    return [edit.value for edit in edits(finding, {"name": value}, contract)]


@in_one_item
@pytest.mark.parametrize(
    ("rule", "value", "last"),
    [
        (contains("name", "paper", "ink", language="en"), "out of", ["out of paper ink"]),
        (contains("name", "paper", language="en"), "", ["paper"]),
        (excludes("name", "damn", "heck", language="en"), "Damn it, HECK", ["other it, other"]),
        (distinct("name"), "a", ["a (another one)", "something of its own"]),
        (not_copied("name"), "a b", ["a b (another one)", "something of its own"]),
        (min_length("name", 4), "a", ["a a"[:3] + "x"]),
    ],
)
def test_a_text_is_reworded_for_each_constraint_about_words(rule: Any, value: str, last: list[str]) -> None:
    """After its other forms."""
    assert proposed(rule, value)[-len(last) :] == last


@in_one_item
@pytest.mark.parametrize("rule", [contains("name", "x", language="en"), distinct("name")], ids=["contains", "distinct"])
def test_what_is_no_text_is_not_reworded(rule: Any) -> None:
    """A number is only tried as a text, and a list of one item as that item."""
    assert (proposed(rule, 7), proposed(rule, [7]), proposed(rule, [7, 8])) == (["7"], [7], [])
    assert (proposed(rule, {"a": 1}), proposed(rule, None), proposed(rule, True)) == ([], [""], ["True"])
