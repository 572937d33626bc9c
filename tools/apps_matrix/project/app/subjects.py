"""What the apps ask for: models, good and bad answers, and what an app finds wrong. A part of the generated project."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, ValidationError

from pytest_planguard import Contract

Path = tuple[str | int, ...]


class Ticket(BaseModel):
    """Plain fields and a list of texts."""

    title: str = Field(min_length=3, max_length=40)
    priority: Literal["low", "medium", "high"]
    steps: list[Annotated[str, Field(min_length=4, max_length=60)]] = Field(min_length=2, max_length=6)
    hours: int = Field(ge=1, le=8)
    owner: str = Field(pattern=r"^[a-z]+$")


class Room(BaseModel):
    """One of several."""

    kind: Literal["single", "double", "suite"]
    price: int = Field(ge=20, le=500)


class Stay(BaseModel):
    """Plain fields and a list of objects."""

    guest: str = Field(min_length=3, max_length=30)
    nights: int = Field(ge=1, le=28)
    rooms: list[Room] = Field(min_length=1, max_length=6)
    email: str = Field(pattern=r"^\S+@\S+$")


class Dish(BaseModel):
    """What is eaten."""

    name: str = Field(min_length=2, max_length=25)
    kcal: int = Field(ge=30, le=2000)


class Day(BaseModel):
    """One of several, with several of its own."""

    weekday: Literal["mon", "tue", "wed", "thu", "fri"]
    dishes: list[Dish] = Field(min_length=1, max_length=4)


class Menu(BaseModel):
    """Lists in lists."""

    chef: str = Field(min_length=3, max_length=20)
    days: list[Day] = Field(min_length=1, max_length=5)
    currency: Literal["EUR", "USD", "CHF"]


@dataclass(frozen=True)
class Subject:
    """One thing to ask for."""

    model: type[BaseModel]
    task: str
    good: dict[str, Any]
    wrong: Mapping[str, Mapping[Path, Any]]
    """By the position of the errors: what stands in which place; `...` for nothing."""

    @property
    def contract(self) -> Contract:
        """What judges the answers."""
        return Contract(self.model)

    @property
    def submitted(self) -> Contract:
        """The same, as the arguments of a tool."""
        return Contract(self.model, judged="submit")

    def bad(self, position: str) -> str:
        """Return the answer with the errors of a position."""
        data = copy.deepcopy(self.good)
        for path, value in self.wrong[position].items():
            holder: Any = data
            for step in path[:-1]:
                holder = holder[step]
            if value is ...:
                del holder[path[-1]]
            else:
                holder[path[-1]] = value
        return json.dumps(data)


def _day(weekday: str, *kcal: int) -> dict[str, Any]:
    return {"weekday": weekday, "dishes": [{"name": f"Stew {chr(65 + n)}", "kcal": k} for n, k in enumerate(kcal)]}


SUBJECTS = {
    "ticket": Subject(
        Ticket,
        "Write a ticket as JSON: the printer is on fire.",
        {"title": "Printer", "priority": "high", "steps": ["look", "restart", "call"], "hours": 2, "owner": "anna"},
        {
            "first": {("title",): "P"},
            "middle": {("steps",): ["look"]},
            "last": {("owner",): "Anna 2"},
            "several": {("priority",): "hi", ("steps",): ["look"], ("hours",): 12},
            "item": {("steps", 1): "go"},
        },
    ),
    "stay": Subject(
        Stay,
        "Book the journey to Bergen and answer in JSON.",
        {
            "guest": "Anna Berg",
            "nights": 4,
            "rooms": [
                {"kind": "single", "price": 95},
                {"kind": "double", "price": 130},
                {"kind": "suite", "price": 410},
            ],
            "email": "anna@example.com",
        },
        {
            "first": {("guest",): "An"},
            "middle": {("nights",): 90},
            "last": {("email",): "anna at home"},
            "several": {("nights",): 90, ("rooms", 1, "price"): 940, ("email",): "anna at home"},
            "item": {("rooms", 1, "kind"): "cabin"},
        },
    ),
    "menu": Subject(
        Menu,
        "Plan what the canteen cooks, as JSON.",
        {
            "chef": "Maria",
            "days": [_day("mon", 700, 800), _day("tue", 650, 720), _day("wed", 900, 510)],
            "currency": "EUR",
        },
        {
            "first": {("chef",): "Jo"},
            "middle": {("days", 1, "dishes", 0, "kcal"): 7000},
            "last": {("currency",): "Euro"},
            "several": {("chef",): "Jo", ("days", 0, "weekday"): "noon", ("days", 1, "dishes", 1, "kcal"): 5},
            "item": {("days", 2, "weekday"): ...},
        },
    ),
}
POSITIONS = ("first", "middle", "last", "several", "item")


@dataclass(frozen=True)
class Fault:
    """One error as an app knows it."""

    path: Path
    rule: str
    """min_length, max_length, min_items, max_items, minimum, maximum, enum, pattern, type or missing."""
    bound: int | None
    allowed: str
    """The choices, listed; "" without any."""
    value: Any
    subject: str
    type: str
    """What JSON Schema calls the type of its place."""
    usual: bool = True
    """Whether this is what the answer has; an app that tells another rule has its own words for it."""

    @property
    def field(self) -> str:
        """The last name of the path."""
        return next(str(step) for step in reversed(self.path) if isinstance(step, str))


_RULES = {
    "string_too_short": "min_length",
    "string_too_long": "max_length",
    "greater_than_equal": "minimum",
    "less_than_equal": "maximum",
    "literal_error": "enum",
    "string_pattern_mismatch": "pattern",
    "missing": "missing",
}
_BOUNDS = ("min_length", "max_length", "ge", "le")


def faults(subject: str, text: str) -> list[Fault]:
    """Return what is wrong with an answer, in the order of the model."""
    try:
        SUBJECTS[subject].model.model_validate_json(text)
    except ValidationError as error:
        return [_fault(subject, dict(e)) for e in error.errors()]
    return []


def _fault(subject: str, error: dict[str, Any]) -> Fault:
    context = error.get("ctx", {})
    rule = _RULES.get(error["type"], {"too_short": "min_items", "too_long": "max_items"}.get(error["type"], "type"))
    bound = next((int(context[name]) for name in _BOUNDS if name in context), None)
    value = None if rule == "missing" else error["input"]
    path = tuple(error["loc"])
    return Fault(path, rule, bound, str(context.get("expected", "")), value, subject, _node(subject, path)["type"])


OTHER = {"minimum": "maximum", "maximum": "minimum", "min_length": "max_length", "max_length": "min_length"}
OTHER |= {"min_items": "max_items", "max_items": "min_items"}
_KEYWORDS = {
    "minimum": ("integer", "minimum"),
    "maximum": ("integer", "maximum"),
    "min_length": ("string", "minLength"),
    "max_length": ("string", "maxLength"),
    "min_items": ("array", "minItems"),
    "max_items": ("array", "maxItems"),
}


def other_rule(fault: Fault, which: int) -> Fault:
    """Return another fault of the same place: its opposite bound, another type, or nothing there."""
    schema = _node(fault.subject, fault.path)
    opposite = OTHER.get(fault.rule)
    found = [replace(fault, rule=rule, bound=None, usual=False) for rule in ("missing", "type") if rule != fault.rule]
    if opposite is not None and _KEYWORDS[opposite][1] in schema:
        bound = int(schema[_KEYWORDS[opposite][1]])
        stale = bound - 3 if opposite.startswith("min") else bound + 3  # the value that an answer before may have had
        value: Any = stale if "imum" in opposite else fault.value
        found = [replace(fault, rule=opposite, bound=bound, value=value, usual=False), *found]
    return found[which % len(found)]


def _node(subject: str, path: Path) -> dict[str, Any]:
    """Return the schema of a place."""
    schema = SUBJECTS[subject].model.model_json_schema()
    node = schema
    for step in path:
        node = node["items"] if isinstance(step, int) else node["properties"][step]
        if "$ref" in node:
            node = schema["$defs"][node["$ref"].rpartition("/")[2]]
    return node
