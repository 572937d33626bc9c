"""How much two schemas are alike."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from pytest_planguard.retry.judging.schema_shape import Likeness, SchemaShape, properties


class Step(BaseModel):
    id: int
    after: list[Step]


class Plan(BaseModel):
    goal: str
    steps: list[Step]


class Note(BaseModel):
    text: str


def wrapped(schema: dict[str, Any], member: str = "data") -> SchemaShape:
    """What a framework sends that wraps each answer in one member."""
    inner = dict(schema)
    definitions = inner.pop("$defs", {})
    return SchemaShape({"type": "object", "properties": {member: inner}, "required": [member], "$defs": definitions})


PLAN, NOTE = Plan.model_json_schema(), Note.model_json_schema()
INLINED = {
    "properties": {
        "goal": {"type": "string"},
        "steps": {"items": {"properties": {"id": {"type": "integer"}, "after": {"type": "array"}}}},
    },
    "required": ["steps", "goal"],
    "additionalProperties": False,
}
"""The plan as an SDK may send it: references inlined, one of them given up."""


def test_from_equal_to_unlike() -> None:
    """Whole, then all fields, then those of the root."""
    flat = {"properties": {"steps": {}, "goal": {}}}
    shape = SchemaShape(PLAN)
    assert shape.likeness(SchemaShape(dict(reversed(PLAN.items())))) is Likeness.WHOLE
    assert shape.likeness(SchemaShape(INLINED)) is Likeness.FIELDS
    assert shape.likeness(SchemaShape(flat)) is Likeness.NAMES
    assert shape.likeness(SchemaShape(NOTE)) is shape.likeness(SchemaShape(None)) is Likeness.OTHER


def test_fields_are_those_at_every_depth() -> None:
    """Through references, lists and unions; a part that is used in itself is read once."""
    assert SchemaShape(PLAN).fields == {"goal": {}, "steps": {"id": {}, "after": {}}}
    union = {"anyOf": [{"properties": {"a": {"allOf": [NOTE]}}}, {"type": "null"}], "required": ["b"]}
    assert SchemaShape(union).fields == {"a": {"text": {}}, "b": {}}
    assert SchemaShape({"properties": {"x": {"$ref": "#/$defs/no"}, "y": {"$ref": 1}}}).fields == {"x": {}, "y": {}}


A = {"properties": {"a": {}}}
PARTS: dict[str, tuple[dict[str, Any], Any]] = {
    **{key: ({key: A}, {"a": {}}) for key in ("items", "additionalItems")},
    **{
        key: ({key: [A, {"required": ["b"]}]}, {"a": {}, "b": {}}) for key in ("prefixItems", "anyOf", "oneOf", "allOf")
    },
    "not a list": ({"anyOf": A}, {}),
    "not a schema": ({"items": [A], "oneOf": [True, None]}, {}),
    "other keywords": ({"not": A, "if": A, "contains": A}, {}),
    "a reference and members beside it": ({"$ref": "#/$defs/A", "properties": {"b": {}}}, {"a": {}, "b": {}}),
    "two branches with the same field": (
        {"anyOf": [{"properties": {"of": A}}, {"properties": {"of": {"required": ["b"]}}}]},
        {"of": {"a": {}, "b": {}}},
    ),
    "required and described": ({**A, "required": ["a", "b", 3]}, {"a": {}, "b": {}, "3": {}}),
    "an alternative of itself": ({"anyOf": [{"$ref": "#/$defs/Tree"}, {"$ref": "#/$defs/Tree"}]}, {"leaf": {}}),
}


@pytest.mark.parametrize("name", PARTS)
def test_fields_are_read_through_each_part_of_a_schema(name: str) -> None:
    """References, list items and alternatives add their fields, which are merged; other keywords describe no field."""
    part, fields = PARTS[name]
    tree = {"properties": {"leaf": {}}, "allOf": [{"$ref": "#/$defs/Tree"}], "items": {"$ref": "#/$defs/Tree"}}
    schema = {"properties": {"root": part}, "$defs": {"A": A, "Tree": tree}}
    assert SchemaShape(schema).fields == {"root": fields}


@pytest.mark.parametrize(
    ("reference", "fields"),
    [
        ("#/$defs/a~1b~0c", {"a": {}}),
        ("#/$defs/~01", {"b": {}}),
        ("#/deep/er", {"c": {}}),
        ("#/$defs/none/of/them", {}),
        ("other.json#/$defs/~01", {}),
        ("#~1", {}),
    ],
)
def test_references_are_pointers(reference: str, fields: dict[str, Any]) -> None:
    """A slash and a tilde in a name are escaped; a reference to another document or to nothing has no fields."""
    definitions = {"a/b~c": A, "~1": {"required": ["b"]}, "/": {"required": ["no"]}}
    schema = {
        "properties": {"root": {"$ref": reference}},
        "$defs": definitions,
        "deep": {"er": {"required": ["c"]}},
    }
    assert SchemaShape(schema).fields == {"root": fields}


def test_fields_are_read_to_the_twelfth_level_below_the_root() -> None:
    """Deeper ones are left out, so schemas that differ there alone are alike."""

    def nested(levels: int) -> SchemaShape:
        schema: dict[str, Any] = {}
        for level in range(levels, -1, -1):
            schema = {"properties": {f"f{level}": schema}}
        return SchemaShape(schema)

    assert nested(11).likeness(nested(12)) is Likeness.NAMES
    assert nested(12).likeness(nested(13)) is Likeness.FIELDS


def test_a_schema_of_too_many_fields_counts_by_its_root() -> None:
    """Each field is one part, and so are its schema and the root: 2,000 of them are too many."""

    def wide(fields: int) -> SchemaShape:
        return SchemaShape({"properties": {"data": {"properties": {f"f{n}": {} for n in range(fields)}}}})

    assert len(wide(998).fields["data"]) == 998
    assert wide(999).fields == {"data": {}}


def test_a_wrapper_is_no_field_in_common() -> None:
    """What it holds counts, unless one of the two says nothing of it."""
    assert wrapped(PLAN).shares_no_field(wrapped(NOTE))
    assert wrapped({"properties": {"inner": PLAN}}).shares_no_field(wrapped({"properties": {"inner": NOTE}}))
    assert not wrapped(PLAN).shares_no_field(wrapped({"type": "object"}))
    assert not wrapped(PLAN).shares_no_field(wrapped(INLINED))
    assert wrapped(PLAN).shares_no_field(wrapped(PLAN, "result"))
    assert not SchemaShape(None).shares_no_field(SchemaShape(NOTE))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["#/$defs/a", "#", "string"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["properties", "$defs", "$ref", "items", "anyOf", "required", "type", "a", "b"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(JSON, JSON)
def test_hostile_schemas_are_compared(one: Any, other: Any) -> None:
    """Whatever a cassette holds: both ways alike, and a schema is itself."""
    first, second = SchemaShape(one), SchemaShape(other)
    assert first.likeness(second) is second.likeness(first)
    assert first.shares_no_field(second) is second.shares_no_field(first)
    assert not first.shares_no_field(SchemaShape(one))
    assert not isinstance(one, dict) or first.likeness(SchemaShape(one)) is Likeness.WHOLE


def test_a_large_schema_counts_by_its_root() -> None:
    """References that multiply are not followed without end, nor is a schema that is too deep for JSON."""
    fan = {f"f{n}": {"$ref": f"#/$defs/{n + 1}"} for n in range(40)}
    large = {"properties": {"data": {"$ref": "#/$defs/0"}}, "$defs": {str(n): {"properties": fan} for n in range(41)}}
    assert SchemaShape(large).fields == {"data": {}}
    deep: dict[str, Any] = {"properties": {"data": {}}}
    for _ in range(5_000):
        deep = {"properties": {"data": deep}}
    assert SchemaShape(deep).fields.keys() == {"data"}  # how deep JSON may be depends on the Python
    assert SchemaShape({"properties": {"a": {"enum": {1, 2}}}}).fields == {"a": {}}


@pytest.mark.parametrize(
    "schema", [{"$ref": "#/$defs/A", "$defs": {"A": True}}, {"required": 1, "properties": []}, None]
)
def test_what_is_no_schema_of_an_object_has_no_names(schema: Any) -> None:
    """A cassette may hold anything."""
    assert properties(schema) == frozenset()


def test_names_follow_one_reference() -> None:
    """A schema may keep its root among its definitions."""
    assert properties({"$ref": "#/$defs/A", "$defs": {"A": {"properties": {"x": {}}}}}) == {"x"}
