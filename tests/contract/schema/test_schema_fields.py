"""A constraint on a field that the schema cannot have is an error where it is defined; one that it may have is none."""

from __future__ import annotations

import warnings
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import AliasChoices, BaseModel, ConfigDict, Field, create_model

from pytest_planguard import Contract, distinct, min_length, non_empty
from pytest_planguard.contract.schema.schema_fields import missing_field
from pytest_planguard.document.path_pattern import parse_path
from pytest_planguard.errors import PlanguardWarning, UsageError

from ...support.one_item import in_one_item


class Step(BaseModel):
    """An inner model."""

    text: str
    next: Step | None = None


class Cat(BaseModel):
    """One of two alternatives."""

    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    """The other one."""

    kind: Literal["dog"]
    tricks: list[str]


class Ticket(BaseModel):
    """A model with what fields may be."""

    title: str
    steps: list[Step]
    labels: dict[str, str] = {}
    anything: Any = None
    pet: Annotated[Cat | Dog, Field(discriminator="kind")] | None = None
    amount: float = Field(0, alias="Amount")


POSSIBLE = [
    "",
    "title",
    "steps",
    "steps[*].text",
    "steps[0].next.next.text",
    "labels.colour",
    "labels.*",
    "anything.at[0].all",
    "pet.lives",
    "pet.tricks[*]",
    "Amount",
    "title[*]",
]
IMPOSSIBLE = {
    "stepz": "Did you mean 'steps'? Its fields: title, steps, labels, anything, pet, Amount",
    "steps[*].txt": "Did you mean 'text'? Its fields: text, next",
    "steps[*].next.next.texts": "Did you mean 'text'? Its fields: text, next",
    "pet.trick": "Did you mean 'tricks'? Its fields: kind, lives, tricks",
    "amount": "Did you mean 'Amount'? Its fields: title, steps, labels, anything, pet, Amount",
    "zzz": "Its fields: title, steps, labels, anything, pet, Amount",
}


@in_one_item
@pytest.mark.parametrize("field", POSSIBLE)
def test_a_field_that_an_answer_may_have_is_taken(field: str) -> None:
    """By names, references to itself, alternatives, dicts, and what may be anything."""
    Contract(Ticket, constraints=[non_empty(field)])


@pytest.mark.parametrize(("field", "said"), IMPOSSIBLE.items(), ids=IMPOSSIBLE)
def test_a_field_that_no_answer_has_is_an_error(field: str, said: str) -> None:
    """Also in a model that passes over what it does not know, which is pydantic's default."""
    with pytest.raises(UsageError) as error:
        Contract(Ticket, constraints=[distinct("steps"), non_empty(field)])
    name = field.rpartition(".")[2]
    assert str(error.value) == f"Ticket has no field {name!r}: got the constraint non_empty on {field!r}. {said}"


def test_models_that_take_further_or_other_names_are_left_alone() -> None:
    """`extra="allow"`, names beside aliases, and choices of aliases."""

    class Open(BaseModel):
        model_config = ConfigDict(extra="allow")
        title: str

    class Both(BaseModel):
        model_config = ConfigDict(populate_by_name=True)
        title: str = Field(alias="Title")

    class Choices(BaseModel):
        title: str = Field(validation_alias=AliasChoices("Title", "title"))

    for model, field in ((Open, "other"), (Both, "title"), (Choices, "title")):
        Contract(model, constraints=[min_length(field, 3)])


def test_a_json_schema_is_open_unless_it_says_otherwise() -> None:
    """A near name is a warning, any other name is nothing; a closed object is an error."""
    pytest.importorskip("jsonschema_rs")
    schema = {"title": "T", "type": "object", "properties": {"steps": {"type": "array"}}}
    with pytest.warns(PlanguardWarning) as seen:
        Contract(schema, constraints=[distinct("stepz")])
    assert str(seen[0].message) == (
        "T has no field 'stepz': got the constraint distinct on 'stepz'. Did you mean 'steps'?"
    )
    assert seen[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Contract(schema, constraints=[distinct("other")])
    with pytest.raises(UsageError, match=r"^T has no field 'stepz'"):
        Contract({**schema, "additionalProperties": False}, constraints=[distinct("stepz")])


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"rules": [distinct("steps")]}, "a contract's rules must be functions that take (data, document) "),
        ({"rules": [distinct("steps")]}, "; pass it as constraints=[…]"),
        ({"rules": [3]}, "got 3; pass functions"),
        ({"rules": distinct("steps")}, "a contract's rules must be a list: got ContentConstraint("),
        ({"constraints": distinct("steps")}, "a contract's constraints must be a list: got ContentConstraint("),
        ({"constraints": "steps"}, "a contract's constraints must be a list: got 'steps'; write constraints=[…]"),
    ],
)
def test_what_is_in_the_wrong_place_is_told_where_it_is_defined(wrong: Any, said: str) -> None:
    """A constraint among the rules, one constraint instead of a list."""
    with pytest.raises(UsageError) as error:
        Contract(Ticket, **wrong)
    assert said in str(error.value)


NAMED = {"properties": {"a": {"type": "string"}}}
OPEN, CLOSED = (("a",), False), (("a",), True)


def nested(depth: int) -> dict[str, Any]:
    """Return the schema as the only alternative of the only alternative, and so on."""
    return {"anyOf": [nested(depth - 1)]} if depth else NAMED


