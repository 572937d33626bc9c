"""What of a pydantic type is sound by itself: by each kind of type, and by what code of the user's looks at."""

from __future__ import annotations

import dataclasses
import json
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Generic, Literal, TypeVar

import pydantic.dataclasses
import pytest
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    HttpUrl,
    RootModel,
    ValidationInfo,
    computed_field,
    field_serializer,
    field_validator,
    model_validator,
)
from typing_extensions import NotRequired, TypedDict  # noqa: UP035 - pydantic wants it before Python 3.12

from pytest_planguard import Contract, custom
from pytest_planguard.contract.own_checks import HOLE
from pytest_planguard.contract.schema.pydantic_schema import PydanticCheck
from pytest_planguard.contract.schema.schema import to_json_text

from ...support.one_item import in_one_item

T = TypeVar("T")


def sound(schema: Any, answer: Any) -> Any:
    """What of an answer is sound."""
    check = PydanticCheck(schema, strict=False)
    text = to_json_text(answer)
    _, found = check.validate(answer, text)
    assert found
    return check.sound(answer, text, found)


class Leaf(BaseModel):
    """Two fields."""

    n: int
    m: int = 0


class Two(BaseModel):
    """The shape of most cases."""

    leaf: Leaf
    x: int


class Tree(BaseModel):
    """Refers to itself."""

    n: int
    below: list[Tree] = []


class Either(BaseModel):
    """A union is sound as a whole, also if one of its models refers to itself."""

    one: Tree | int
    tree: Tree


class Generically(BaseModel, Generic[T]):
    """With a parameter."""

    of: T
    x: int


class Named(TypedDict):
    """One member may be absent."""

    a: int
    b: NotRequired[int]


@dataclasses.dataclass
class Data:
    """A dataclass of the standard library."""

    a: int
    b: int = 3


@pydantic.dataclasses.dataclass(frozen=True)
class Frozen:
    """A dataclass of pydantic."""

    a: int
    b: int = 3


class Holding(BaseModel):
    """Other kinds of objects."""

    named: Named
    data: Data
    numbers: dict[str, int]


class Root(RootModel[list[Leaf]]):
    """A list as the whole."""


class Strips(BaseModel):
    """Settings of the model hold for each field."""

    model_config = ConfigDict(str_strip_whitespace=True)
    a: str
    b: int


class Validated(BaseModel):
    """Functions that look at one value each."""

    a: Annotated[int, AfterValidator(lambda value: value + 1)]
    b: Annotated[int, BeforeValidator(lambda value: value if isinstance(value, int) else "no")]
    c: int = 0

    @field_validator("c")
    @classmethod
    def doubled(cls, value: int) -> int:
        """Of one field."""
        return 2 * value


OPENED: dict[str, tuple[Any, Any, Any]] = {
    "a field": (Two, {"leaf": {"n": "?"}, "x": "7"}, {"leaf": {"n": HOLE, "m": 0}, "x": 7}),
    "a missing field": (Two, {"leaf": {}, "x": 1}, {"leaf": {"n": HOLE, "m": 0}, "x": 1}),
    "a missing model": (Two, {"x": 1}, {"leaf": HOLE, "x": 1}),
    "a field with a default": (Two, {"leaf": {"n": 1, "m": "?"}, "x": 1}, {"leaf": {"n": 1, "m": HOLE}, "x": 1}),
    "a tree": (
        Tree,
        {"n": 1, "below": [{"n": "?"}, {"n": 2, "below": [3]}]},
        {"n": 1, "below": [{"n": HOLE, "below": []}, {"n": 2, "below": [HOLE]}]},
    ),
    "a union": (
        Either,
        {"one": {"n": "?", "below": []}, "tree": {"n": "?"}},
        {"one": HOLE, "tree": {"n": HOLE, "below": []}},
    ),
    "a union that is sound": (
        Either,
        {"one": {"n": 1}, "tree": {"n": "?"}},
        {"one": {"n": 1, "below": []}, "tree": {"n": HOLE, "below": []}},
    ),
    "a parameter": (Generically[Leaf], {"of": {"n": "?"}, "x": 1}, {"of": {"n": HOLE, "m": 0}, "x": 1}),
    "a list": (list[Leaf], [{"n": 1}, 7], [{"n": 1, "m": 0}, HOLE]),
    "a root model": (Root, [{"n": 1}, {}], [{"n": 1, "m": 0}, {"n": HOLE, "m": 0}]),
    "other objects": (
        Holding,
        {"named": {"a": "?"}, "data": {"a": "?"}, "numbers": {"x": 1, "y": "?"}},
        {"named": {"a": HOLE}, "data": {"a": HOLE, "b": 3}, "numbers": {"x": 1, "y": HOLE}},
    ),
    "a dataclass of pydantic": (Generically[Frozen], {"of": {"a": "?"}, "x": 1}, {"of": {"a": HOLE, "b": 3}, "x": 1}),
    "settings": (Strips, {"a": " x ", "b": "?"}, {"a": "x", "b": HOLE}),
    "validators of a field": (Validated, {"a": 1, "b": "?", "c": 2}, {"a": 2, "b": HOLE, "c": 4}),
    "a field that fails": (Validated, {"a": "?", "b": 1}, {"a": HOLE, "b": 1, "c": 0}),
}


