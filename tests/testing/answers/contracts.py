"""Sixteen contracts of different kinds, for which answers are made up."""

from __future__ import annotations

import datetime as dt
import uuid
from enum import Enum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from pytest_planguard import (
    Contract,
    contains,
    count,
    custom,
    distinct,
    excludes,
    in_range,
    min_length,
    non_empty,
    one_of,
    plan_rules,
    regex,
    same_length,
)


class Ticket(BaseModel):
    """The model of the README."""

    title: str = Field(min_length=3)
    priority: Literal["low", "medium", "high"]
    steps: list[str] = Field(min_length=2)


class Node(BaseModel):
    """Contains itself."""

    name: str
    children: list[Node] = []


class Link(BaseModel):
    """Contains itself through an optional field."""

    value: int
    next: Link | None


class Cat(BaseModel):
    """One alternative."""

    kind: Literal["cat"]
    lives: int = Field(ge=1, le=9)


class Dog(BaseModel):
    """The other."""

    kind: Literal["dog"]
    barks: bool


class Pet(BaseModel):
    """A union that a tag decides."""

    model_config = ConfigDict(extra="forbid")
    pet: Annotated[Cat | Dog, Field(discriminator="kind")]
    note: str | None


class Color(Enum):
    """An enumeration."""

    RED = "r"
    GREEN = "g"


class Everything(BaseModel):
    """Bounds, patterns, formats, containers, aliases, unions without a tag."""

    model_config = ConfigDict(extra="forbid")
    number: int = Field(ge=0, lt=50, multiple_of=5)
    share: float = Field(gt=0, le=1.5)
    half: float = Field(multiple_of=0.5, ge=0, le=10)
    code: Annotated[str, Field(pattern=r"^[A-Z]{2}-\d{3}$")]
    day: dt.date
    moment: dt.datetime
    key: uuid.UUID
    color: Color
    counts: dict[str, Annotated[int, Field(ge=0)]]
    pair: tuple[int, str]
    set: set[int]
    alias: str = Field(alias="theAlias", max_length=5)
    either: int | str | list[int] = 3
    optional: int | None = None


class Total(BaseModel):
    """A rule of its own code between two fields."""

    parts: list[int]
    total: int

    @model_validator(mode="after")
    def adds_up(self) -> Total:
        """The total is that of the parts."""
        if self.total != sum(self.parts):
            raise ValueError("the total is not the sum of the parts")
        return self


PLAIN: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["a", "b"],
    "properties": {
        "a": {"type": "string", "pattern": "^x+$", "maxLength": 6},
        "b": {
            "type": "array",
            "items": {"type": "integer", "minimum": 1, "maximum": 9},
            "minItems": 1,
            "maxItems": 3,
            "uniqueItems": True,
        },
        "c": {"enum": [1, "two", None]},
        "d": {"$ref": "#/$defs/link"},
        "e": {"allOf": [{"type": "number", "minimum": 0}, {"maximum": 1}]},
        "f": {"allOf": [True, {"type": "boolean"}]},
        "g": {"anyOf": [False, True]},
    },
    "$defs": {
        "link": {
            "type": "object",
            "properties": {"next": {"$ref": "#/$defs/link"}, "v": {"type": ["integer", "null"]}},
            "required": ["v"],
        }
    },
}
LEVERS: dict[str, Any] = {
    "type": "object",
    "required": ["levers"],
    "properties": {
        "levers": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["id", "options"],
                "properties": {
                    "id": {"type": "string", "format": "uuid"},
                    "options": {"type": "array", "items": {"type": "string"}, "minItems": 3, "maxItems": 3},
                    "effort": {"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.25},
                },
            },
        }
    },
}


def add_up(data: Any) -> Any:
    """Fix a total that was drawn."""
    return {**data, "total": sum(data["parts"])}


def whole(schema: Any, **options: Any) -> Contract:
    """A contract that demands the bare document."""
    return Contract(schema, extract="whole", **options)


CONTRACTS: dict[str, tuple[Contract, dict[str, Any]]] = {
    "ticket": (whole(Ticket), {}),
    "recursive list": (whole(Node), {}),
    "recursive field": (whole(Link), {}),
    "tagged union": (whole(Pet), {}),
    "everything": (whole(Everything), {}),
    "a list": (whole(list[int]), {}),
    "a mapping": (whole(dict[str, Ticket]), {}),
    "JSON Schema": (whole(PLAIN), {}),
    "JSON Schema, nested": (whole(LEVERS), {}),
    "constraints on a schema": (
        whole(
            Ticket,
            constraints=[
                min_length("title", 20),
                contains("title", "#42"),
                one_of("priority", "low", "high"),
                distinct("steps"),
                count("steps", 3, 6),
                regex("steps[*]", "[a-z0-9]+"),
                excludes("steps[*]", "??"),
            ],
        ),
        {},
    ),
    "constraints alone": (
        whole(
            None,
            constraints=[
                min_length("summary", 10),
                count("tasks", 1, 3),
                non_empty("tasks[*].id"),
                in_range("score", 0, 10),
                same_length("names", "values"),
            ],
        ),
        {},
    ),
    "a validator": (whole(Total), {"": add_up}),
    "a custom check": (
        whole(Ticket, constraints=[custom("title", lambda text: None if text == text.upper() else "not in capitals")]),
        {"title": str.upper},
    ),
    "spec-kit plan": (Contract(None, rules=plan_rules("spec-kit")), {}),
    "superpowers plan": (Contract(None, rules=plan_rules("superpowers")), {}),
    "AtomicGuard plan": (Contract(None, rules=plan_rules("atomicguard")), {}),
}
"""Name to a contract and what is given for what only code can judge."""


def as_json_schema(contract: Contract) -> Contract | None:
    """Return the contract over the JSON Schema of its pydantic schema; None where it has no pydantic schema."""
    if contract.json_schema is None or isinstance(contract.schema, dict):
        return None
    return whole(contract.json_schema, constraints=contract.constraints)
