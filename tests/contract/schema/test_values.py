"""Values that an app already parsed, as JSON text."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import AliasChoices, AliasPath, BaseModel, Field, RootModel, create_model

from pytest_planguard.contract import Contract
from pytest_planguard.contract.finding import Severity
from pytest_planguard.contract.schema.schema import LISTED, VISIT_LIMIT, defaulted, to_json_text

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


@pytest.mark.slow
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


# Fields that took their default.


class Part(BaseModel):
    name: str = "unnamed"
    note: str | None = Field(None, alias="a note")


class Given(BaseModel):
    a: int = 0


class Whole(BaseModel):
    summary: str = ""
    parts: list[Part] = []
    by_key: dict[str, Part] = {}


def test_a_default_is_a_warning_at_its_path() -> None:
    """A field that the answer left out is recorded, and passes."""
    verdict = Contract(Whole).check({"parts": [{"name": "n", "a note": "x"}], "by_key": {"k": {"name": "m"}}})
    assert verdict.ok
    assert [(item.code, item.path, item.severity) for item in verdict.findings] == [
        ("defaulted", ("summary",), Severity.WARN),
        ("defaulted", ("by_key", "k", "a note"), Severity.WARN),
    ]
    assert verdict.findings[0].message == 'left out, took the default ""'


def test_a_given_default_is_no_default() -> None:
    """What the answer says itself is not reported, whatever its value."""
    assert not Contract(Whole).check({"summary": "", "parts": [], "by_key": {}}).findings


def test_root_models_add_no_key() -> None:
    """A root model has no key in the document."""
    (found, _) = Contract(RootModel[list[Part]]).check("[{}]").findings
    assert found.path == (0, "name")


def test_many_defaults_are_counted() -> None:
    """A long list of defaults ends in one finding that counts the rest."""
    found = Contract(list[Part]).check([{"name": "x"}] * 25).findings
    assert len(found) == LISTED + 1
    assert found[-1].message == "5 more fields took the default"


class Marked(BaseModel):
    mark: object = Field(default_factory=object)
    kind: object = object()


def test_a_default_that_json_cannot_hold_is_left_out_in_silence() -> None:
    """The schema is asked for by reports and prompts, and nobody can do anything about the warning there."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        schema = Contract(Marked).json_schema
    assert schema is not None
    assert "default" not in schema["properties"]["kind"]


@pytest.mark.parametrize(
    ("annotation", "wrap"),
    [
        (Given, lambda inner: inner),
        (Given | None, lambda inner: inner),
        (Any, lambda inner: inner),
        (list[Given], lambda inner: [inner]),
        (dict[str, Given], lambda inner: {"k": inner}),
        (tuple[Given, int], lambda inner: (inner, 1)),
    ],
)
def test_a_default_within_a_field_of_any_kind_is_noticed(annotation: Any, wrap: Callable[[Given], Any]) -> None:
    """A model is looked for wherever the annotation leaves room for one; a given value completes the whole."""
    outer = create_model("Outer", inner=(annotation, ...))
    for inner, is_complete in ((Given(a=1), True), (Given(), False)):
        assert (defaulted([outer.model_construct({"inner"}, inner=wrap(inner)), 1, "a"]) == []) is is_complete


@pytest.mark.parametrize("value", [None, 1, "a", [], {}, [1, [2, {"a": (3,)}]]])
def test_plain_data_took_no_default(value: Any) -> None:
    """There is no model in it."""
    assert defaulted(value) == []


def test_a_bounded_number_of_values_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """No default of what is beyond is listed: the list itself is the first value."""
    assert VISIT_LIMIT == 100_000
    monkeypatch.setattr("pytest_planguard.contract.schema.schema.VISIT_LIMIT", 10)
    assert [len(defaulted([*[[]] * count, Part()])) for count in (6, 7, 8)] == [2, 2, 0]


def test_as_many_defaults_are_listed_as_the_bound_says() -> None:
    """Twenty, and one more finding for all others."""
    assert [len(defaulted([Given()] * count)) for count in (0, 1, 20, 21, 22)] == [0, 1, 20, 21, 21]
    assert defaulted([Given()] * 21)[-1].message == "1 more field took the default"
    assert (defaulted([Given()] * 21)[-1].path, defaulted([Given()])[0].path) == ((), (0, "a"))


class Keys(BaseModel):
    plain: int = 1
    other: int = Field(2, alias="other name")
    path: int = Field(3, validation_alias=AliasPath("a", 0))
    choice: int = Field(4, validation_alias=AliasChoices("b", "c"))


def test_a_default_stands_where_the_document_would_have_it() -> None:
    """Under its alias; under its own name where there are several places."""
    assert [(found.path, found.message) for found in defaulted(Keys())] == [
        (("plain",), "left out, took the default 1"),
        (("other name",), "left out, took the default 2"),
        (("path",), "left out, took the default 3"),
        (("choice",), "left out, took the default 4"),
    ]
    assert [found.path for found in defaulted({"k": [0, {"m": (1, Keys(plain=1, **{"other name": 2}))}]})] == [
        ("k", 1, "m", 1, "path"),
        ("k", 1, "m", 1, "choice"),
    ]


@pytest.mark.parametrize("first", [Given(a=1), Whole.model_construct({"summary", "parts", "by_key"}), date(2026, 1, 2)])
def test_a_default_behind_what_took_none_is_noticed(first: object) -> None:
    """Whatever comes first is passed over."""
    assert defaulted({"a": first, "b": Given(a=1)}) == []
    assert [found.path for found in defaulted([first, Given()])] == [(1, "a")]
