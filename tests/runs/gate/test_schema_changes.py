"""Schemas compared: each change at its place, with what it does to the answers that fit."""

from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, create_model

from pytest_planguard import Contract
from pytest_planguard.runs.gate.schema_changes import MOST, NOT_ALL, Effect, schema_changes

from ...support.cost import no_hang
from ...support.one_item import in_one_item


def of(schema: dict[str, Any]) -> dict[str, Any]:
    """An object with one field."""
    return {"type": "object", "properties": {"a": schema}}


@in_one_item
@pytest.mark.parametrize(
    ("before", "after", "said", "effect"),
    [
        ({"enum": ["x"]}, {"enum": ["x", "y"]}, 'a: "y" allowed, too', Effect.WIDER),
        ({"enum": ["x", "y"]}, {"const": "x"}, 'a: "y" no longer allowed', Effect.NARROWER),
        ({"enum": ["x"]}, {}, "a: any value is allowed", Effect.WIDER),
        ({"type": "integer"}, {"type": "number"}, "a: integer → number", Effect.WIDER),
        ({"type": "integer"}, {"type": "string"}, "a: integer → string", Effect.OTHER),
        ({"type": "integer"}, {"type": ["integer", "null"]}, "a: null is allowed, too", Effect.WIDER),
        (
            {"anyOf": [{"type": "string"}, {"type": "null"}]},
            {"type": "string"},
            "a: null is no longer",
            Effect.NARROWER,
        ),
        ({"minimum": 1}, {"minimum": 0}, "a: minimum 1 → 0", Effect.WIDER),
        ({"maxLength": 5}, {"maxLength": 9}, "a: maxLength 5 → 9", Effect.WIDER),
        ({"maxItems": 5}, {"maxItems": 4}, "a: maxItems 5 → 4", Effect.NARROWER),
        ({"pattern": "x"}, {}, 'a: pattern "x" → none', Effect.WIDER),
        ({"pattern": "x"}, {"pattern": "y"}, 'a: pattern "x" → "y"', Effect.OTHER),
        ({"items": {"minLength": 2}}, {"items": {}}, "a[*]: minLength 2 → none", Effect.WIDER),
        ({"required": ["b"]}, {}, "a.b: no longer required", Effect.WIDER),
        ({"additionalProperties": False}, {}, "a: other fields are allowed now", Effect.WIDER),
        ({"description": "x"}, {"description": "y"}, 'a: description "x" → "y"', Effect.WORDS),
    ],
)
def test_a_change_is_named_at_its_place(before: Any, after: Any, said: str, effect: Effect) -> None:
    """What is wider one way is narrower the other way."""
    (change,) = schema_changes(of(before), of(after))
    assert (str(change).startswith(said), change.effect) == (True, effect)
    (back,) = schema_changes(of(after), of(before))
    mirrored = {Effect.WIDER: Effect.NARROWER, Effect.NARROWER: Effect.WIDER}
    assert back.effect is mirrored.get(effect, effect)


def test_a_recursive_schema_has_an_end() -> None:
    """A change within a recursion is named once on each way that leads to it."""

    def tree(kind: str) -> dict[str, Any]:
        node = {"type": "object", "properties": {"left": {"$ref": "#/$defs/n"}, "value": {"type": kind}}}
        return {"$ref": "#/$defs/n", "$defs": {"n": node}}

    changes = schema_changes(tree("string"), tree("integer"))
    assert "value: string → integer" in map(str, changes)
    assert len(changes) < MOST


class Open(BaseModel):
    model_config = ConfigDict(extra="forbid")


FIELDS: dict[str, list[Any]] = {
    "a": [(int, ...), (int, Field(ge=2)), (int | None, None), (float, ...)],
    "b": [(Literal["x", "y"], ...), (Literal["x"], ...), (str, ...), (str, Field(max_length=1))],
    "c": [(list[str], ...), (list[str], Field(min_length=1)), (list[int], ...)],
}
VALUES = {"a": [1, 3, None, 1.5], "b": ["x", "y", "zz"], "c": [[], ["p"], [1]]}
MODELS = st.fixed_dictionaries({name: st.sampled_from(kinds) for name, kinds in FIELDS.items()})
ANSWERS = st.fixed_dictionaries({}, optional={name: st.sampled_from(values) for name, values in VALUES.items()})


@given(MODELS, MODELS, ANSWERS)
def test_an_answer_that_fits_one_schema_alone_has_a_change(before: Any, after: Any, answer: dict[str, Any]) -> None:
    """No answer is let through, or refused, without a change that says so."""
    models = [create_model("M", __base__=Open, **fields) for fields in (before, after)]
    was, now = (Contract(model).check(answer).ok for model in models)
    effects = {change.effect for change in schema_changes(*(model.model_json_schema() for model in models))}
    if now and not was:
        assert effects & {Effect.WIDER, Effect.OTHER}
    if was and not now:
        assert effects & {Effect.NARROWER, Effect.OTHER}


