"""Errors about long enums are small, and say the same."""

from __future__ import annotations

import tracemalloc
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.contract import Contract
from pytest_planguard.contract.schema import json_schema
from pytest_planguard.contract.schema.bounds import LONG, whole_enum, whole_message, with_short_enums

from ...support.nightly import SLOW
from .deep_unions.schemas import union

WORDS = [f"k{number}" for number in range(LONG + 5)]
ENUM = {"enum": WORDS}
NODE = {"title": "Node", "type": "object", "properties": {"lang": ENUM, "child": {"$ref": "#/$defs/node"}}}
PLACES: dict[str, dict[str, Any]] = {
    "root": ENUM,
    "items": {"items": {"title": "a word", **ENUM}},
    "beside other keywords": {"title": "T", "properties": {"lang": {"type": "string", **ENUM, "maxLength": 2}}},
    "beside conditions": {**ENUM, "if": {"type": "string"}, "then": {"minLength": 3}, "allOf": [{"type": "string"}]},
    "alternatives": {"anyOf": [{"items": ENUM}, {"properties": {"lang": ENUM}, "required": ["child"]}, ENUM]},
    "one of": {"items": {"oneOf": [ENUM, {"enum": [*WORDS[::-1]]}, {"type": "integer"}]}},
    "names of keys": {"propertyNames": ENUM, "additionalProperties": ENUM},
    "recursive": {"$ref": "#/$defs/node", "$defs": {"node": NODE}},
    "a draft without if": {"$schema": "http://json-schema.org/draft-04/schema#", "items": ENUM},
    "a key named enum": {"properties": {"enum": ENUM}, "dependentRequired": {"enum": WORDS}},
    "deep unions": union("anyOf", 3, properties={"lang": ENUM}),
}
LEAVES = st.sampled_from(["k1", "K1", "k99", "a long word", 1, None, True, 2.5])
ANSWERS = st.recursive(
    LEAVES,
    lambda inner: (
        st.dictionaries(st.sampled_from(["lang", "child", "enum", "k1"]), inner, max_size=3)
        | st.lists(inner, max_size=3)
    ),
    max_leaves=6,
)


def _listed(schema: dict[str, Any], answer: object) -> list[str]:
    return sorted(map(repr, json_schema.JsonSchemaCheck(schema).validate(answer)[1]))


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
@SLOW
@given(ANSWERS)
def test_the_findings_are_those_of_the_whole_enum(place: str, answer: object) -> None:
    """Including messages, allowed values and hints, and with other keywords beside the enum."""
    with patch("pytest_planguard.contract.schema.bounds.LONG", 1_000):
        whole = _listed(PLACES[place], answer)
    assert _listed(PLACES[place], answer) == whole


@pytest.mark.parametrize("keyword", ["const", "default", "examples", "enum", "dependencies", "dependentRequired"])
def test_constants_stay_as_they_are(keyword: str) -> None:
    """A value may look like a schema, and a list of keys like an enum."""
    for value in (ENUM, [ENUM], {"enum": WORDS}):
        schema = {keyword: value, "properties": {"a": {keyword: value}}}
        assert with_short_enums(schema) == schema


def test_an_enum_of_more_than_twenty_values_is_shortened() -> None:
    """To the first four, with all of them in a condition; beside it stays what was there."""
    twenty = {"title": "T", "enum": [*range(20)]}
    assert with_short_enums(twenty) == twenty
    more = {"title": "T", "enum": [*range(21)], "allOf": [{"minimum": 0}]}
    condition = {"if": {"enum": (*range(21),)}, "else": {"enum": (0, 1, 2, 3)}}
    assert with_short_enums(more) == {"title": "T", "allOf": [{"minimum": 0}, condition]}
    assert with_short_enums({"items": [{"enum": [*range(21)]}]}) == {"items": [{"allOf": [condition]}]}


@pytest.mark.parametrize(
    ("dialect", "changed"),
    [
        *((f"http://json-schema.org/draft-0{number}/schema#", number > 6) for number in (3, 4, 6, 7)),
        ("https://json-schema.org/draft/2019-09/schema", True),
        ("https://json-schema.org/draft/2020-12/schema", True),
    ],
)
def test_a_dialect_without_conditions_keeps_its_enums_whole(dialect: str, changed: bool) -> None:
    """Drafts 3, 4 and 6 ignore `if`, and would reject every value but the first four."""
    schema = {"$schema": dialect, **ENUM}
    assert (with_short_enums(schema) != schema) is changed


def test_parts_of_a_schema_that_are_one_object_stay_one() -> None:
    """So that a schema that holds one part in many places does not grow."""
    shared = {"items": ENUM}
    short = with_short_enums({"properties": {"a": shared, "b": shared}})
    assert short["properties"]["a"] is short["properties"]["b"]
    assert "allOf" in short["properties"]["a"]["items"]


@pytest.mark.parametrize(
    ("condition", "values"),
    [
        ({"if": {"enum": (1, 2)}}, (1, 2)),
        ({"if": {"enum": [1, 2]}}, None),
        ({"if": {}}, None),
        ({"if": True}, None),
        ({}, None),
        (True, None),
        (None, None),
    ],
)
def test_the_values_of_a_shortened_enum_are_found_in_its_condition(condition: Any, values: Any) -> None:
    """A condition that the schema had itself is another one: its enum is a list."""
    assert whole_enum(condition) == values


def test_the_message_about_a_shortened_enum_counts_all_values() -> None:
    """Two are named; a message of another form is kept."""
    (found,) = Contract(ENUM).check('"z"').errors
    assert found.validator_message == '"z" is not one of "k0", "k1" or 23 other candidates'
    assert found.allowed == tuple(WORDS)
    assert (
        whole_message("1 is not one of 2, 3 or 2 other candidates", 25) == "1 is not one of 2, 3 or 23 other candidates"
    )
    for kept in ("1 is not one of 2, 3 or 3 other candidates", " or 2 other candidates, indeed", ""):
        assert whole_message(kept, 25) == kept


@pytest.mark.slow
@pytest.mark.parametrize("schema", [{"type": "array"}, union("oneOf", 2)], ids=["a list", "nodes"])
def test_many_errors_about_a_long_enum_take_little_memory(schema: dict[str, Any]) -> None:
    """Each copied the enum of 2,000 values: 15,000 times the size of the answer."""
    words = {"enum": [f"k{number}" for number in range(2_000)]}
    contract = Contract({**schema, "items": words, "properties": {"words": {"items": words}}})
    contract.check(["k2001"])  # compiles once
    text = '["k2001"' + 4_000 * ',"k2001"' + "]"
    tracemalloc.start()
    try:
        verdict = contract.check(text)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert verdict.findings[0].allowed == tuple(words["enum"])
    assert all(one.allowed is verdict.findings[0].allowed for one in verdict.findings[:-1])
    assert peak < 400 * len(text)