class After(Two):
    """Looks at the whole model."""

    @model_validator(mode="after")
    def whole(self) -> After:
        """Would see a hole."""
        return self


class Before(Two):
    """Looks at what was written."""

    @model_validator(mode="before")
    @classmethod
    def whole(cls, data: Any) -> Any:
        """May move one field's value to another."""
        return data


class Beside(Two):
    """Looks at an earlier field."""

    y: int = 0

    @field_validator("y")
    @classmethod
    def beside(cls, value: int, info: ValidationInfo) -> int:
        """Adds it."""
        return value + (0 if "x" in info.data else 1)


class Computed(Two):
    """A field made of others."""

    @computed_field
    def twice(self) -> bool:
        """Would see a hole."""
        return isinstance(self.x, int)


class Serialized(Two):
    """Written by a method that sees the model."""

    @field_serializer("leaf")
    def written(self, _: Any) -> bool:
        """Would see a hole."""
        return isinstance(self.x, int)


class Posted(Two):
    """Does something when it is made."""

    def model_post_init(self, _: Any) -> None:
        """Would see a hole."""
        self.leaf = Leaf(n=int(isinstance(self.x, int)))


class Made(Two):
    """Makes itself."""

    def __init__(self, **data: Any) -> None:
        super().__init__(**data)


class Linked(BaseModel):
    """A link is written by a function of pydantic's, which does not take a hole."""

    link: HttpUrl
    x: int


WHOLE = {
    "a validator after": (After, {"leaf": {"n": 1}, "x": "?"}),
    "a validator before": (Before, {"leaf": {"n": 1}, "x": "?"}),
    "a validator beside": (Beside, {"leaf": {"n": 1}, "x": "?"}),
    "a computed field": (Computed, {"leaf": {"n": 1}, "x": "?"}),
    "a serializer": (Serialized, {"leaf": {"n": 1}, "x": "?"}),
    "a method after": (Posted, {"leaf": {"n": 1}, "x": "?"}),
    "a constructor": (Made, {"leaf": {"n": 1}, "x": "?"}),
    "a wrong root": (Two, 7),
}


@in_one_item
@pytest.mark.parametrize(("schema", "answer", "expected"), OPENED.values(), ids=OPENED)
def test_each_part_is_validated_by_itself(schema: Any, answer: Any, expected: Any) -> None:
    """As in a good answer: numbers are numbers, defaults are there, the type's own validators are asked."""
    seen = sound(schema, answer)
    assert shown(seen) == shown(expected)


@pytest.mark.parametrize(("schema", "answer"), WHOLE.values(), ids=WHOLE)
def test_code_that_looks_at_several_fields_makes_a_model_whole(schema: Any, answer: Any) -> None:
    """Nothing of it is sound then, and what stands beside it is."""
    assert sound(schema, answer) is HOLE
    beside = sound(Generically[schema], {"of": answer, "x": 1})
    assert shown(beside) in (shown({"of": HOLE, "x": 1}), shown(HOLE))


def test_a_function_that_does_not_take_a_hole_ends_nothing() -> None:
    """Pydantic writes links by a function, in some versions."""
    assert shown(sound(Linked, {"link": "?", "x": 1})) in ("HOLE", {"link": "HOLE", "x": 1})


def shown(value: Any) -> Any:
    """The same with a text in the place of each hole, which cannot be compared."""
    if value is HOLE:
        return "HOLE"
    if isinstance(value, dict):
        return {key: shown(inner) for key, inner in value.items()}
    return [shown(inner) for inner in value] if isinstance(value, list) else value


