"""Schemas of every keyword and type, each with values that break it."""

from __future__ import annotations

import datetime as dt
import decimal
import enum
import re
import uuid
from typing import Annotated, Any, Literal

from pydantic import (
    AliasChoices,
    AliasPath,
    BaseModel,
    ConfigDict,
    Field,
    HttpUrl,
    RootModel,
    field_validator,
    model_validator,
)

KEYWORDS: tuple[tuple[dict[str, Any], tuple[Any, ...]], ...] = (
    ({"type": "integer"}, ("two", 1.5, None, True, [1])),
    ({"type": ["string", "null"]}, (1,)),
    ({"type": "boolean"}, ("yes",)),
    ({"type": "number"}, ("1",)),
    ({"type": "string"}, (1,)),
    ({"type": "array"}, ({"a": 1, "b": 2},)),
    ({"type": "object"}, ([1, 2],)),
    ({"type": "null"}, (0,)),
    ({"enum": ["low", "medium", "high"]}, ("hihg", 3)),
    ({"enum": [f"a{n}" for n in range(14)]}, ("b",)),
    ({"const": "fixed"}, ("fixt",)),
    ({"minLength": 1}, ("",)),
    ({"minLength": 2, "maxLength": 3}, ("a", "abcd")),
    ({"minItems": 1, "maxItems": 2}, ([], [1, 2, 3])),
    ({"minProperties": 1, "maxProperties": 2}, ({}, {"a": 1, "b": 2, "c": 3})),
    ({"minimum": 1, "maximum": 3}, (0, 4)),
    ({"exclusiveMinimum": 1, "exclusiveMaximum": 3}, (1, 3)),
    ({"multipleOf": 5}, (7,)),
    ({"pattern": "^[a-z]+$"}, ("A1",)),
    ({"format": "date"}, ("yesterday",)),
    ({"uniqueItems": True}, ([1, 1],)),
    ({"not": {"type": "string"}}, ("a",)),
    ({"contains": {"type": "integer"}}, (["a"],)),
    ({"propertyNames": {"maxLength": 2}}, ({"long": 1},)),
    ({"dependentRequired": {"a": ["b"]}}, ({"a": 1},)),
    ({"items": False}, ([1],)),
    ({"title": "Box", "properties": {"size": {}, "width": {}}, "additionalProperties": False}, ({"sise": 1},)),
    ({"properties": {"size": {}}, "unevaluatedProperties": False}, ({"sise": 1, "other": "x"},)),
    ({"title": "Box", "properties": {"size": {"type": "integer"}}, "required": ["size"]}, ({}, {"size": "s"})),
    (
        {"properties": {"in": {"title": "Inner", "properties": {"a": {}}, "required": ["a"]}}},
        ({"in": {}}, {"in": {"b": 1}}),
    ),
    (
        {"$defs": {"In": {"title": "In", "properties": {"a": {"type": "integer"}}}}, "items": {"$ref": "#/$defs/In"}},
        ([{"a": "x"}],),
    ),
    ({"anyOf": [{"type": "integer"}, {"type": "null"}, {"enum": ["auto"]}]}, ("x",)),
    (
        {
            "oneOf": [
                {"properties": {"kind": {"const": "a"}, "x": {"type": "integer"}}, "required": ["kind", "x"]},
                {"properties": {"kind": {"const": "b"}, "y": {"type": "integer"}}, "required": ["kind", "y"]},
            ]
        },
        ({"kind": "b"}, {"kind": "c"}, {"kind": "a", "x": "1"}, {}),
    ),
    (
        {"anyOf": [{"properties": {"a": {}}, "required": ["a"], "additionalProperties": False}, {"type": "string"}]},
        ({"b": 1}, 5),
    ),
    ({"if": {"required": ["a"]}, "then": {"required": ["b"]}}, ({"a": 1},)),
    ({"properties": {"1": {"items": {"type": "integer"}}}}, ({"1": ["x"]},)),
)

KEYWORD_CASES: dict[str, tuple[dict[str, Any], Any]] = {
    "required": ({"required": ["a"]}, {}),
    "additionalProperties": ({"properties": {}, "additionalProperties": False}, {"a": 1}),
    "unevaluatedProperties": ({"properties": {}, "unevaluatedProperties": False}, {"a": 1}),
    "type": ({"type": "integer"}, "a"),
    "enum": ({"enum": [1, 2]}, 3),
    "const": ({"const": 1}, 3),
    **{name: ({name: bound}, value) for name, bound, value in (("minLength", 2, "a"), ("maxLength", 1, "ab"))},
    **{name: ({name: bound}, value) for name, bound, value in (("minItems", 1, []), ("maxItems", 1, [1, 2]))},
    **{
        name: ({name: bound}, value)
        for name, bound, value in (("minProperties", 1, {}), ("maxProperties", 0, {"a": 1}))
    },
    **{name: ({name: 1}, value) for name, value in (("minimum", 0), ("exclusiveMinimum", 1))},
    **{name: ({name: 1}, value) for name, value in (("maximum", 2), ("exclusiveMaximum", 1), ("multipleOf", 1.5))},
    "pattern": ({"pattern": "^b"}, "a"),
    "format": ({"format": "date"}, "a"),
    "additionalItems": (
        {"$schema": "http://json-schema.org/draft-07/schema#", "items": [{}], "additionalItems": False},
        [1, 2],
    ),
    "anyOf": ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "a"),
    "contains": ({"contains": {"type": "integer"}}, ["a"]),
    "falseSchema": ({"items": False}, [1]),
    "not": ({"not": {"type": "string"}}, "a"),
    "oneOf": ({"oneOf": [{"type": "integer"}, {"minimum": 0}]}, 1),
    "propertyNames": ({"propertyNames": {"maxLength": 2}}, {"long": 1}),
    "unevaluatedItems": ({"prefixItems": [{}], "unevaluatedItems": False}, [1, 2]),
    "uniqueItems": ({"uniqueItems": True}, [1, 1]),
    "dependentRequired": ({"dependentRequired": {"a": ["b"]}}, {"a": 1}),
    "dependentSchemas": ({"dependentSchemas": {"a": {"required": ["b"]}}}, {"a": 1}),
    "if": ({"if": {"type": "integer"}, "then": {"minimum": 1}}, 0),
    "then": ({"if": {"type": "integer"}, "then": False}, 0),
    "else": ({"if": {"type": "string"}, "else": {"minimum": 1}}, 0),
    "$ref": ({"$defs": {"a": {"type": "integer"}}, "$ref": "#/$defs/a"}, "a"),
}
"""For each keyword a schema with it, and a value that breaks it."""
UNBROKEN = (
    *("backtrackLimitExceeded", "contentEncoding", "contentMediaType", "custom", "fromUtf8", "regexEngineFailure"),
)
"""Codes of the library that no value of ours comes to."""


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Inner(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str
    size: int = Field(default=1, ge=1, le=9, description="how large")


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]
    tricks: list[str]


