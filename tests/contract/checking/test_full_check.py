"""A check in full: what the schema has said already is not said again by constraints and rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel

from pytest_planguard.contract.contract import Contract
from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding


class Inner(BaseModel):
    """A part."""

    a: int


class Outer(BaseModel):
    """A whole."""

    inner: Inner
    other: int


def always(data: Any, document: object) -> Iterator[Finding]:
    """A rule that finds fault with three places, whatever the document."""
    for path in (("inner", "a"), ("inner",), ("other",)):
        yield Finding("always", path, "never good", FailureKind.RULE)


@pytest.mark.parametrize(
    ("answer", "places"),
    [
        ('{"inner": {"a": 1}, "other": 2}', [("inner", "a"), ("inner",), ("other",)]),
        ('{"inner": "text", "other": 2}', [("other",)]),
        ('{"other": 2}', [("other",)]),
        ('{"inner": {"a": "x"}, "other": 2}', [("inner",), ("other",)]),
        ("[1, 2]", []),
    ],
    ids=["nothing", "a wrong part", "a missing part", "a wrong field", "a wrong root"],
)
def test_nothing_is_said_below_a_place_of_the_wrong_type(answer: str, places: list[tuple[str, ...]]) -> None:
    """Where a value is missing or has the wrong type, the root included, nothing can be said about what it holds."""
    verdict = Contract(Outer, rules=[always]).check(answer)
    assert sorted(f.path for f in verdict.errors if f.code == "always") == sorted(places)
