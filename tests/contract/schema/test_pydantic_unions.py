"""Which member of an untagged union a value was meant to be."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from pytest_planguard.contract import Contract


class Cat(BaseModel):
    kind: Literal["cat"]
    name: str
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]
    name: str
    tricks: list[str]


class Circle(BaseModel):
    radius: float
    label: str


class Square(BaseModel):
    side: float
    label: str


class Group(BaseModel):
    members: list[Cat | Dog]


def _found(schema: Any, data: Any) -> list[tuple[str, tuple[Any, ...], str]]:
    return [(item.code, item.path, item.message) for item in Contract(schema).check(data).errors]


def test_the_constant_tells_the_member() -> None:
    """Of two models the one whose constant fits is meant; the other's errors are noise."""
    assert _found(Cat | Dog, {"kind": "dog", "name": "Rex", "tricks": [1]}) == [
        ("type", ("tricks", 0), "expected a string; got 1")
    ]


def test_the_keys_tell_the_member() -> None:
    """Without a constant, the model whose keys are there is meant."""
    assert _found(Circle | Square, {"side": "x", "label": "l"}) == [("type", ("side",), 'expected a number; got "x"')]


def test_a_union_inside_a_union() -> None:
    """Inner unions are resolved inside the chosen member."""
    assert _found(Group | list[int], {"members": [{"kind": "cat", "name": "x", "lives": "nine"}]}) == [
        ("type", ("members", 0, "lives"), 'expected an integer; got "nine"')
    ]


def test_where_no_member_takes_the_type_one_finding_names_them_all() -> None:
    """A value of a type that no member takes is one finding, not one for each member."""
    assert _found(int | list[str], {"a": 1}) == [("type", (), 'expected an integer or a list; got {"a": 1}')]
    assert _found(Literal["auto"] | int, '"aut"') == [("enum", (), 'expected "auto" or an integer; got "aut"')]
    assert _found(int | Literal["never"], '"nev"') == [("enum", (), 'expected an integer or "never"; got "nev"')]


def test_every_element_is_judged_by_itself() -> None:
    """Two elements of a list of unions may be meant as different members."""
    data = {"members": [{"kind": "cat", "name": "x"}, {"kind": "dog", "name": "y"}]}
    assert [path for _, path, _ in _found(Group, data)] == [("members", 0, "lives"), ("members", 1, "tricks")]


def test_an_unknown_constant_tells_no_member() -> None:
    """A cow is neither a cat nor a dog: the feedback names both constants, and no key of the one or the other."""
    cow, expected = {"kind": "cow", "name": "x"}, ["cat", "dog"]
    for schema in (Cat | Dog | None, TypeAdapter(Cat | Dog).json_schema()):
        (found,) = Contract(schema).check(cow).errors
        assert (found.code, found.path, sorted(found.allowed)) == ("enum", ("kind",), expected)
        assert found.message == 'expected one of "cat", "dog"; got "cow"'
    (found,) = Contract(list[Cat | Dog]).check([{"kind": "cog"}]).errors
    assert (found.path, found.hint) == ((0, "kind"), 'did you mean "dog"?')


class Asleep(BaseModel):
    type: Literal["cat"]
    status: Literal["asleep", "awake"]
    name: str


class Sitting(BaseModel):
    type: Literal["dog"]
    status: Literal["sit", "run"]
    name: str


def test_a_choice_that_differs_is_no_tag_beside_a_tag_that_fits() -> None:
    """A cat may not sit, and its name is missing."""
    for schema in (Asleep | Sitting, TypeAdapter(Asleep | Sitting).json_schema()):
        found = Contract(schema).check({"type": "cat", "status": "sleeping"}).errors
        assert {(one.path, one.allowed) for one in found} == {(("status",), ("asleep", "awake")), (("name",), ())}
        (unknown,) = Contract(schema).check({"type": "cow", "status": "sleeping"}).errors
        assert (unknown.path, unknown.allowed) == (("type",), ("cat", "dog"))


@pytest.mark.parametrize("schema", [Cat | Dog, Dog | Cat])
def test_the_order_of_members_does_not_decide(schema: Any) -> None:
    """The choice depends on the value, not on how the union is written."""
    assert _found(schema, {"kind": "cat", "name": "x"}) == [("missing", ("lives",), "required, missing")]


class Long(BaseModel):
    name: str = Field(min_length=3)
    code: str = Field(min_length=3)
    note: str = Field(min_length=3)
    key: str = Field(min_length=3)


class Lacking(BaseModel):
    name: str
    code: str
    note: str
    other: str


@pytest.mark.parametrize("schema", [Long | Lacking, Lacking | Long])
def test_keys_tell_more_than_any_number_of_broken_rules(schema: Any) -> None:
    """Four texts are too short for one member; the other one lacks one key only."""
    verdict = Contract(schema).check('{"name": "a", "code": "a", "note": "a", "key": "a"}')
    assert [(item.code, item.path) for item in verdict.findings] == [
        ("length", ("name",)),
        ("length", ("code",)),
        ("length", ("note",)),
        ("length", ("key",)),
    ]


class Lacks(BaseModel):
    other: int


class Bare(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Numbered(BaseModel):
    a: int
    b: int


@pytest.mark.parametrize(
    ("one", "other", "data", "codes"),
    [
        (Lacks, Bare, {"a": "x"}, ["extra"]),
        (Lacks, Bare, {"a": "x", "b": "y"}, ["missing"]),
        (Lacks, Numbered, {"a": "x", "b": "y"}, ["type", "type"]),
        (Bare, Numbered, {"a": "x", "b": "y"}, ["type", "type"]),
        (Bare, Cat, {"kind": "dog", "name": "x", "lives": 1}, ["extra", "extra", "extra"]),
        (Dog, Cat, {"kind": "cow", "name": "x", "lives": 1}, ["enum"]),
    ],
)
def test_which_member_fits_best(one: Any, other: Any, data: Any, codes: list[str]) -> None:
    """Wrong values count least, then keys too many, then keys too few, then constants; the order does not count."""
    assert [code for code, *_ in _found(one | other, data)] == codes
    assert [code for code, *_ in _found(other | one, data)] == codes


def test_the_model_of_the_error_owns_its_field() -> None:
    """Both models have a name; feedback in the style `compact` says which of them is meant."""
    (found,) = Contract(Cat | Dog).check({"kind": "dog", "name": 5, "tricks": []}).errors
    assert (found.path, found.owner) == (("name",), "Dog")
