"""A finding as a value: what makes two of them equal, what is shown, and what a place changes."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any

from pydantic import BaseModel

from pytest_planguard import Contract
from pytest_planguard.contract.constraints.scene import CheckContext
from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.contract.finding import Finding, Related, Severity, finding_data
from pytest_planguard.document.positions import Span

PLAIN = Finding("enum", ("a", 0), "expected 1; got 2", FailureKind.ENUM)
VALUES: dict[str, Any] = {
    "code": "type",
    "path": ("b",),
    "message": "expected another",
    "kind": FailureKind.TYPE,
    "severity": Severity.FAIL,
    "span": Span(1, 2, 3),
    "expected": "1",
    "actual": "2",
    "hint": "did you mean 1?",
    "related": (Related("the first", ("c",)),),
    "validator_code": "literal_error",
    "validator_message": "Input should be 1",
    "owner": "Ticket",
    "allowed": ([1], {"a": 2}),
    "replaces": (PLAIN,),
    "quote": "- x = 1",
    "inside": ("b",),
}


def test_what_a_finding_has_where_nothing_else_is_said() -> None:
    """It is fed back, has no place, and replaces nothing."""
    given = {one.name: getattr(PLAIN, one.name) for one in fields(Finding)}
    assert given == {
        **dict.fromkeys(VALUES),
        "code": "enum",
        "path": ("a", 0),
        "message": "expected 1; got 2",
        "kind": FailureKind.ENUM,
        "severity": Severity.RETRY,
        "related": (),
        "allowed": (),
        "replaces": (),
        "quote": "",
        "inside": (),
    }
    assert (Related("x").path, Related("x").span) == ((), None)
    assert CheckContext() == CheckContext((), (), (), ())


def test_each_value_tells_two_findings_apart_but_what_one_replaces() -> None:
    """What it replaces is not shown either."""
    assert list(VALUES) == [one.name for one in fields(Finding)]
    differing = [name for name, value in VALUES.items() if replace(PLAIN, **{name: value}) != PLAIN]
    assert differing == [name for name in VALUES if name != "replaces"]
    shown = repr(Finding(**VALUES))
    assert [name for name in VALUES if f"{name}=" not in shown] == ["replaces"]


def test_a_finding_of_listed_values_that_cannot_be_hashed_is_hashable() -> None:
    """A listed value may be a list; the values count for equality alone."""
    one = replace(PLAIN, allowed=([1],))
    assert {one, PLAIN, replace(one)} == {one, PLAIN}


# A finding as plain JSON types.


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
        "message": 'expected an integer; got "x"',
        "kind": "type",
        "severity": "retry",
        "span": {"line": 2, "column": 16, "end_line": 2, "end_column": 19},
        "expected": "an integer",
        "actual": '"x"',
        "hint": None,
        "related": [],
        "inside": [],
    }
    assert json.loads(json.dumps(data)) == data


def test_a_finding_without_a_place() -> None:
    """What stands nowhere in the text has no span; the path to the root is empty."""
    data = finding_data(Finding("empty", (), "the answer is empty", FailureKind.EMPTY))
    assert (data["path"], data["span"]) == ([], None)
