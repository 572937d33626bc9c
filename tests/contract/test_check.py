"""The short way of a good answer says what the full check says."""

from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel

from pytest_planguard import UsageError
from pytest_planguard.contract import Contract
from pytest_planguard.contract.failure_kinds import FailureKind, Reask, strictest
from pytest_planguard.contract.finding import Finding


class Ticket(BaseModel):
    """A schema alone, without constraints and rules."""

    title: str


GOOD = '{"title": "Fix it"}'


def test_what_was_taken_off_a_good_answer_is_noted():
    """A fence is no fault, and is told all the same."""
    verdict = Contract(Ticket).check(f"```json\n{GOOD}\n```")
    assert verdict.ok
    assert [(found.code, found.severity.value) for found in verdict.findings] == [("fence", "info")]


def test_how_a_good_answer_ended_counts():
    """A limit that was reached is noted; a refusal is one whatever the text says."""
    contract = Contract(Ticket)
    assert contract.check(GOOD, finish="stop").findings == ()
    assert [found.code for found in contract.check(GOOD, finish="length").findings] == ["truncated"]
    assert contract.check(GOOD, refusal="I cannot").kind is FailureKind.REFUSAL


def test_the_strictest_of_several_kinds_decides():
    """One that asking again cannot help outweighs one that it can; with none there is nothing to ask."""
    mixed = [FailureKind.TYPE, FailureKind.TRUNCATED, FailureKind.MISSING]
    assert strictest(mixed) is Reask.NOT_AT_THIS_LIMIT
    assert strictest([*mixed, FailureKind.REFUSAL]) is Reask.NO
    assert strictest([FailureKind.TYPE]) is Reask.YES
    assert strictest([]) is Reask.NO


class Markdown:
    """A rule on plans in Markdown."""

    __name__ = "my_rule"
    reads = "markdown"

    def __call__(self, data: Any, document: object) -> Iterator[Finding]:
        """Find nothing."""
        yield from ()


TEXT, NUMBER = {"type": "string"}, {"type": "integer"}


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"a": TEXT, "b": TEXT, "c": NUMBER}, "b"),
        ({"a": TEXT}, "a"),
        ({"a": NUMBER}, "FIELD"),
        ({"a": {"anyOf": [TEXT]}}, "FIELD"),
    ],
)
def test_a_rule_on_markdown_is_refused_for_answers_in_json(fields: dict[str, Any], field: str) -> None:
    """The message names the last text of the schema as the field that may hold the plan."""
    with pytest.raises(UsageError) as caught:
        # A rule of data before it is no reason to look at no other.
        Contract({"title": "Plan", "type": "object", "properties": fields}, rules=[lambda _data, _doc: (), Markdown()])
    assert str(caught.value) == (
        f'my_rule judges Markdown: got Plan, whose answers are JSON; name the field that holds the plan: at="{field}"'
    )


@pytest.mark.parametrize("schema", [None, {}, TEXT, {"anyOf": [NUMBER, TEXT]}, {"anyOf": [NUMBER, {"anyOf": [TEXT]}]}])
def test_a_rule_on_markdown_fits_a_schema_that_takes_a_text(schema: Any) -> None:
    """And a contract without a schema."""
    assert Contract(schema, rules=[Markdown()], format="markdown").check("# Plan").ok


@pytest.mark.parametrize(("code", "covers"), [("type", True), ("missing", True), ("length", False), ("extra", False)])
def test_what_is_wrong_with_a_value_covers_what_is_below(code: str, covers: bool) -> None:
    """If there is no such value, or one of another type; the finding of a rule on it goes with it."""
    answers = {
        "type": {"a": "x"},
        "missing": {},
        "length": {"a": {"b": 1, "c": 2}},
        "extra": {"a": {"b": 1}, "z": 1},
    }
    part = {"type": "object", "maxProperties": 1}
    schema = {"required": ["a"], "properties": {"a": part}, "additionalProperties": False}

    def below(data: Any, document: object) -> Iterator[Finding]:
        yield Finding("below", ("a", "b"), "never good", FailureKind.RULE)

    found = [one.code for one in Contract(schema, rules=[below]).check(answers[code]).errors]
    assert found == ([code] if covers else [code, "below"])