class Advert(BaseModel):
    """A choice, and two numbers that belong together."""

    town: Annotated[str, Field(pattern="^(Bern|Basel)$")]
    low: int
    high: int


def test_a_rule_across_fields_is_asked_while_another_field_is_wrong() -> None:
    """One answer with both faults gets both findings, so that both are fed back and followed."""
    inverted = custom("", lambda advert: "the pay is inverted" if advert["low"] > advert["high"] else None, name="pay")
    contract = Contract(Advert, constraints=[inverted])
    found = contract.check('{"town": "Rome", "low": 9, "high": 5}').errors
    assert [(finding.code, finding.message) for finding in found][1:] == [("pay", "the pay is inverted")]
    assert [finding.code for finding in contract.check('{"town": "Rome", "low": "?", "high": 5}').errors] == [
        "format",
        "type",
    ]


class Tagged(BaseModel):
    """A default that a check would judge."""

    name: str
    tags: list[str] = []


@pytest.mark.parametrize("answer", ['{"data": {"name": "a", "tags": ["x"]}}', "[]", '"{\\"name\\": \\"a\\"}"'])
@pytest.mark.parametrize("schema", [Tagged, Tagged.model_json_schema()], ids=["model", "schema"])
def test_nothing_is_sound_of_an_answer_that_is_wrong_as_a_whole(schema: Any, answer: str) -> None:
    """One key too deep, its tags are there: a check would judge the default."""
    some = custom("", lambda data: None if data.get("tags") else "no tags", name="some")
    found = Contract(schema, constraints=[some]).check(answer).errors
    assert found
    assert "some" not in {finding.code for finding in found}


class Bill(BaseModel):
    """Values that JSON spells as something else."""

    model_config = ConfigDict(extra="forbid")
    total: Decimal
    due: date
    n: int


@in_one_item
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"total": 0.5, "due": "2026-01-31", "n": "x"}, {"due"}),
        ({"total": 0.5, "due": "2026-01-31", "n": 1, "z": 1}, {"due", "n"}),
        ({"total": 0.5, "due": "2026-02-30", "n": 1}, {"n"}),
        ({"due": "2026-01-31", "n": 1}, {"due", "n"}),
    ],
)
def test_a_strict_contract_has_the_same_sound_parts(strict: bool, answer: dict[str, Any], said: set[str]) -> None:
    """A function of pydantic's gets each part as a Python value, of which a strict date takes no text."""
    checks = [custom("", lambda bill, name=name: f"{name} is {bill[name]}", name=name) for name in ("due", "n")]
    found = Contract(Bill, strict=strict, constraints=checks).check(json.dumps(answer)).errors
    assert {finding.code for finding in found if finding.path == ()} == said


def test_what_only_a_lax_contract_converts_is_a_hole_of_a_strict_one() -> None:
    """The text "1" for an integer is a finding, so a check does not read it."""
    check = custom("", lambda bill: f"n is {bill['n']}", name="n_is")
    answer = '{"total": "x", "due": "2026-01-31", "n": "1"}'
    lax, strict = (Contract(Bill, strict=strict, constraints=[check]).check(answer).errors for strict in (False, True))
    assert [finding.code for finding in lax] == ["type", "n_is"]
    assert [finding.code for finding in strict] == ["type", "type"]


def test_no_item_of_a_strict_set_is_sound_if_one_is_not() -> None:
    """The index of a finding is that of the list in the answer, and a set has another order: 7 would pass as sound."""
    check = custom("", lambda numbers: f"has {numbers[2]}", name="has")
    strict = Contract(set[int], strict=True, constraints=[check])
    assert [finding.code for finding in strict.check('["7", 9, 8]').errors] == ["type"]
    assert [finding.code for finding in strict.check("[7, 9, 8]").errors] == ["has"]


class Deep(BaseModel):
    """Its alternatives validate a child twice at each level."""

    kind: Literal["a"]
    child: Deep | Deeper | None = None


class Deeper(BaseModel):
    """The other one."""

    kind: Literal["b"]
    child: Deep | Deeper | None = None


def test_a_costly_union_has_no_sound_parts() -> None:
    """Not even an empty one, which a check would judge."""
    check = PydanticCheck(Deep | Deeper, strict=False)
    answer = {"kind": "a", "child": {"kind": "a", "child": {"kind": "c"}}}
    assert check.sound(answer, json.dumps(answer), []) is HOLE
