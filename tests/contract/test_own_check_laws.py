"""A check of the user's own says of a broken answer what it says of the repaired one, until it reads a broken part."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from datetime import date
from typing import Annotated, Any, Literal, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from pytest_planguard import Contract, Finding, custom
from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.schema.schema import to_json_text

Path = tuple[str | int, ...]
Op = tuple[str, Path]


class Item(BaseModel):
    """Of a list and of a map."""

    name: str = Field(min_length=1)
    price: float = Field(ge=0)
    tags: list[str] = []


class Address(BaseModel):
    """Takes nothing that it does not know."""

    model_config = ConfigDict(extra="forbid")
    city: str
    code: Annotated[str, StringConstraints(strip_whitespace=True, to_upper=True)]


class Order(BaseModel):
    """Defaults, an alias, values that validating changes, models in lists, in maps and in each other."""

    net: float
    tax: float = 0
    day: date
    kind: Literal["new", "old"] = Field(alias="kindOf")
    items: list[Item]
    by_name: dict[str, Item] = {}
    address: Address
    second: Address | None = None


TEXT = st.text("abé ", min_size=1, max_size=3)
NUMBERS = st.integers(0, 9) | st.floats(0, 9, allow_nan=False)
ITEMS = st.fixed_dictionaries({"name": TEXT, "price": NUMBERS}, optional={"tags": st.lists(TEXT, max_size=2)})
ADDRESSES = st.fixed_dictionaries({"city": TEXT, "code": TEXT})
REQUIRED: dict[str, st.SearchStrategy[Any]] = {
    "net": NUMBERS,
    "day": st.just("2026-01-31"),
    "kindOf": st.sampled_from(["new", "old"]),
    "items": st.lists(ITEMS, max_size=3),
    "address": ADDRESSES,
}
OPTIONAL: dict[str, st.SearchStrategy[Any]] = {
    "tax": NUMBERS,
    "by_name": st.dictionaries(st.sampled_from("xyz"), ITEMS, max_size=2),
}
STRICT = st.fixed_dictionaries(REQUIRED, optional=OPTIONAL)
"""What the model's JSON Schema takes, too."""
LAX = st.fixed_dictionaries(
    {**REQUIRED, "net": NUMBERS | NUMBERS.map(str)}, optional={**OPTIONAL, "second": st.none() | ADDRESSES}
)
NEEDED = {"net", "day", "kindOf", "items", "address", "name", "price", "city", "code"}


class Case(NamedTuple):
    """An answer, the same with faults, where they are, and what a check reads."""

    good: dict[str, Any]
    bad: dict[str, Any]
    broken: tuple[Path, ...]
    ops: tuple[Op, ...]


def places(value: Any, path: Path = ()) -> Iterator[Path]:
    """Every place below the root."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in inner:
        yield (*path, key)
        yield from places(below, (*path, key))


def at(value: Any, path: Path) -> Any:
    """The value at a place."""
    for key in path:
        value = value[key]
    return value


def wrong(value: Any) -> Any:
    """What no schema takes in the place of a value, and what is repaired by replacing all of it."""
    return 7 if isinstance(value, dict | None) else "?" if isinstance(value, list) else {"?": None}


@st.composite
def cases(draw: st.DrawFn, answers: st.SearchStrategy[dict[str, Any]]) -> Case:
    """Up to three faults, none below another one, and up to five things that are read."""
    good = draw(answers)
    bad, broken = copy.deepcopy(good), list[Path]()
    for path in draw(st.lists(st.sampled_from(sorted(places(good), key=str)), min_size=1, max_size=3)):
        if any(path[: len(b)] == b or b[: len(path)] == path for b in broken):
            continue
        parent, key = at(bad, path[:-1]), path[-1]
        if key in NEEDED and path[:1] != ("by_name",) and draw(st.booleans()):
            del parent[key]
        else:
            parent[key] = wrong(parent[key])
        broken.append(path)
    if "address" in bad and isinstance(bad["address"], dict) and draw(st.booleans()):
        bad["address"]["surplus"] = 1
    reads = st.tuples(st.sampled_from(["value", "size", "keys"]), st.sampled_from(sorted([(), *places(good)], key=str)))
    return Case(good, bad, tuple(broken), tuple(draw(st.lists(reads, min_size=1, max_size=5))))


def says(ops: tuple[Op, ...], data: Any) -> Iterator[str]:
    """What a check says that reads some places one after the other."""
    for what, path in ops:
        found = at(data, path)
        if what == "value":
            yield f"{path} is {found}"
        elif isinstance(found, dict | list):
            keys = what == "keys" and isinstance(found, dict)
            yield f"{path}: {sorted(found)}" if keys else f"{path} has {len(found)}"


def sound_ops(case: Case) -> tuple[Op, ...]:
    """What is read before the first broken part."""
    for number, (what, path) in enumerate(case.ops):
        inside = any(path[: len(b)] == b for b in case.broken)
        over = what == "value" and any(b[: len(path)] == path for b in case.broken)
        if inside or over:
            return case.ops[:number]
    return case.ops


Make = Callable[[Any, tuple[Op, ...]], Contract[Any]]


def by_constraint(schema: Any, ops: tuple[Op, ...]) -> Contract[Any]:
    """A check as a constraint on the whole answer."""
    return Contract(schema, constraints=[custom("", lambda data: says(ops, data), name="own")])


def by_rule(schema: Any, ops: tuple[Op, ...]) -> Contract[Any]:
    """The same as a rule."""

    def rule(data: Any, _: Any) -> Iterator[Finding]:
        return (Finding("own", (), said, FailureKind.RULE) for said in says(ops, data))

    return Contract(schema, rules=[rule])


def said_by(contract: Contract[Any], answer: dict[str, Any]) -> list[str]:
    """What the check says of an answer; an answer is judged as text, as it comes."""
    return [f.message for f in contract.check(to_json_text(answer)).findings if f.code == "own"]


def holds(case: Case, schema: Any, make: Make) -> None:
    """What is said of the bad answer is what is said of the good one, up to the first broken part."""
    assert Contract(schema).check(to_json_text(case.good)).ok
    assert not Contract(schema).check(to_json_text(case.bad)).ok
    expected = said_by(make(schema, sound_ops(case)), case.good)
    assert said_by(make(schema, case.ops), case.bad) == expected


@pytest.mark.slow
@pytest.mark.parametrize("make", [by_constraint, by_rule])
@given(case=cases(LAX))
def test_of_a_pydantic_model(make: Make, case: Case) -> None:
    """Validated values, though the whole does not validate: defaults, numbers, texts in upper case."""
    holds(case, Order, make)


@pytest.mark.slow
@pytest.mark.parametrize("make", [by_constraint, by_rule])
@given(case=cases(STRICT))
def test_of_a_json_schema(make: Make, case: Case) -> None:
    """Data as it was written."""
    holds(case, Order.model_json_schema(by_alias=True), make)
