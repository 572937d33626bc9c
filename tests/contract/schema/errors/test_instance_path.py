"""The path of an error of jsonschema-rs leads to the value that the error is about."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.contract import Contract
from pytest_planguard.contract.schema.errors.instance_path import path_in
from pytest_planguard.document.path import value_at
from pytest_planguard.document.path_pattern import walk

KEYS = st.sampled_from(["", "0", "00", "1", "a"])
DOCUMENTS = st.recursive(
    st.integers(0, 9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)


@given(DOCUMENTS)
def test_the_path_leads_to_the_value(document: Any) -> None:
    """For every place of any document, from what jsonschema-rs says of it."""
    for path, value in walk(document):
        steps = tuple(int(part) if str(part).isdigit() else part for part in path if part != "")
        assert value_at(document, path_in(document, steps, value)) == value


@pytest.mark.parametrize(
    ("data", "path"),
    [
        ({"": {"n": 1}}, ("", "n")),
        ({"0": {"n": 1}}, ("0", "n")),
        ({"00": {"n": 1}, "0": {"n": "b"}}, ("00", "n")),
        ({"+1": {"n": 1}}, ("+1", "n")),
        ({"a": {"n": "b"}, "": {"n": 1}}, ("", "n")),
        ({"a": {"": {"0": {"n": 1}}}}, ("a", "", "0", "n")),
    ],
)
def test_findings_name_empty_keys_and_keys_that_are_numbers(data: Any, path: tuple[str, ...]) -> None:
    """They stand where a reader of the document finds them."""
    schema = {
        "properties": {"n": {"type": "string"}},
        "additionalProperties": {"$ref": "#"},
    }
    assert [finding.path for finding in Contract(schema).check(data).errors] == [path]


@pytest.mark.parametrize(
    "data",
    [
        {"7": "x", "07": "x", "+7": "x", "8": 1},
        {"7": {"n": "x"}, "07": {"n": "x"}},
        {"a": [{"0": "x", "00": "x"}]},
        {"": {"7": "x"}, "7": "x"},
    ],
)
@pytest.mark.parametrize("rule", [{"type": "integer"}, {"anyOf": [{"type": "integer"}, {"type": "boolean"}]}])
def test_each_of_two_wrong_values_is_named_though_their_errors_are_alike(data: Any, rule: dict[str, Any]) -> None:
    """jsonschema-rs says 7 of each of "7", "07" and "+7"; the document tells how many such keys there are."""
    inside = {"if": {"type": "object"}, "then": {"additionalProperties": {"$ref": "#/$defs/any"}}, "else": rule}
    schema = {"$defs": {"any": {"if": {"type": "array"}, "then": {"items": {"$ref": "#/$defs/any"}}, "else": inside}}}
    found = Contract({**schema, "$ref": "#/$defs/any"}).check(data).errors
    assert sorted(finding.path for finding in found) == sorted(path for path, value in walk(data) if value == "x")


@pytest.mark.parametrize(
    ("document", "steps", "value", "path"),
    [
        ({"a": [1], "": {"a": [5, 6]}}, ("a", 1), 6, ("", "a", 1)),
        ({"a": [1, 2]}, ("a", 1), 2, ("a", 1)),
        ({"a": [1]}, ("a", 1), 2, ("a", 1)),
        ({"a": {"b": 1}}, ("a", "c"), 2, ("a", "c")),
        ([{"": 1}], (0,), 1, (0, "")),
        ({"": {"": 7}}, (), 7, ("", "")),
        ({"": 7}, (), {"": 7}, ()),
        (5, (), 5, ()),
        (5, ("a",), 5, ("a",)),
        ({"7": 1}, (7,), 1, ("7",)),
        ({"+7": 1}, (7,), 1, ("+7",)),
        ({"-7": 1}, ("-7",), 1, ("-7",)),
        ({"1" * 19: 1}, (int("1" * 19),), 1, ("1" * 19,)),
        ({"1" * 20: 1}, ("1" * 20,), 1, ("1" * 20,)),
        ([1], ("0",), 1, ("0",)),
    ],
)
def test_the_path_of_a_value(document: Any, steps: Any, value: Any, path: Any) -> None:
    """The steps themselves where no way leads to the value."""
    assert path_in(document, steps, value) == path
