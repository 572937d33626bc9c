"""From how much work on pydantic is not asked, and how many of its errors are read."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import BaseModel

from pytest_planguard import Contract
from pytest_planguard.contract.finding import Severity

from .schemas import nested
from .test_deep_answers import Node


class Box(BaseModel):
    """Pydantic visits a box 4 times, a text in it 8 times, and a tree of n levels 36 * 2^(n - 1) - 10 times."""

    trees: list[Node]


class Odd(Box):
    """One visit more."""

    number: int
    other: int = 0


TEN_THOUSAND = [nested(levels, "x", kind="optional") for levels in (9, 5, 3, 1)] + ["x"] * 8
"""Takes 9,996 visits."""
THREE_HUNDRED_THOUSAND = [nested(levels, "x", kind="optional") for levels in (14, 8, 4, 3, 1, 1)] + ["x"] * 4
"""Takes 299,996 visits."""


BOX, ODD = Contract(Box), Contract(Odd)


def found(contract: Contract[Any], **answer: Any) -> list[tuple[str, Severity, str]]:
    """Code, severity and message of what a check says."""
    return [(one.code, one.severity, one.message) for one in contract.check(json.dumps(answer)).findings]


WRONG = [*TEN_THOUSAND[:-1], 5]
WRONG_ITEM = ("type", Severity.RETRY, "expected an object or a string; got 5")


def test_pydantic_judges_a_wrong_answer_of_ten_thousand_visits() -> None:
    """Of one more it is not asked, as the JSON Schema rejects the answer."""
    assert found(BOX, trees=WRONG) == [WRONG_ITEM]
    message = "the validators of Odd were not asked: the alternatives of its unions take 10,001 steps"
    assert found(ODD, trees=WRONG, number=1) == [WRONG_ITEM, ("validators_not_asked", Severity.INFO, message)]


def test_pydantic_judges_a_good_answer_of_three_hundred_thousand_visits() -> None:
    """Of one more it is not asked, so nobody knows whether the answer is good."""
    assert found(BOX, trees=THREE_HUNDRED_THOUSAND) == []
    message = "the validators of Odd were not asked: the alternatives of its unions take 300,001 steps"
    assert found(ODD, trees=THREE_HUNDRED_THOUSAND, number=1) == [("validators_not_asked", Severity.RETRY, message)]


@pytest.mark.slow
def test_five_hundred_errors_of_pydantic_are_read() -> None:
    """Three for each wrong tree, and one for the number; of one more, those of the JSON Schema are read."""
    tree = nested(1, "x", kind="optional")
    assert [code for code, *_ in found(ODD, trees=[tree, *[5] * 166], number="x", other="y")] == ["type"] * 168
    message = "0 of pydantic's 501 errors were looked at; the findings are those of the JSON Schema"
    assert found(ODD, trees=[tree, *[5] * 167], number=1) == [WRONG_ITEM] * 167 + [
        ("too_many_errors", Severity.INFO, message)
    ]
