"""Of the errors of a schema, and of what breaks one constraint, the first 1,000 are reported."""

from __future__ import annotations

import json

import pytest

from pytest_planguard.contract import Contract
from pytest_planguard.contract.constraints.builders import distinct, non_empty
from pytest_planguard.contract.severity import Severity
from pytest_planguard.document.limits import MAX_PROBLEMS

CONTRACTS = {
    "model": Contract(list[int]),
    "json schema": Contract({"items": {"type": "integer"}}),
    "constraint": Contract(None, constraints=[non_empty("[*]")]),
}


@pytest.mark.parametrize("count", [MAX_PROBLEMS - 1, MAX_PROBLEMS, MAX_PROBLEMS + 1])
@pytest.mark.parametrize("name", CONTRACTS)
def test_a_thousand_findings_are_reported(name: str, count: int) -> None:
    """In the order of the answer."""
    findings = CONTRACTS[name].check(json.dumps([""] * count)).errors
    assert [item.path for item in findings] == [(index,) for index in range(min(count, MAX_PROBLEMS))]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("model", "1,000 of 1,001 errors were looked at"),
        ("json schema", "1,000 errors were looked at, and there are more"),
    ],
)
def test_a_note_says_how_many_errors_of_the_schema_were_looked_at(name: str, words: str) -> None:
    """Only where there are more."""
    full, more = (CONTRACTS[name].check(json.dumps([""] * count)) for count in (MAX_PROBLEMS, MAX_PROBLEMS + 1))
    notes = [(item.code, item.severity, item.message) for item in more.findings if not item.severity.bad]
    assert notes == [("too_many_errors", Severity.INFO, words)]
    assert full.findings == full.errors


def test_each_constraint_has_its_own_thousand() -> None:
    """The findings of one do not hide those of another."""
    contract = Contract(None, constraints=[distinct(""), non_empty("[*]")])
    codes = [item.code for item in contract.check(json.dumps([""] * (MAX_PROBLEMS + 9))).findings]
    assert {code: codes.count(code) for code in codes} == {"distinct": MAX_PROBLEMS, "non_empty": MAX_PROBLEMS}
