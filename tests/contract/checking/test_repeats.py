"""What two constraints say of the same field: once where it is the same, twice where it is not."""

from __future__ import annotations

import pytest

from pytest_planguard.contract import Contract
from pytest_planguard.contract.constraints.builders import max_length, min_length, non_empty, regex


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
