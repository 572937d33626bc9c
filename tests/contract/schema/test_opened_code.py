"""Which of the user's code makes the parts of a pydantic type unsound: that of the type itself, not that below it."""

from __future__ import annotations

import dataclasses
import json
from typing import Annotated, Any, Generic, TypeVar

import pytest
from pydantic import VERSION, AfterValidator, BaseModel, ConfigDict, Field, ValidationInfo, field_serializer
from typing_extensions import TypedDict

from pytest_planguard.contract.own_checks import HOLE
from pytest_planguard.contract.schema.pydantic_schema import PydanticCheck

from ...support.one_item import in_one_item
from .test_opened import Deep, Deeper

T = TypeVar("T")


def _looked(value: int, _: ValidationInfo) -> int:
    return value


Looking = Annotated[int, AfterValidator(_looked)]
"""A number whose validator may look at the fields before it."""


class Model(BaseModel):
    n: Looking
    m: int = 0


class Words(TypedDict):
    n: Looking
    m: int


@dataclasses.dataclass
class Data:
    n: Looking
    m: int = 0


class Tree(BaseModel):
    n: Looking
    m: int = 0
    below: list[Tree] = []


class Plain(BaseModel):
    n: int
    m: int = 0


class Computed(BaseModel):
    """A default that is made of the fields before it."""

    n: int
    m: int = Field(default_factory=lambda data: data["n"])


class Written(BaseModel):
    """A field that a method of the model writes."""

    n: int
    m: int = 0

    @field_serializer("m")
    def written(self, value: int) -> int:
        """Could look at the other one."""
        return value


class Beside(BaseModel, Generic[T]):
    of: T
    x: int


def sound(schema: Any, answer: Any) -> Any:
    """What of an answer is sound, with a text for each hole."""
    check = PydanticCheck(schema, strict=False)
    text = json.dumps(answer)
    found = check.validate(answer, text)[1]
    assert found
    return _shown(check.sound(answer, text, found))


def _shown(value: Any) -> Any:
    if value is HOLE:
        return "HOLE"
    return {key: _shown(inner) for key, inner in value.items()} if isinstance(value, dict) else value


NESTED = {
    "a model": (Model, {"n": 1, "m": 2}),
    "a typed dict": (Words, {"n": 1, "m": 2}),
    "a dataclass": (Data, {"n": 1, "m": 2}),
    "a model that refers to itself": (Tree, {"n": 1, "m": 2, "below": []}),
    "a plain model": (Plain, {"n": 1, "m": 2}),
}


@pytest.mark.parametrize("name", NESTED)
def test_code_of_a_type_below_leaves_what_is_around_it_sound(name: str) -> None:
    """It sees the fields of its own type, each of which is whole there."""
    schema, value = NESTED[name]
    assert sound(Beside[schema], {"of": value, "x": "?"}) == {"of": value, "x": "HOLE"}
    assert sound(Beside[list[schema]], {"of": [value], "x": "?"}) == {"of": [value], "x": "HOLE"}


@pytest.mark.parametrize("name", NESTED)
def test_code_that_looks_around_makes_its_own_type_unsound(name: str) -> None:
    """Its other fields might be holes."""
    schema, value = NESTED[name]
    whole = {**value, "n": "HOLE", "m": 2} if schema is Plain else "HOLE"
    assert sound(Beside[schema], {"of": {**value, "n": "?"}, "x": 1}) == {"of": whole, "x": 1}


SINCE = pytest.mark.skipif(tuple(map(int, VERSION.split(".")[:2])) < (2, 10), reason="no default saw fields before")


@pytest.mark.parametrize("schema", [pytest.param(Computed, marks=SINCE), Written])
def test_a_default_or_a_method_that_sees_other_fields_counts_as_code(schema: Any) -> None:
    """As a validator does."""
    assert sound(Beside[schema], {"of": {"n": "?", "m": 1}, "x": 1}) in ({"of": "HOLE", "x": 1}, "HOLE")


class Ignoring(Plain, extra="ignore"):
    pass


class Allowing(Plain, extra="allow"):
    pass


class Forbidding(Plain, extra="forbid"):
    pass


class Closed(TypedDict):
    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]
    n: int


@in_one_item
@pytest.mark.parametrize(
    ("schema", "answer", "expected"),
    [
        (Plain, {"n": "?", "z": 1}, {"n": "HOLE", "m": 0}),
        (Ignoring, {"n": "?", "z": 1}, {"n": "HOLE", "m": 0}),
        (Allowing, {"n": "?", "z": 1}, {"n": "HOLE", "m": 0, "z": 1}),
        (Forbidding, {"n": "?", "z": 1}, {"n": "HOLE", "m": 0}),
        (Forbidding, {"n": 1, "z": 1}, {"n": 1, "m": 0}),
        (Closed, {"n": 1, "z": 1}, {"n": 1}),
    ],
)
def test_an_extra_key_is_sound_where_the_type_allows_it(schema: Any, answer: Any, expected: Any) -> None:
    """A forbidden one is a finding, and the fields beside it stay sound."""
    assert sound(schema, answer) == expected


def test_what_stands_beside_a_costly_union_is_sound_in_a_flat_answer() -> None:
    """Up to two objects are validated fast."""
    one = {"kind": "a", "child": None}
    assert sound(Beside[Deep | Deeper], {"of": one, "x": "?"}) == {"of": one, "x": "HOLE"}
    assert sound(Beside[Deep | Deeper], {"of": {"kind": "a", "child": one}, "x": "?"}) == "HOLE"
