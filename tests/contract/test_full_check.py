"""A check in full: what the schema has said already is not said again by constraints and rules."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel

from pytest_planguard.contract import Contract
from pytest_planguard.contract.constraints.builders import distinct, max_length, min_length, non_empty, regex
from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding, Severity
from pytest_planguard.document.limits import MAX_PROBLEMS


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


# Of the errors of a schema, and of what breaks one constraint, the first 1,000 are reported.


CONTRACTS = {
    "model": Contract(list[int]),
    "json schema": Contract({"items": {"type": "integer"}}),
    "constraint": Contract(None, constraints=[non_empty("[*]")]),
}


@pytest.mark.slow
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
    notes = [(item.code, item.severity, item.message, item.hint) for item in more.findings if not item.severity.bad]
    assert notes == [("too_many_errors", Severity.INFO, words, None)]  # the answer is bad in any case
    assert full.findings == full.errors


def test_each_constraint_has_its_own_thousand() -> None:
    """The findings of one do not hide those of another."""
    contract = Contract(None, constraints=[distinct(""), non_empty("[*]")])
    codes = [item.code for item in contract.check(json.dumps([""] * (MAX_PROBLEMS + 9))).findings]
    assert {code: codes.count(code) for code in codes} == {"distinct": MAX_PROBLEMS, "non_empty": MAX_PROBLEMS}


# What two constraints say of the same field: once where it is the same, twice where it is not.


@pytest.mark.parametrize(("answer", "code"), [('{"a": 3}', "type"), ('{"a": {}}', "missing")])
@pytest.mark.parametrize(("one", "other"), [("warn", "fail"), ("fail", "warn"), ("info", "retry")])
def test_a_field_that_is_absent_or_of_a_wrong_type_is_said_once_with_the_graver_severity(
    answer: str, code: str, one: str, other: str
) -> None:
    """Each constraint on `a.b` misses it; the order of the constraints does not matter."""
    constraints = [non_empty("a.b", severity=one), min_length("a.b", 2, severity=other)]
    findings = Contract({}, constraints=constraints).check(answer).findings
    assert [(item.code, item.severity.value) for item in findings] == [(code, max(one, other, key=_RANK.index))]


def test_two_rules_that_a_value_breaks_are_both_said() -> None:
    """So are two severities of one rule."""
    constraints = [
        regex("a", "[0-9]"),
        max_length("a", 1),
        max_length("a", 2),
        max_length("a", 2, severity="warn"),
        max_length("a", 2),
    ]
    findings = Contract({}, constraints=constraints).check('{"a": "xyz"}').findings
    assert [(item.code, item.severity.value) for item in findings] == [
        ("regex", "retry"),
        ("max_length", "retry"),
        ("max_length", "retry"),
        ("max_length", "warn"),
    ]


def test_the_first_of_two_types_that_were_expected_is_said() -> None:
    """Where both are as grave."""
    constraints = [min_length("a[*]", 1), min_length("a.b", 1)]
    found = [Contract({}, constraints=order).check('{"a": 5}').findings for order in (constraints, constraints[::-1])]
    assert [[one.message for one in each] for each in found] == [
        ["expected a list; got 5"],
        ["expected an object; got 5"],
    ]


_RANK = ["info", "warn", "retry", "fail"]


def test_an_answer_that_was_cut_off_is_judged_no_further() -> None:
    """What is there reads as a document: what it lacks would have come after the cut."""
    verdict = Contract({"type": "object", "required": ["title", "steps"]}).check("title: x", finish="length")
    assert [found.code for found in verdict.findings] == ["truncated"]
    assert verdict.data == {"title": "x"}
