"""Large answers that a model refuses: no copy of the answer for each of many errors."""

from __future__ import annotations

import json
import tracemalloc
from typing import Literal

import pytest
from pydantic import BaseModel, create_model, field_validator

from pytest_planguard.contract import Contract

from ...support.one_item import in_one_item

_FIELDS = 12
Wide = create_model("Wide", **{f"field_{number}": (int, ...) for number in range(_FIELDS)})  # type: ignore[call-overload]


def _object(size: int, before: str = "") -> str:
    """Return an object of about `size` characters whose keys no model knows."""
    return "{" + before + ",".join(f'"k{number}": {number}' for number in range(size // 12)) + "}"


def test_memory_does_not_grow_with_the_fields_that_a_large_answer_lacks() -> None:
    """Pydantic shows the whole object in each error of a missing field, as a copy in JSON mode."""
    contract, text = Contract(Wide), _object(60_000)
    contract.check(text[:2_000] + '"}')  # what is made once is no part of it
    tracemalloc.start()
    verdict = contract.check(text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [item.code for item in verdict.findings] == ["missing"] * _FIELDS
    assert peak < 40 * len(text)


@pytest.mark.slow
@in_one_item
@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("size", [49_000, 70_000])
@pytest.mark.parametrize(
    "before",
    [
        "",
        '"field_0": 1,',
        '"field_0": "1",',
        '"field_0": "x","field_1": 1,',
        ",".join(f'"field_{n}": 1' for n in range(12)) + ",",
    ],
)
def test_a_large_answer_gets_the_findings_of_a_small_one(before: str, size: int, strict: bool) -> None:
    """One field of a wrong type, none, one or all of the required ones: below the size that matters and above it."""
    small, large = (Contract(Wide, strict=strict).check(_object(each, before)) for each in (600, size))
    assert [(one.code, one.path, one.message) for one in small.findings] == [
        (one.code, one.path, one.message) for one in large.findings
    ]
    assert small.ok == large.ok


def test_a_validator_that_breaks_is_reported_for_a_large_answer_too() -> None:
    """Its error is that of JSON mode."""

    class Broken(BaseModel):
        name: str

        @field_validator("name")
        @classmethod
        def never(cls, value: str) -> str:
            raise RuntimeError(f"{len(value)} characters")

    verdict = Contract(Broken).check('{"name": "' + "a" * 60_000 + '"}')
    assert [item.message for item in verdict.findings] == [
        "a validator of the schema raised RuntimeError: 60000 characters"
    ]


class Words(BaseModel):
    """A long list of allowed words, which each error repeats."""

    words: list[
        Literal["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r", "s", "t", "u"]
    ]


class Numbers(BaseModel):
    """The same member with other values, and one behind it."""

    words: list[int]
    last: int


def test_the_start_of_a_large_answer_decides_nothing_about_a_union() -> None:
    """It lacks the last member, and so fits neither alternative, though the whole answer fits the second."""
    answer = json.dumps({"words": [1] * 12_000, "last": 1})
    assert Contract(Words | Numbers).check(answer).ok
