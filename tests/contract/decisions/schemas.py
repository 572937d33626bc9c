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

from ...support.decisions import inputs

KEYWORDS = inputs("contract", "keywords")

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


BROKEN = inputs("contract", "broken_values")
