"""Checks of the user's own: they get the validated value, say nothing of what is broken, and end a loop by a crash."""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Any

import pytest
from pydantic import BaseModel, Field, field_serializer, field_validator

from pytest_planguard import Contract, custom, validation_feedback
from pytest_planguard.contract.finding import Finding


class Colour(Enum):
    """A plain enum: its members are no texts."""

    RED = "red"


class Bill(BaseModel):
    """Defaults, conversions, an alias, and types that JSON does not have."""

    net: float
    tax: float = 0
    total: Decimal = Field(alias="Total")
    day: date = date(2026, 1, 2)
    colour: Colour = Colour.RED
    tags: set[str] = set()


def seen_by(contract_of: Any, answer: str) -> list[Any]:
    """What a check gets to see."""
    seen: list[Any] = []
    contract_of(seen.append).check(answer)
    return seen


@pytest.mark.parametrize("how", ["custom", "rule"])
def test_a_check_gets_the_validated_value_as_plain_data(how: str) -> None:
    """Under JSON names; numbers stay numbers, everything else is spelt as in JSON."""

    def contract(note: Any) -> Contract:
        if how == "custom":
            return Contract(Bill, constraints=[custom("", note)])
        return Contract(Bill, rules=[lambda data, _document: note(data) or ()])

    (seen,) = seen_by(contract, '{"net": "2", "Total": "2.50", "tags": ["a"]}')
    assert seen == {
        "net": 2.0,
        "tax": 0.0,
        "Total": Decimal("2.50"),
        "day": "2026-01-02",
        "colour": "red",
        "tags": ["a"],
    }


def test_a_rule_finds_what_the_model_wrote_in_the_document() -> None:
    """The raw data is there for whoever asks."""
    seen = []

    def raw(_data: Any, document: Any) -> Iterator[Finding]:
        seen.append(document.data)
        yield from ()

    Contract(Bill, rules=[raw]).check('{"net": "2", "Total": 2}')
    assert seen == [{"net": "2", "Total": 2}]


def test_a_value_that_cannot_be_dumped_is_seen_as_it_was_written() -> None:
    """A user's own serializer may raise: the check runs all the same."""

    class Odd(BaseModel):
        a: int

        @field_serializer("a")
        def broken(self, value: int) -> int:
            raise RuntimeError(str(value))

    assert seen_by(lambda note: Contract(Odd, constraints=[custom("", note)]), '{"a": 1}') == [{"a": 1}]


def adds_up(bill: dict[str, Any]) -> str | None:
    """The first check that anybody writes."""
    return None if bill["net"] + bill["tax"] == bill["Total"] else "it does not add up"


BILL = Contract(Bill, constraints=[custom("", adds_up)])


@pytest.mark.parametrize(
    ("answer", "codes"),
    [
        ('{"net": 1, "Total": 1}', []),
        ('{"net": 1, "Total": 2}', ["adds_up"]),
        ('{"net": 1}', ["missing"]),
        ('{"net": "x", "Total": 1}', ["type"]),
        ('{"net": 1, "tax": null, "Total": 1}', ["type"]),
    ],
)
def test_a_whole_document_check_is_silent_while_the_schema_fails(answer: str, codes: list[str]) -> None:
    """No second finding about what follows from the first."""
    assert [finding.code for finding in BILL.check(answer).errors] == codes


def test_only_the_broken_item_of_a_list_is_passed_over() -> None:
    """A check of each item judges the others."""

    class Line(BaseModel):
        n: int

    class Lines(BaseModel):
        lines: list[Line]

    even = custom("lines[*]", lambda line: "odd" if line["n"] % 2 else None, name="even")
    contract = Contract(Lines, constraints=[even])
    found = contract.check('{"lines": [{"n": "x"}, {"n": 3}, {"n": 2}]}').errors
    assert [(finding.code, finding.path) for finding in found] == [("type", ("lines", 0, "n")), ("even", ("lines", 1))]


def crashes(bill: dict[str, Any]) -> None:
    """A slip in the user's own code."""
    raise KeyError(bill["nothing"])


def test_a_crash_ends_a_loop_and_is_never_fed_back() -> None:
    """It is of severity fail, names the place in the user's code, and no feedback has it."""
    verdict = Contract(Bill, constraints=[custom("", crashes), custom("net", lambda _: "too small")]).check(
        '{"net": 1, "Total": 1}'
    )
    crash = next(finding for finding in verdict.errors if finding.code == "rule_crashed")
    assert (crash.severity, crash.message) == ("fail", "the check itself raised KeyError: 'nothing'")
    assert crash.hint is not None
    assert crash.hint.startswith("raised in test_own_checks_in_loops.py:")
    assert crash.hint.endswith('crashes: raise KeyError(bill["nothing"])')
    assert verdict.reask == "no"
    assert "too small" in validation_feedback(verdict)
    assert "raised" not in validation_feedback(verdict)
    assert validation_feedback([crash]) == ""


def test_a_value_of_another_type_than_its_fields_is_seen_without_a_warning() -> None:
    """A validator may return what it likes."""

    class Loose(BaseModel):
        number: int = Field(alias="Number")

        @field_validator("number")
        @classmethod
        def spelt(cls, value: int) -> Any:
            return f"number {value}"

    (seen,) = seen_by(lambda note: Contract(Loose, rules=[lambda data, _: note(data) or ()]), '{"Number": 2}')
    assert seen == {"Number": "number 2"}


def test_keys_of_any_type_are_seen_as_json_spells_them() -> None:
    """As texts."""
    by_day = dict[date | int | Colour | str, int]
    (seen,) = seen_by(
        lambda note: Contract(by_day, rules=[lambda data, _: note(data) or ()]), '{"2026-01-02": 1, "7": 2, "red": 3}'
    )
    assert seen == {"2026-01-02": 1, "7": 2, "red": 3}
    assert all(type(key) is str for key in seen)


def test_a_rule_that_yields_texts_is_a_crash() -> None:
    """A check never raises; the finding says what a rule returns."""

    def says_no(_data: Any, _document: Any) -> Any:
        yield "too long"

    (found,) = Contract(None, rules=[says_no]).check('{"a": 1}').findings
    assert (found.code, found.hint) == ("rule_crashed", None)
    assert "a rule returns findings; got 'too long': write Finding(code, path, message)" in found.message
