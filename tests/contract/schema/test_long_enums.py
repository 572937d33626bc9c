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
from pytest_planguard.contract.schema.bounds import LONG, with_short_enums

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


def test_constants_stay_as_they_are() -> None:
    """A value may look like a schema."""
    schema = {"const": ENUM, "enum": [ENUM], "properties": {"a": {"default": ENUM, "examples": [ENUM]}}}
    assert with_short_enums(schema) == schema


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
