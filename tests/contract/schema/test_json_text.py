"""Values that an app already parsed, as JSON text."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from pytest_planguard.contract.schema.json_text import to_json_text

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


class Model(BaseModel):
    """Known by its alias."""

    name: str = Field(alias="Name")


@dataclass
class Data:
    """As a dict."""

    number: int


class Unknown:
    """A type without a JSON form."""

    def __str__(self) -> str:
        return "unknown"


VALUES: dict[str, tuple[Any, str | None]] = {
    "a model": (Model(Name="x"), '{"Name":"x"}'),
    "a dataclass": (Data(3), '{"number":3}'),
    "a date": (date(2026, 1, 31), '"2026-01-31"'),
    "a decimal": (Decimal("1.50"), '"1.50"'),
    "a tuple": ((1, 2), "[1,2]"),
    "something else": ({"a": Unknown()}, '{"a":"unknown"}'),
    "no number": (float("nan"), "NaN"),
    "infinity": (float("-inf"), "-Infinity"),
    "half of a pair": ("\ud800", '"\\ud800"'),
    "something else beside it": (["\ud800", Unknown()], '["\\ud800", "unknown"]'),
}


@pytest.mark.parametrize("name", VALUES)
def test_values_are_written_as_pydantic_writes_them(name: str) -> None:
    """A type without a JSON form becomes its text."""
    value, text = VALUES[name]
    assert to_json_text(value) == text


def test_a_circle_has_no_text() -> None:
    """Nor has what is deeper than the interpreter's stack, which holds more in later versions."""
    circle: list[Any] = []
    circle.append(circle)
    deep: list[Any] = []
    for _ in range(200_000):
        deep = [deep]
    assert to_json_text(circle) is None
    assert to_json_text({"a": circle}) is None
    assert to_json_text(deep) is None


@given(PLAIN)
def test_plain_data_reads_back(value: Any) -> None:
    """As it was."""
    text = to_json_text(value)
    assert text is not None
    assert json.loads(text) == value
