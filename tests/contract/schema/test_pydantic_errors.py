"""Pydantic's errors as findings."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from pydantic import AnyUrl, BaseModel, ConfigDict, Field, Json, PastDate, UrlConstraints, field_validator

from pytest_planguard.contract import Contract
from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding
from pytest_planguard.contract.phrasing import as_json
from pytest_planguard.contract.schema.pydantic_schema import PydanticCheck
from pytest_planguard.document.path import to_dotted

from ...support.one_item import in_one_item
from .pets import Cat, Dog


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Everything(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str = "x"
    size: int = 1
    share: float = 0.5
    flag: bool = True
    level: Literal["low", "medium", "high"] = "low"
    only: Literal["v1"] = "v1"
    colour: Colour = Colour.RED
    steps: list[str] = Field(["a", "b"], min_length=2, max_length=3)
    code: str = Field("AB", pattern="^[A-Z]+$")
    short: str = Field("ab", min_length=2, max_length=4)
    age: int = Field(1, ge=1, le=9)
    more: float = Field(1, gt=0, lt=10)
    even: int = Field(2, multiple_of=2)
    day: date = date(2026, 1, 1)
    past: PastDate = date(2020, 1, 1)
    price: Decimal = Field(Decimal(1), max_digits=3)
    link: AnyUrl | None = None
    key: UUID | None = None
    nothing: None = None
    inner: dict[str, int] = {}
    text: Json[int] | None = None
    checked: str = "fine"
    raw: bytes = Field(b"ab", min_length=2, max_length=3)
    page: Annotated[AnyUrl, UrlConstraints(max_length=20)] | None = None
    one: str = Field("a", max_length=1)

    @field_validator("checked")
    @classmethod
    def fine(cls, value: str) -> str:
        """Refuse everything but one word."""
        if value != "fine":
            raise ValueError("must be fine.")
        return value


CASES = [
    ({"name": 1}, "type", "expected a string; got 1"),
    ({"size": "two"}, "type", 'expected an integer; got "two"'),
    ({"size": 1.5}, "type", "expected an integer; got 1.5"),
    ({"share": "x"}, "type", 'expected a number; got "x"'),
    ({"flag": "maybe"}, "type", 'expected true or false; got "maybe"'),
    ({"level": "hgih"}, "enum", 'expected one of "low", "medium", "high"; got "hgih"'),
    ({"only": "v2"}, "enum", 'expected "v1"; got "v2"'),
    ({"colour": "green"}, "enum", 'expected one of "red", "blue"; got "green"'),
    ({"steps": ["a"]}, "length", 'expected at least 2 items; got ["a"]'),
    ({"steps": ["a"] * 4}, "length", 'expected at most 3 items; got ["a", "a", "a", "a"]'),
    ({"steps": {}}, "type", "expected a list; got {}"),
    ({"code": "ab"}, "format", 'expected text matching ^[A-Z]+$; got "ab"'),
    ({"short": "a"}, "length", 'expected at least 2 characters; got "a"'),
    ({"short": "abcde"}, "length", 'expected at most 4 characters; got "abcde"'),
    ({"raw": "a"}, "length", 'expected at least 2 bytes; got "a"'),
    ({"raw": "éé"}, "length", 'expected at most 3 bytes; got "éé"'),
    (
        {"page": "https://a.test/a/long/way"},
        "length",
        'expected at most 20 characters; got "https://a.test/a/long/way"',
    ),
    ({"one": "ab"}, "length", 'expected at most 1 character; got "ab"'),
    ({"age": 0}, "range", "expected at least 1; got 0"),
    ({"age": 10}, "range", "expected at most 9; got 10"),
    ({"more": 0}, "range", "expected greater than 0.0; got 0"),
    ({"more": 10}, "range", "expected less than 10.0; got 10"),
    ({"even": 3}, "range", "expected a multiple of 2; got 3"),
    ({"day": "soon"}, "format", 'expected a date (YYYY-MM-DD); got "soon"'),
    ({"past": "2999-01-01"}, "range", 'expected a date in the past; got "2999-01-01"'),
    ({"price": "1.2345"}, "range", 'Decimal input should have no more than 3 digits in total; got "1.2345"'),
    ({"link": "nowhere"}, "format", 'expected a URL; got "nowhere"'),
    ({"key": "x"}, "format", 'expected a UUID; got "x"'),
    ({"nothing": 1}, "type", "expected null; got 1"),
    ({"inner": []}, "type", "expected an object; got []"),
    ({"text": "{"}, "format", 'expected a string of valid JSON; got "{"'),
    ({"checked": "bad"}, "rule", 'must be fine; got "bad"'),
    ({"extra": 1}, "extra", "not allowed here"),
]


def _only(schema: Any, data: Any) -> Finding:
    (found,) = Contract(schema).check(data).errors
    return found


@in_one_item
@pytest.mark.parametrize(
    ("data", "code", "message"), CASES, ids=[f"{next(iter(d))}-{c}-{n}" for n, (d, c, _) in enumerate(CASES)]
)
def test_code_and_words(data: dict[str, Any], code: str, message: str) -> None:
    """Every family of pydantic errors has our code, our kind and the rule in words."""
    found = _only(Everything, data)
    assert (found.code, found.message) == (code, message)
    assert found.actual == as_json(next(iter(data.values())))
    assert found.kind is FailureKind(code)
    assert found.path == (next(iter(data)),)
    assert found.validator_code
    assert found.validator_message


class Plan(BaseModel):
    goal: str
    holistic_profile: str


def test_missing_names_field_and_model_but_no_value() -> None:
    """A missing field names its model and never prints the parent as what was got."""
    found = _only(Plan, {"goal": "g"})
    assert (found.code, found.path, found.message) == ("missing", ("holistic_profile",), "required, missing")
    assert (found.owner, found.actual, found.expected) == ("Plan", None, None)


def test_hints_name_the_nearest() -> None:
    """A misspelt choice or key is answered with the nearest known one."""
    assert _only(Everything, {"level": "hihg"}).hint == 'did you mean "high"?'
    assert _only(Everything, {"nmae": "x"}).hint == 'did you mean "name"?'
    assert _only(Plan, {"goal": "g", "holistic_profil": "x"}).hint == 'there is "holistic_profil"; did you mean that?'
    assert _only(Everything, {"level": "zzz"}).hint is None


def test_all_errors_are_reported() -> None:
    """One check names every error of an answer, not only the first."""
    found = Contract(Plan).check({}).errors
    assert [item.path for item in found] == [("goal",), ("holistic_profile",)]


def test_values_are_clipped_to_60_characters() -> None:
    """An offending value is quoted once and clipped, so feedback cannot blow up."""
    found = _only(Everything, {"size": "x" * 10_000})
    assert found.actual is not None
    assert len(found.actual) == 60
    assert found.actual.endswith("…")
    assert _only(Everything, {"size": list(range(100_000))}).actual == "[" + ", ".join(map(str, range(30)))[:58] + "…"


class Owner(BaseModel):
    pet: Annotated[Cat | Dog, Field(discriminator="kind")]


def test_a_discriminator_is_a_field_like_any_other() -> None:
    """A missing or unknown discriminator is reported at the discriminator itself."""
    found = _only(Owner, {"pet": {}})
    assert (found.code, found.path) == ("missing", ("pet", "kind"))
    found = _only(Owner, {"pet": {"kind": "cow"}})
    assert (found.code, found.path) == ("enum", ("pet", "kind"))
    assert found.message == 'expected one of "cat", "dog"; got "cow"'
    assert _only(Owner, {"pet": {"kind": "dgo"}}).hint == 'did you mean "dog"?'


def test_choices_with_awkward_texts_are_read_whole() -> None:
    """A choice may hold commas, quotes and the word or."""
    found = _only(Literal["a, b", "this or that", "it's", 3], '"x"')
    assert found.allowed == ("a, b", "this or that", "it's", 3)


class Own(BaseModel):
    """Its validator says what the table tells."""

    value: int

    @field_validator("value")
    @classmethod
    def judged(cls, value: int) -> int:
        """Raise what is listed, by its number."""
        raise OWN[value][0]


OWN: tuple[tuple[Exception, str, str], ...] = (
    (ValueError("must be even."), "value_error", "must be even"),
    (AssertionError("must be odd."), "assertion_error", "must be odd"),
    (ValueError(""), "value_error", "the rule does not hold"),
    (ValueError(" . "), "value_error", "the rule does not hold"),
    (ValueError("Value error, said twice"), "value_error", "Value error, said twice"),
    (ValueError("x" * 287), "value_error", "x" * 287),
    (ValueError("x" * 400), "value_error", "x" * 300),
)


@pytest.mark.parametrize("number", range(len(OWN)))
def test_a_validators_own_words_are_kept_without_pydantics_prefix(number: int) -> None:
    """Up to three hundred characters, without the full stop; of its whole message as many."""
    raised, code, words = OWN[number]
    (found,) = Contract(Own).check({"value": number}).findings
    assert found.message == f"{words}; got {number}"
    assert (found.code, found.validator_code, found.actual, found.expected) == ("rule", code, str(number), None)
    prefix = "Assertion failed, " if isinstance(raised, AssertionError) else "Value error, "
    assert found.validator_message == f"{prefix}{raised}"[:300]


class Outer(BaseModel):
    model_config = ConfigDict(extra="forbid")

    plan: Plan
    steps: list[Plan] = []


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"plan": {"holistic_profile": "h"}, "gaol": 1}, [("plan.goal", None), ("gaol", None)]),
        ({"plan": {"gaol": "g", "holistic_profile": "h"}}, [("plan.goal", 'there is "gaol"; did you mean that?')]),
        (
            {"plan": {"gaol": 1, "gola": 2, "holistic_profile": "h"}},
            [("plan.goal", 'there is "gola"; did you mean that?')],
        ),
        ({"plam": 1}, [("plan", 'there is "plam"; did you mean that?'), ("plam", 'did you mean "plan"?')]),
        ({"plan": {"goal": "g", "holistic_profile": "h"}, "plam": 1}, [("plam", None)]),
        (
            {"plan": {"goal": "g", "holistic_profile": "h"}, "steps": [{"goal": "g", "zzz": "x"}]},
            [("steps[0].holistic_profile", None)],
        ),
        (
            {"plan": {"goal": "g", "holistic_profile": "h"}, "steps": [{"goal": "g", "holistic_profil": "x"}]},
            [("steps[0].holistic_profile", 'there is "holistic_profil"; did you mean that?')],
        ),
        ({"plan": []}, [("plan", None)]),
    ],
)
def test_a_hint_names_a_key_of_the_same_object_that_is_free(data: Any, said: list[tuple[str, str | None]]) -> None:
    """A key that the model knows is no slip for another one, and a slip for a key that is there is none."""
    assert [(to_dotted(found.path), found.hint) for found in Contract(Outer).check(data).errors] == said


class Breaking(BaseModel):
    """Its validator breaks."""

    value: str

    @field_validator("value")
    @classmethod
    def broken(cls, value: str) -> str:
        """Raise what no rule raises."""
        raise RuntimeError(value)


@pytest.mark.parametrize("length", [1, 199, 200, 201, 400])
def test_two_hundred_characters_of_what_a_validator_raised_are_kept(length: int) -> None:
    """It is a rule of the whole document, since nothing says where it broke."""
    verdict = Contract(Breaking).check({"value": "x" * length})
    kept = "x" * min(length, 200)
    (found,) = verdict.findings
    assert found.message == f"a validator of the schema raised RuntimeError: {kept}"
    assert (found.code, found.path, found.kind) == ("rule", (), FailureKind.RULE)
    assert (found.validator_code, found.validator_message, verdict.value) == ("crashed", kept, None)
    assert Contract(Breaking).check('{"value": "x"}').kind is FailureKind.RULE


def test_nothing_is_built_where_a_contract_of_a_model_is_defined() -> None:
    """Contracts are cheap to create at import time: pydantic is asked at the first answer. A type is looked at."""
    contract = Contract(Breaking)
    assert "_adapter" not in vars(contract._schema_check)
    assert "_adapter" in vars(Contract(list[int])._schema_check)
    contract.check("{}")
    assert "_adapter" in vars(contract._schema_check)


def test_a_type_that_cannot_be_hashed_is_taken() -> None:
    """What was built of it is not kept for the next contract of the same type."""
    contract: Contract[Any] = Contract(Annotated[list[int], ["words"]])
    assert contract.check("[1]").value == [1]
    assert contract.check('["x"]').kind is FailureKind.TYPE


def test_data_that_json_has_no_form_for_is_validated_as_it_is() -> None:
    """A circle, and what pydantic's own parser of JSON refuses."""
    circle: list[Any] = []
    circle.append(circle)
    value, found = PydanticCheck(list[int], strict=False).validate(circle)
    assert (value, [(one.code, one.path) for one in found]) == (None, [("type", (0,))])
    deep: Any = 1
    for _ in range(250):
        deep = [deep]
    assert PydanticCheck(Any, strict=False).validate(deep) == (deep, [])
    assert PydanticCheck(dict[str, int], strict=True).validate({"\ud800": 1}) == ({"\ud800": 1}, [])


class Wrapper(BaseModel):
    inner: Plan
    other: list[Plan] = []


def test_a_place_within_a_text_has_no_near_key() -> None:
    """The document has the JSON as a text, in which no key is looked for."""
    found = Contract(list[Json[Wrapper]]).check(['{"inner": {"gaol": "x"}, "other": [{}]}']).findings
    assert [(to_dotted(one.path), one.code, one.hint) for one in found] == [
        ("[0].inner.goal", "missing", None),
        ("[0].inner.holistic_profile", "missing", None),
        ("[0].other[0].goal", "missing", None),
        ("[0].other[0].holistic_profile", "missing", None),
    ]