FURTHER: dict[str, tuple[dict[str, Any], str, bool, tuple[tuple[str, ...], bool] | None]] = {
    "a name that is there": (NAMED, "a", True, None),
    "another name": (NAMED, "b", False, OPEN),
    "another name of a model": (NAMED, "b", True, CLOSED),
    "another name, forbidden": ({**NAMED, "additionalProperties": False}, "b", False, CLOSED),
    "another name, allowed": ({**NAMED, "additionalProperties": True}, "b", True, OPEN),
    "another name, of any schema": ({**NAMED, "additionalProperties": {}}, "b", True, OPEN),
    "another name, of a schema": ({**NAMED, "additionalProperties": {"type": "string"}}, "b", True, None),
    "another name, by a pattern": ({**NAMED, "patternProperties": {"^b": {}}}, "b", True, None),
    "another name, by another pattern": ({**NAMED, "patternProperties": {"^c": {}}}, "b", True, CLOSED),
    "no names": ({"type": "object"}, "b", True, None),
    "a text": ({"type": "string"}, "b", True, None),
    "an item of a list": ({"items": NAMED}, "[*].b", True, CLOSED),
    "an item of a list without a schema": ({"type": "array"}, "[*].b", True, None),
    "a numbered item": ({"items": NAMED}, "[0].b", False, OPEN),
    "one of two": ({"anyOf": [NAMED, {"properties": {"b": {}}}]}, "b", True, None),
    "none of two": ({"oneOf": [NAMED, NAMED]}, "b", True, CLOSED),
    "none of two, one of them open": ({"oneOf": [NAMED, {**NAMED, "additionalProperties": True}]}, "b", True, OPEN),
    "all of two": ({"allOf": [{"properties": {"c": {}}}], **NAMED}, "c", True, None),
    "a reference": ({"$ref": "#/$defs/T~1U", "$defs": {"T/U": NAMED}}, "b", True, CLOSED),
    "a reference with a tilde": ({"$ref": "#/$defs/T~0U", "$defs": {"T~U": NAMED}}, "b", True, CLOSED),
    "a reference with both": ({"$ref": "#/$defs/T~01U", "$defs": {"T~1U": NAMED}}, "b", True, CLOSED),
    "a reference to the root": ({"$ref": "#", **NAMED}, "b", True, None),
    "a reference that is no text": ({"$ref": 5, **NAMED}, "b", True, CLOSED),
    "a reference through what is no object": ({"$ref": "#/$defs/T", "$defs": []}, "b", True, None),
    "a text of a model": ({"properties": {"a": {"type": "string"}}}, "a.b", True, None),
    "a list of texts": ({"items": {"type": "string"}}, "[*].b", True, None),
    "a list of no schema": ({"items": True}, "[*].b", True, None),
    "the items of a closed object": ({**NAMED, "additionalProperties": False}, "[*].b", True, None),
    "the items of a text": ({"properties": {"a": {"type": "string"}}}, "a[*].b", True, None),
    "an item of what is no list": (NAMED, "[*].b", True, None),
    "a numbered item of a pointer": ({"items": NAMED}, "/0/b", True, CLOSED),
    "a name that is there twice": ({"anyOf": [NAMED, {**NAMED, "type": "object"}]}, "b", True, CLOSED),
    "a closed object of no names": ({"type": "object", "additionalProperties": False}, "b", True, None),
    "an open object of no names": ({"additionalProperties": {"type": "string"}}, "b", True, None),
    "fifty alternatives within each other": (nested(50), "b", True, CLOSED),
    "fifty-one alternatives within each other": (nested(51), "b", True, None),
    "a reference to nowhere": ({"$ref": "#/$defs/X"}, "b", True, None),
    "a reference to elsewhere": ({"$ref": "other.json"}, "b", True, None),
    "a reference to itself": ({"$ref": "#"}, "b", True, None),
    "every value of an object": (NAMED, "*.b", True, None),
}


@in_one_item
@pytest.mark.parametrize("name", FURTHER)
def test_what_a_schema_knows_of_a_step(name: str) -> None:
    """Which names are there, and whether there can be no others; None where anything may be."""
    schema, path, closed, expected = FURTHER[name]
    found = missing_field(schema, parse_path(path).steps, closed=closed)
    assert (None if found is None else (found.known, found.closed)) == expected
    assert found is None or found.step == "b"


SCHEMAS = st.recursive(
    st.sampled_from([True, False, {}, {"type": "string"}, {"$ref": "#"}, {"$ref": "#/x"}, {"$ref": "other"}, None, 3]),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "properties": st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
            "items": inner,
            "anyOf": st.lists(inner, max_size=2),
            "additionalProperties": inner,
        },
    ),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(["properties", "items", "anyOf"]), SCHEMAS, max_size=2), st.booleans())
def test_any_schema_is_read(schema: dict[str, Any], closed: bool) -> None:
    """Also one that refers to itself, or is none."""
    lacking = missing_field(_sound(schema), parse_path("a[*].b").steps, closed=closed)
    assert lacking is None or lacking.step in ("a", "b")


def _sound(schema: dict[str, Any]) -> dict[str, Any]:
    """The same with containers of the right type at the root; deeper ones are as they come."""
    return {
        "properties": {"a": schema.get("properties", {})},
        "items": schema.get("items", {}),
        "anyOf": [schema.get("anyOf", {})],
    }


def test_constraints_on_a_model_that_is_not_finished_are_taken() -> None:
    """Which fields it has is not known yet: the first check says what is undefined."""
    unfinished = create_model("Unfinished", part=("NotYet", ...))
    contract = Contract(unfinished, constraints=[non_empty("odd")])
    with pytest.raises(UsageError, match="NotYet"):
        contract.check('{"part": 1}')
