"""An answer as plain data, and back: it comes back as it was, or is refused while it is recorded."""

from __future__ import annotations

import enum
import json
from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict
from typing_extensions import TypedDict

from pytest_planguard.errors import UsageError
from pytest_planguard.replay.call_data import rebuilder, rebuilt, replayable


class Reply(BaseModel):
    words: str


class Strict(BaseModel):
    model_config = ConfigDict(strict=True)
    day: date


class Colour(enum.StrEnum):
    RED = "red"


class Turns(TypedDict):
    first: int
    second: int


@dataclass
class Pair:
    left: Any
    right: Any


LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
KEYS = st.text(max_size=5)
JSON = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=8
)
NOT_JSON = st.dates() | st.binary(max_size=3) | st.sampled_from(Colour) | st.builds(Reply, words=st.text(max_size=3))
VALUES = st.recursive(
    LEAVES | NOT_JSON,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner)
        | st.dictionaries(KEYS | st.integers() | st.sampled_from(Colour), inner, max_size=3)
        | st.builds(Pair, inner, inner)
    ),
    max_leaves=8,
)


def replayed(value: Any, returns: Any) -> Any:
    """Return what a replay makes of an answer that was recorded."""
    rebuild = rebuilder(returns)
    return rebuilt(json.loads(json.dumps(replayable(value, rebuild, "ask"))), rebuild, "ask")


@given(JSON)
def test_plain_data_comes_back_as_it_was(value: Any) -> None:
    """Data without an annotation is never refused. `repr` because NaN does not equal itself."""
    assert repr(replayed(value, None)) == repr(value)


@given(VALUES, st.sampled_from([None, Any, list[Any], dict[str, Any], dict[int, Any], Pair, Reply, Colour, bytes]))
def test_an_answer_comes_back_as_it_was_or_is_refused(value: Any, returns: Any) -> None:
    """No answer of a replay differs from the recorded one in value or type, at any depth."""
    try:
        again = replayed(value, returns)
    except UsageError:
        return
    assert repr(again) == repr(value)


@pytest.mark.parametrize(
    ("value", "returns"),
    [
        (Strict(day=date(2026, 1, 2)), Strict),
        ({1: "a"}, dict[int, str]),
        ((1, [2]), tuple[int, list[int]]),
        ({"second": 2, "first": 1}, Turns),
        ({frozenset({1}), frozenset()}, set[frozenset[int]]),
        ({"share": 1}, dict[str, float]),
    ],
)
def test_an_annotated_answer_comes_back(value: Any, returns: Any) -> None:
    """The annotation says what JSON cannot. The order of a TypedDict and 1 for 1.0 make no difference."""
    assert replayed(value, returns) == value


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({"a": [(1, 2)]}, "the return value of ask.a[0] cannot be replayed: got tuple; "),
        ({1: "a"}, "a key of the return value of ask cannot be replayed: got int; "),
        (Pair(1, [Reply(words="x")]), "the return value of ask.right[0] cannot be replayed: got Reply; "),
    ],
)
def test_a_refusal_names_the_part_that_would_change(value: Any, place: str) -> None:
    """A tuple would come back as a list, the key 1 as "1", and a model in a field of any type as an object."""
    with pytest.raises(UsageError) as refused:
        replayed(value, Pair if isinstance(value, Pair) else None)
    assert str(refused.value) == f"{place}annotate the return type, pass it as returns=, or return the text"


def test_data_that_no_cassette_can_hold_is_refused_before_it_is_recorded() -> None:
    """A cassette is read to a depth of 200 levels, so a replay would ask for a new recording each time."""
    deep: list[Any] = []
    for _ in range(300):
        deep = [deep]
    with pytest.raises(UsageError, match=r"^the return value of ask cannot be replayed: got list; "):
        replayed(deep, None)
