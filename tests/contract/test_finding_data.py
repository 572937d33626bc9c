"""A finding as plain JSON types."""

from __future__ import annotations

import json

from pydantic import BaseModel

from pytest_planguard import Contract
from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding, finding_data


class Ticket(BaseModel):
    """One field."""

    steps: list[int]


def test_a_finding_survives_json() -> None:
    """Path as a list, place counted from 1, enumerations as their words: the same after a round trip."""
    (finding,) = Contract(Ticket).check('{\n  "steps": [1, "x"]}').findings
    data = finding_data(finding)
    assert data == {
        "code": "type",
        "path": ["steps", 1],
        "kind": "type",
        "severity": "retry",
        "message": 'expected an integer; got "x"',
        "line": 2,
        "column": 16,
        "expected": "an integer",
        "actual": '"x"',
        "hint": None,
    }
    assert json.loads(json.dumps(data)) == data


def test_a_finding_without_a_place() -> None:
    """What stands nowhere in the text has neither line nor column; the path to the root is empty."""
    data = finding_data(Finding("empty", (), "the answer is empty", FailureKind.EMPTY))
    assert (data["path"], data["line"], data["column"]) == ([], None, None)