def _grown(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Schemas made of these: objects, lists, unions, and demands that hold together."""
    several = st.lists(inner, min_size=1, max_size=2)
    objects = st.fixed_dictionaries(
        {},
        optional={
            "properties": st.fixed_dictionaries({}, optional={"a": inner, "b": inner}),
            "required": st.sampled_from([["a"], ["a", "b"]]),
            "additionalProperties": st.booleans() | inner,
            "patternProperties": st.fixed_dictionaries({"^a": inner}),
            "propertyNames": inner,
            "anyOf": several,
        },
    )
    lists = st.fixed_dictionaries({}, optional={"items": inner | st.booleans(), "prefixItems": several})
    return objects | lists | st.fixed_dictionaries({"anyOf": several}) | st.fixed_dictionaries({"allOf": several})


LEAVES = st.sampled_from(
    [{}, {"type": "integer"}, {"type": ["integer", "null"]}, {"minimum": 2}, {"enum": [1, "b"]}, {"$ref": "#/$defs/d"}]
)
NODES = st.recursive(LEAVES, _grown, max_leaves=4)
SCHEMAS = st.builds(lambda node, d: {**node, "$defs": {"d": d}}, NODES, NODES)
JSON = st.recursive(
    st.sampled_from([None, 1, 3, "b"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("abc"), inner, max_size=2),
    max_leaves=4,
)


@given(SCHEMAS, SCHEMAS, JSON)
def test_a_value_that_fits_one_schema_alone_has_a_change(before: Any, after: Any, value: Any) -> None:
    """Also for keywords that no model makes, and for references whose definition alone has changed.

    One exception: a field that is new in an open object may refuse a value that nothing described before.
    """
    from jsonschema_rs import validator_for

    was, now = (validator_for(schema).is_valid(value) for schema in (before, after))
    found = schema_changes(before, after)
    effects = {change.effect for change in found}
    if now and not was:
        assert effects & {Effect.WIDER, Effect.OTHER}
    if was and not now:
        assert effects & {Effect.NARROWER, Effect.OTHER} or any(c.what == "new in the schema" for c in found)
    assert schema_changes(before, before) == ()


@in_one_item
@pytest.mark.parametrize("kind", ["list[Item] | None", "tuple[Item, int]", "dict[str, Item]", "Item | None"])
def test_a_definition_that_changed_is_seen_through_every_container(kind: str) -> None:
    """The containers themselves are equal on both sides: they refer to the definition by its name."""
    models = [create_model("Item", a=(field, ...)) for field in (int, str)]
    before, after = (create_model("M", x=(eval(kind, {"Item": item}), ...)).model_json_schema() for item in models)
    assert [change.what for change in schema_changes(before, after)] == ["integer → string"]


def _nested(leaf: dict[str, Any], depth: int) -> dict[str, Any]:
    return leaf if depth == 0 else {"items": _nested(leaf, depth - 1)}


def _doubled(leaf: str) -> dict[str, Any]:
    unions = {f"d{n}": {"anyOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(30)}
    return {"$ref": "#/$defs/d0", "$defs": {**unions, "d30": {"type": leaf}}}


@in_one_item
@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ({"anyOf": [{"$ref": "#"}]}, {"anyOf": [{"$ref": "#"}, {"type": "string"}]}, "string is allowed, too"),
        (_doubled("string"), _doubled("integer"), "integer is allowed, too"),
        (_nested({"type": "string"}, 400), _nested({"type": "integer"}, 400), "the schemas are nested too deep"),
        ({"required": None}, {"required": [{}, "a"]}, "a: required now"),
        ({"enum": [*range(40_000)]}, {"enum": [*range(1, 40_000)]}, "0 no longer allowed"),
    ],
)
def test_a_hostile_schema_is_compared_or_named(before: Any, after: Any, said: str) -> None:
    """A cassette of a pull request may hold any tool: itself as an alternative, unions that double, wrong types."""
    with no_hang():
        assert any(str(change).startswith(said) for change in schema_changes(before, after))


def test_a_comparison_that_ends_early_says_so() -> None:
    """Else a change behind thousands of places would pass as none."""
    wide = {f"f{n}": {"type": "string"} for n in range(20_001)}
    changes = schema_changes(
        {"properties": {f: {"$ref": "#/$defs/s"} for f in wide}, "$defs": {"s": {"type": "string"}}},
        {"properties": {f: {"$ref": "#/$defs/s"} for f in wide}, "$defs": {"s": {"type": "string"}, "t": {}}},
    )
    assert [(change.what, change.effect) for change in changes] == [(NOT_ALL, Effect.OTHER)]
