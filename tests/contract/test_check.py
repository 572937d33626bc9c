"""The short way of a good answer says what the full check says."""

from pydantic import BaseModel

from pytest_planguard.contract import Contract
from pytest_planguard.contract.failure_kinds import FailureKind, Reask, strictest


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
