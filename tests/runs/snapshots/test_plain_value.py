"""Values as a snapshot keeps them."""

import enum
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal

import attrs
import msgspec
import pytest
from pydantic import BaseModel, Field

from pytest_planguard.errors import UsageError
from pytest_planguard.runs.snapshots import plain_value


class Mood(enum.Enum):
    GOOD = "good"


class Inner(BaseModel):
    words: set[str] = Field(serialization_alias="theWords")


@dataclass
class Outer:
    inner: Inner
    when: datetime
    other: frozenset[int] = field(default_factory=lambda: frozenset((3, 1, 2)))


def test_models_dataclasses_dates_and_enums_are_plain():
    """A model is what it is in JSON, by alias; dates, UUIDs, enums and decimals are texts."""
    found = plain_value(Outer(Inner(words={"b", "a"}), datetime(2026, 1, 2, tzinfo=UTC)))
    assert found == {"inner": {"theWords": ["a", "b"]}, "when": "2026-01-02T00:00:00Z", "other": [1, 2, 3]}
    assert plain_value((Mood.GOOD, uuid.UUID(int=1), Decimal("1.50"))) == ["good", str(uuid.UUID(int=1)), "1.50"]


def test_sets_are_sorted_wherever_they_stand():
    """A set of texts has another order in every process, a snapshot has not."""
    words = {"delta", "alpha", "charlie", "bravo", "echo", "foxtrot"}
    assert plain_value({"deep": [{"words": words}]}) == {"deep": [{"words": sorted(words)}]}
    assert plain_value({1, "a", None, (2, 1), (1, 2), 10, 2}) == ["a", 1, 10, 2, [1, 2], [2, 1], None]


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (object(), r"^a snapshot keeps data \(models, dicts, lists, texts, numbers\): .*object is not data$"),
        ({(1, 2): 3, "a": [object()]}, r"^a snapshot keeps data \(models, dicts, lists, texts, numbers\): "),
        (
            {"a": [1.5, float("nan")]},
            r"^a snapshot keeps JSON, which lacks nan at a\[1\]; replace it by None or a text",
        ),
        (float("-inf"), r"which lacks -inf at \(whole answer\)"),
        (b"\xff", "keeps (data|JSON)"),
    ],
)
def test_what_is_no_json_is_refused(value, why):
    """An object, NaN, bytes that are no text: each is said, none is written as something else."""
    with pytest.raises(UsageError, match=why):
        plain_value(value)


def test_a_value_that_contains_itself_is_refused():
    """It ends with a message, not with the interpreter's stack."""
    value: list[object] = []
    value.append(value)
    with pytest.raises(UsageError, match=r"^a snapshot keeps JSON: Circular reference"):
        plain_value(value)


class Part(msgspec.Struct):  # type: ignore[name-defined, misc, unused-ignore]
    """A value of a contract that is a msgspec Struct."""

    name: str
    tags: set[str]


@attrs.define
class Whole:
    """A value of a contract that is an attrs class."""

    parts: list[Part]
    size: int = 1


def test_values_of_attrs_and_msgspec_are_data() -> None:
    """A contract returns them, so a snapshot keeps them."""
    assert plain_value(Whole([Part("a", {"c", "b"})])) == {"parts": [{"name": "a", "tags": ["b", "c"]}], "size": 1}
    with pytest.raises(UsageError, match=r"^a snapshot keeps data .*object is not data$"):
        plain_value({"a": object()})


class Stop(msgspec.Struct, tag=True):  # type: ignore[call-arg, name-defined, misc, unused-ignore]
    """One of a union, which only its tag tells apart."""


class Step(msgspec.Struct, rename="camel"):  # type: ignore[call-arg, name-defined, misc, unused-ignore]
    """A Struct with other names in JSON, and a field that JSON may lack."""

    next_step: str
    why: str | msgspec.UnsetType = msgspec.UNSET


@attrs.define
class Later:
    """An attrs class with a field that has no value at first."""

    size: int
    total: int = attrs.field(init=False)


@attrs.define
class Nothing:
    """An attrs class without a field."""


def test_attrs_and_msgspec_values_are_kept_as_their_json() -> None:
    """A field without a value raised AttributeError, and a class without fields was said to be no data."""
    values = [Stop(), Step("go"), Step("go", "why"), Later(1), Nothing()]
    assert plain_value(values) == [
        {"type": "Stop"},
        {"nextStep": "go"},
        {"nextStep": "go", "why": "why"},
        {"size": 1},
        {},
    ]
    assert plain_value(values[:3]) == msgspec.to_builtins(values[:3])
