"""Values that a schema allows, and the schemas that hold for a place."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.contract.schema.schema_fields import schemas_at
from pytest_planguard.retry.proving.schema_examples import MAX_SIZE, clamped, fitted, resized, samples

from ...support.one_item import in_one_item

TREE = {
    "$defs": {
        "Node": {
            "type": "object",
            "properties": {"name": {"type": "string", "minLength": 9}, "child": {"$ref": "#/$defs/Node"}},
            "required": ["name"],
        },
        "a/b~c": {"type": "boolean"},
    },
    "type": "object",
    "properties": {
        "root": {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]},
        "odd": {"$ref": "#/$defs/a~1b~0c"},
        "pair": {"type": "array", "prefixItems": [{"type": "integer"}], "items": {"type": "string"}},
        "gone": {"$ref": "#/$defs/Missing"},
        "far": {"$ref": "https://example.com/schema.json"},
    },
    "additionalProperties": {"const": "any"},
}


@in_one_item
@pytest.mark.parametrize(
    "node",
    [
        {"type": "string", "minLength": 30},
        {"type": "string", "maxLength": 2},
        {"type": "string", "format": "date"},
        {"type": ["null", "integer"], "minimum": 7, "maximum": 9},
        {"type": "number", "exclusiveMinimum": 4, "exclusiveMaximum": 9},
        {"type": "integer", "multipleOf": 5, "maximum": 100},
        {"type": "integer", "multipleOf": 5, "minimum": 7},
        {"type": "number", "multipleOf": 2.5, "exclusiveMinimum": 0},
        {"type": "integer", "minimum": 7.5},
        {"type": "boolean"},
        {"type": "array", "items": {"type": "string"}, "minItems": 4, "uniqueItems": True},
        {"enum": ["a", 2, None]},
        {"const": {"deep": [1]}},
        {"properties": {"n": {"type": "integer"}, "s": {"examples": ["x"]}}, "required": ["n", "s"]},
        TREE["$defs"]["Node"],
    ],
    ids=lambda node: next(iter(node.values()))[:10] if isinstance(next(iter(node.values())), str) else "other",
)
def test_every_sample_is_allowed(node: dict[str, Any]) -> None:
    """Each sample passes the schema that it was made from, and there is at least one."""
    jsonschema_rs = pytest.importorskip("jsonschema_rs")
    made = list(samples(node, {**TREE, **node}))
    assert made
    assert [s for s in made if not jsonschema_rs.validator_for({"$defs": TREE["$defs"], **node}).is_valid(s)] == []


def test_what_cannot_be_sampled_has_no_samples() -> None:
    """A type that nobody knows, a schema of nothing and a required member without a schema give nothing."""
    assert list(samples({"type": "tuple"}, {})) == []
    assert list(samples({"enum": "abc"}, {})) == []
    assert list(samples({"type": "object", "required": ["x"], "properties": {"x": True}}, {})) == []


def test_the_schemas_of_a_place() -> None:
    """References, alternatives, tuples and free members are followed; what leads nowhere is no schema."""
    node = TREE["$defs"]["Node"]
    assert schemas_at(TREE, ("root",)) == [node, {"type": "null"}]
    assert schemas_at(TREE, ("root", "child", "child", "name")) == [{"type": "string", "minLength": 9}]
    assert schemas_at(TREE, ("odd",)) == [{"type": "boolean"}]
    assert (schemas_at(TREE, ("pair", 0)), schemas_at(TREE, ("pair", 1))) == (
        [{"type": "integer"}],
        [{"type": "string"}],
    )
    assert schemas_at(TREE, ("unheard of",)) == [{"const": "any"}]
    assert (schemas_at(TREE, ("gone",)), schemas_at(TREE, ("far",)), schemas_at(TREE, ("pair", 0, "x"))) == ([], [], [])


def test_schemas_without_an_end_are_followed_a_little() -> None:
    """A schema that refers to itself, or demands itself, comes to an end."""
    loop = {"$defs": {"A": {"$ref": "#/$defs/A"}}, "properties": {"x": {"$ref": "#/$defs/A"}}}
    assert schemas_at(loop, ("x",)) == []
    endless = {"type": "object", "properties": {"self": {"$ref": "#"}}, "required": ["self"]}
    assert list(islice(samples(endless, endless), 5)) == []


@pytest.mark.parametrize(
    ("value", "node", "expected"),
    [
        ("long enough", {"maxLength": 4}, ["lonx"]),
        ("ab", {"minLength": 6}, ["ab ab x"[:5] + "x"]),
        ("", {"minLength": 3}, ["wor"]),
        ([1, 2, 3], {"maxItems": 2}, [[1, 2]]),
        (["a"], {"minItems": 3, "items": {"type": "string"}}, [["a", "sample", "sample 2"]]),
        ([], {"minItems": MAX_SIZE + 1}, [[]]),
        (12, {"maximum": 9}, [9]),
        (1, {"exclusiveMinimum": 1}, [2]),
        (True, {"maximum": 0}, []),
        ({"a": 1}, {"minProperties": 2}, []),
    ],
)
def test_a_value_is_moved_into_its_bounds(value: Any, node: dict[str, Any], expected: list[Any]) -> None:
    """Texts and lists get longer or shorter, numbers larger or smaller; a truth value and an object stay."""
    assert list(resized(value, node, {})) == expected


@given(number=st.integers(-50, 50), low=st.integers(-50, 50), width=st.integers(0, 30), step=st.integers(1, 12))
def test_a_number_is_a_multiple_within_its_bounds(number: int, low: int, width: int, step: int) -> None:
    """Wherever there is one."""
    node = {"minimum": low, "maximum": low + width, "multipleOf": step}
    allowed = [n for n in range(low, low + width + 1) if n % step == 0]
    assert not allowed or clamped(number, node) in allowed


def test_a_text_of_no_length() -> None:
    """A bound of nothing leaves nothing; a text that fits stays as it is."""
    assert (fitted("word", 0, 0), fitted("word", 0, 4), fitted("word", 4, 9)) == ("", "word", "word")
