"""Schemas compared: each change at its place, with what it does to the answers that fit."""

from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, create_model

from pytest_planguard import Contract
from pytest_planguard.runs.gate.schema_changes import MOST, Effect, schema_changes

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
