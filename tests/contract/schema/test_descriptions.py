"""What the schema says about a field, in the findings and the feedback of a contract with `describe=True`."""

import json
from typing import Literal

import pytest
from hypothesis import given
from pydantic import BaseModel, Field

from pytest_planguard import Contract, non_empty, validation_feedback
from pytest_planguard.contract.schema.schema_fields import LIMIT, description_of

from ...support.json_values import JSON_VALUES


class Step(BaseModel):
    """A docstring is about the model."""

    action: str = Field(description="What to do, in the imperative.")


class Ticket(BaseModel):
    """A ticket."""

    priority: Literal["low", "high"] = Field(description="How urgent it is.\n  One word.")
    first: Step = Field(description="Done at once.")
    steps: list[Step] = Field(default=[], description="x" * 500)
    due: str | None = Field(default=None, description="A day.")
    notes: dict[str, Step] = {}


SCHEMA = Ticket.model_json_schema()
GOOD = {"priority": "low", "first": {"action": "Look."}, "notes": {}}
BAD = '{"priority": "hig", "first": {"action": 1}}'


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (("priority",), "How urgent it is. One word."),
        (("first",), "Done at once."),
        (("first", "action"), "What to do, in the imperative."),
        (("steps", 3, "action"), "What to do, in the imperative."),
        (("notes", "any", "action"), "What to do, in the imperative."),
        (("due",), "A day."),
        (("steps",), "x" * (LIMIT - 1) + "…"),
        (("steps", 3), None),
        (("gone", 0, "x"), None),
        ((), None),
    ],
)
def test_the_description_of_a_field(path: tuple[str | int, ...], text: str | None) -> None:
    """Through models, lists, dicts and options; on one line, bounded."""
    assert description_of(SCHEMA, path) == text


TUPLE = {
    "prefixItems": [{"description": "The first."}, {"description": "The second."}],
    "items": {"description": "Any other."},
    "properties": {"named": {"description": "A name."}, "blank": {"description": " "}, "odd": {"description": 3}},
    "additionalProperties": {"description": "Another name."},
    "description": "The whole.",
}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ((0,), "The first."),
        ((1,), "The second."),
        ((2,), "Any other."),
        (("named",), "A name."),
        (("other",), "Another name."),
        (("blank",), None),
        (("odd",), None),
        (("named", "x"), None),
        ((), None),
    ],
)
def test_the_description_of_a_place_in_any_schema(path: tuple[str | int, ...], text: str | None) -> None:
    """Each place of a tuple has its own; what is no text says nothing."""
    assert description_of(TUPLE, path) == text


def test_a_schema_with_alternatives_describes_its_own_members() -> None:
    """It names its type, and each alternative only demands other members."""
    either = {"anyOf": [{"required": ["x"]}, {"required": ["y"]}], "additionalProperties": {"description": "Any."}}
    assert description_of({"properties": {"a": {"type": "object", **either}}}, ("a", "x")) == "Any."
    assert description_of({"type": "object", **either}, ("x",)) == "Any."


def test_the_feedback_says_it_where_it_is_asked_for() -> None:
    """Behind the hint that the finding has already; without `describe` the text is as before."""
    plain, described = Contract(Ticket), Contract(Ticket, describe=True)
    lines = validation_feedback(described.check(BAD)).splitlines()
    assert lines[1] == (
        '1. /priority (line 1): expected one of "low", "high"; got "hig" (did you mean "high"? the schema says: '
        '"How urgent it is. One word.")'
    )
    assert lines[2] == (
        '2. /first/action (line 1): expected a string; got 1 (the schema says: "What to do, in the imperative.")'
    )
    assert "the schema says" not in validation_feedback(plain.check(BAD))
    assert plain.digest != described.digest


@given(JSON_VALUES)
def test_nothing_else_changes(value: object) -> None:
    """The same findings, at the same places; a good answer has its value."""
    plain, described = Contract(Ticket).check(value), Contract(Ticket, describe=True).check(value)
    assert [found.identity for found in plain.findings] == [found.identity for found in described.findings]
    assert (plain.ok, plain.kind, plain.value) == (described.ok, described.kind, described.value)


def test_a_contract_without_a_schema_has_no_descriptions() -> None:
    """Its findings are as ever; those that pass get none either."""
    rules = [non_empty("a")]
    plain, asked = (Contract(None, constraints=rules, describe=describe) for describe in (False, True))
    assert asked.check({}).findings == plain.check({}).findings
    noted = Contract(Ticket, describe=True).check(json.dumps(GOOD)).findings
    assert {found.code: found.hint for found in noted} == {"defaulted": None}
