"""A second error beside the only finding: both are there, or nothing is planted."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from pytest_planguard import Contract
from pytest_planguard.contract.constraints.builders import min_length
from pytest_planguard.retry.proving.repair import Repaired, repair
from pytest_planguard.retry.proving.second_error import Companion, planted


class Ticket(BaseModel):
    """Three fields, in this order."""

    title: str
    hours: int
    steps: list[str]


def companion(text: str, contract: Contract) -> Companion | None:
    """What is planted beside the only finding of a text."""
    verdict = contract.check(text)
    (finding,) = verdict.errors
    repaired = repair(finding, verdict, contract)
    assert isinstance(repaired, Repaired)
    return planted(finding, verdict, repaired, contract)


@pytest.mark.parametrize(
    ("text", "place", "behind"),
    [
        ('{"title": 7, "hours": 2, "steps": []}', "hours", True),
        ('{"hours": 2, "steps": [], "title": 7}', "hours", False),
        ('{"title": "x", "hours": 2, "steps": [1]}', "title", False),
        ('{"steps": [1], "title": "x", "hours": 2}', "title", False),
        ('{"title": "x", "steps": []}', "steps", True),
    ],
    ids=["first", "last in the text", "last of all", "last in the schema", "missing"],
)
def test_one_error_more_is_planted(text: str, place: str, behind: bool) -> None:
    """The repaired answer has the planted error alone; `behind` says whether it comes second in schema and text."""
    contract = Contract(Ticket)
    (finding,) = contract.check(text).errors
    found = companion(text, contract)
    assert found is not None
    both, left = contract.check(found.answer), contract.check(found.repaired.text)
    assert [f.identity for f in left.errors] == [f.identity for f in both.errors if f.identity != finding.identity]
    assert (len(both.errors), found.place, found.behind, found.repaired.valid) == (2, place, behind, False)


class Noted(BaseModel):
    """Its second field takes any value: only taking it out is an error."""

    title: str
    note: Any


def test_a_field_that_was_taken_out_may_be_named_first() -> None:
    """A validator may ask for missing fields before it reads the others, whatever the order of schema and text."""
    found = companion('{"title": 7, "note": "x"}', Contract(Noted))
    assert found is not None
    assert (found.answer.replace(" ", ""), found.place, found.behind) == ('{"title":7}', "note", False)


@pytest.mark.parametrize(
    ("contract", "text"),
    [
        (Contract(list[int]), '[1, "x"]'),
        (Contract(dict[str, Any], constraints=[min_length("title", 3)]), '{"title": "x", "free": 1}'),
    ],
    ids=["no members", "anything goes"],
)
def test_where_nothing_can_be_made_wrong_nothing_is_planted(contract: Contract, text: str) -> None:
    """A document without members, and one in which every other value is right, get no second error."""
    assert companion(text, contract) is None