class Everything(BaseModel):
    """One field of each type that a validator has words for."""

    whole: int = 0
    number: float = 0.0
    text: str = ""
    flag: bool = False
    items: list[int] = []
    names: dict[str, int] = {}
    unlike: set[int] = set()
    pair: tuple[int, str] = (0, "")
    choice: Literal["low", "high"] = "low"
    only: Literal["one"] = "one"
    colour: Colour = Colour.RED
    when: dt.datetime = dt.datetime(2026, 1, 1)
    day: dt.date = dt.date(2026, 1, 1)
    at: dt.time = dt.time(1)
    lasts: dt.timedelta = dt.timedelta(1)
    id: uuid.UUID = uuid.UUID(int=0)
    page: HttpUrl | None = None
    price: decimal.Decimal = decimal.Decimal(0)
    exact: Annotated[decimal.Decimal, Field(max_digits=4, decimal_places=2)] = decimal.Decimal(0)
    short: Annotated[str, Field(min_length=2, max_length=4)] = "ab"
    form: Annotated[str, Field(pattern="^[a-z]+$")] = "a"
    few: Annotated[list[int], Field(min_length=1, max_length=2)] = [1]
    above: Annotated[int, Field(gt=1)] = 2
    below: Annotated[float, Field(lt=1)] = 0
    least: Annotated[int, Field(ge=1)] = 1
    most: Annotated[int, Field(le=1)] = 1
    fives: Annotated[int, Field(multiple_of=5)] = 5
    finite: Annotated[float, Field(allow_inf_nan=False)] = 0.0
    raw: bytes = b""
    either: int | list[str] = 0
    maybe: Inner | None = None
    inner: Inner = Inner(name="a")
    inners: list[Inner] = []
    pet: Annotated[Cat | Dog, Field(discriminator="kind")] | None = None
    loose: Cat | Dog | None = None
    alias: int = Field(default=0, alias="otherName")
    either_name: int = Field(default=0, validation_alias=AliasChoices("first", AliasPath("second", 0)))
    path_name: int = Field(default=0, validation_alias=AliasPath("third", 1))
    own: str = "a"
    pattern: re.Pattern[str] = re.compile("a")
    kind_of: type[int] | None = None

    @field_validator("own")
    @classmethod
    def _own(cls, value: str) -> str:
        if value != "a":
            raise ValueError("own words: not a")
        return value

    @model_validator(mode="after")
    def _whole(self) -> Everything:
        if self.whole == 13:
            raise ValueError("13 is no number")
        return self


class Numbers(RootModel[list[int]]):
    """A list without a key."""


BROKEN: tuple[dict[str, Any], ...] = (
    {"whole": "two"},
    {"whole": 1.5, "number": "x", "text": 1, "flag": "maybe"},
    {"items": {"a": 1}, "names": [1], "unlike": 5, "pair": [1]},
    {"items": [1, "x"], "names": {"a": "b"}, "pair": [1, "a", 2]},
    {"choice": "lwo", "only": "two", "colour": "read"},
    {"when": "then", "day": "2026-01-01T01:00:00", "at": "noon", "lasts": "long", "id": "1"},
    {"when": 5.5e300, "day": "x", "page": "no page", "price": "dear", "exact": "123.456"},
    {"short": "a", "form": "A", "few": [], "above": 1, "below": 1, "least": 0, "most": 2, "fives": 7},
    {"short": "abcde", "few": [1, 2, 3], "finite": float("nan")},
    {"either": "x", "maybe": {"nam": "a"}, "inner": {"name": "a", "size": 10}, "inners": [{"name": 1}, {"size": 0}]},
    {"inner": None, "inners": ["a"], "pet": {"kind": "cow"}, "loose": {"kind": "dog"}},
    {"pet": {"lives": 9}, "loose": {"kind": "cat", "lives": "nine"}},
    {"pet": {"kind": "dog", "tricks": [1]}, "loose": 5},
    {"otherName": "x", "own": "b"},
    {"whole": 13},
    {"first": "x", "third": [0, "y"]},
    {"second": ["x"], "either": [1], "names": {"a": None}, "pair": ["x", 1]},
    {"pattern": "(", "kind_of": 5, "raw": 5},
)
