"""Apps of many shapes, recorded with the OpenAI SDK: the correct one holds, the broken one fails for its reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from pytest_planguard.contract.contract import Contract
from pytest_planguard.contract.failure_kinds import FailureKind
from pytest_planguard.replay.files.reader import read_cassette
from pytest_planguard.retry.judging.after_acceptance import CLOSING_MESSAGE, SAMPLE
from pytest_planguard.retry.judging.judge import Judgement, judge
from pytest_planguard.retry.judging.judging_options import JudgeOptions
from pytest_planguard.retry.judging.request_contracts import AutoContracts
from pytest_planguard.retry.judging.routing import NO_DEMAND
from pytest_planguard.retry.outcomes import CheckStatus, Outcome

from ...support.one_item import in_one_item

FOLDER = Path(__file__).parents[3] / "cassettes" / "shapes"
TOLD = ("correct", "broken", "drops_one")
"""What an app says of two errors: both, none, the first."""
ASKED_AGAIN = {
    "second_system": TOLD,
    "json_result": TOLD,
    "fresh_prompt": TOLD,
    "repair_model": TOLD,
    "parallel_calls": TOLD,
    "other_members": TOLD,
    "short_of_tokens": TOLD[:2],  # an answer that was cut off has one error
}
"""By the shape of an app: the ways in which it was recorded."""


class Ticket(BaseModel):
    title: str = Field(min_length=3)
    priority: Literal["low", "medium", "high"]


class OneTicket(BaseModel):
    ticket: Ticket


class Tickets(BaseModel):
    tickets: list[Ticket]


class Meta(BaseModel):
    mood: str
    lines: int


class Person(BaseModel):
    name: str
    age: int


TICKET, WHOLE = Contract(Ticket), Contract(Ticket, extract="whole")
WRAPPED, LISTED, META = Contract(OneTicket), Contract(Tickets), Contract(Meta)
EXTRACT = (Contract(Meta, judged="extract"), Contract(Person, judged="extract"))
HELD: list[tuple[str, tuple[Contract, ...], list[int], dict[int, str]]] = [
    ("closing.correct", (TICKET,), [2], {3: CLOSING_MESSAGE}),
    ("closing_at_once.correct", (TICKET,), [1], {2: CLOSING_MESSAGE}),
    ("text_for_call.correct", (TICKET,), [2], {}),
    ("one_argument.correct", (WRAPPED,), [2], {}),
    ("item.correct", (LISTED,), [2], {}),
    ("critic.correct", (META,), [1], {1: NO_DEMAND}),
    ("question.correct", (META,), [1], {2: NO_DEMAND}),
    ("two_schemas.correct", EXTRACT, [1, 1], {}),
    ("samples.correct", (TICKET,), [1, 1], {2: SAMPLE}),
    ("twice.correct", (TICKET,), [1, 1], {}),
    ("stricter.correct", (WHOLE,), [2], {}),
]
"""Recording, contracts, attempts of each conversation, and why exchanges are left out."""
BROKEN: list[tuple[str, tuple[Contract, ...], str]] = [
    ("closing.broken", (TICKET,), "feedback"),
    ("text_for_call.broken", (TICKET,), "feedback"),
    ("one_argument.broken", (WRAPPED,), "feedback"),
    ("item.broken", (LISTED,), "feedback"),
    ("critic.broken", (META,), "feedback"),
    ("question.broken", (META,), "feedback"),
    ("two_schemas.broken", EXTRACT, "valid"),
    ("samples.broken", (TICKET,), "feedback"),
    ("twice.broken", (TICKET,), "valid"),
    ("stricter.correct", (TICKET,), "agreed"),
    ("stricter.broken", (TICKET,), "agreed"),
    ("stricter.broken", (WHOLE,), "feedback"),
    ("laxer.broken", (TICKET,), "agreed"),
]
"""Recording, contracts, and the check that names the true reason."""


def judged(name: str, *contracts: Contract, **options: Any) -> Judgement:
    """The judgement of one cassette."""
    exchanges = read_cassette(FOLDER / f"{name}.yaml").exchanges
    return judge(exchanges, contracts, options=JudgeOptions(**options))


@pytest.mark.parametrize(("name", "contracts", "attempts", "left_out"), HELD, ids=[row[0] for row in HELD])
def test_a_correct_app_holds(
    name: str, contracts: tuple[Contract, ...], attempts: list[int], left_out: dict[int, str]
) -> None:
    """Every conversation converges with no check failed, and what is no attempt says why."""
    found = judged(name, *contracts)
    assert [c.outcome for c in found.conversations] == [Outcome.CONVERGED] * len(attempts)
    assert [[k.name for k in c.checks if k.status is CheckStatus.FAIL] for c in found.conversations] == [[]] * len(
        attempts
    )
    assert [len(c.attempts) for c in found.conversations] == attempts
    assert dict(found.reasons) == left_out


@in_one_item
@pytest.mark.parametrize(("name", "contracts", "check"), BROKEN, ids=[f"{row[0]}-{row[2]}" for row in BROKEN])
def test_a_broken_app_fails_for_its_true_reason(name: str, contracts: tuple[Contract, ...], check: str) -> None:
    """Some conversation fails the check that the app's fault is about."""
    found = judged(name, *contracts)
    assert check in {k.name for c in found.conversations for k in c.checks if k.status is CheckStatus.FAIL}
    assert not all(c.ok for c in found.conversations)


@in_one_item
@pytest.mark.parametrize("named", [True, False], ids=["by the contract", "by the schemas of requests"])
@pytest.mark.parametrize("shape", ASKED_AGAIN)
def test_each_way_to_ask_again(shape: str, *, named: bool) -> None:
    """A second system message, a result in JSON, a fresh prompt, a repair model, parallel calls, and so on."""
    for way in ASKED_AGAIN[shape]:
        exchanges = read_cassette(FOLDER / f"{shape}.{way}.yaml").exchanges
        contracts = [TICKET] if named else AutoContracts().of(exchanges)
        (found,) = judge(exchanges, contracts, options=JudgeOptions(partial=not named)).conversations
        failed = {check.name for check in found.checks if check.status is CheckStatus.FAIL}
        assert (len(found.attempts), found.outcome.value) == (2, "converged")
        assert ("feedback" in failed, found.ok) == (way != "correct", way == "correct"), (way, failed)


def test_an_app_that_is_stricter_than_its_contract_is_one_conversation() -> None:
    """The message names the way out; a blind retry after an accepted answer never begins a second conversation."""
    (found,) = judged("stricter.broken", TICKET).conversations
    assert len(found.attempts) == 2
    agreed = found.check("agreed")
    assert agreed.message == (
        'the app rejects an answer that the contract accepts: set extract="whole", '
        "or add the app's rule to the contract"
    )
    assert agreed.evidence == (
        "attempt 2 was requested although attempt 1 meets the contract, apart from the text around its document",
    )


def test_by_the_schemas_of_requests_alone_nothing_is_held_against_the_app() -> None:
    """A partial contract fails neither `agreed` nor `stops`: the app may have rules and a budget of its own."""
    (found,) = judged("stricter.broken", TICKET, partial=True, max_attempts=1).conversations
    assert found.check("agreed").status is CheckStatus.NOT_APPLICABLE
    assert found.check("stops").status is CheckStatus.WARN
    assert found.ok


def test_a_text_for_a_call_has_both_findings_and_either_is_carried_by_the_other() -> None:
    """A text that should have been a call is answered by "Invalid JSON"."""
    (found,) = judged("text_for_call.correct", TICKET).conversations
    first = found.attempts[0]
    assert [f.code for f in first.verdict.errors] == ["prose", "no_tool_call"]
    assert {c.label for c in first.fed_back} <= {"verbatim", "located", "weak"}


def test_a_declared_hand_over_warns() -> None:
    """The final message is no attempt, the outcome is escalated, and the invalid last answer is a warning."""
    found = judged("escalated", TICKET, escalates=("hand this over",))
    (one,) = found.conversations
    assert (one.outcome, one.ok, len(one.attempts)) == (Outcome.ESCALATED, True, 2)
    assert one.check("valid").status is CheckStatus.WARN
    assert one.check("valid").message.endswith("handed over as declared: hand this over")
    assert found.reasons == {3: "the declared handover: hand this over"}
    assert not judged("escalated", TICKET).conversations[0].ok


def test_other_outcomes_and_kinds_are_reached() -> None:
    """No progress, a loop at the token limit, and requests that no model answered."""
    assert [c.outcome for c in judged("no_progress", TICKET).conversations] == [Outcome.NO_PROGRESS]
    assert [c.attempts[0].verdict.kind for c in judged("loop", TICKET).conversations] == [FailureKind.LOOP]
    assert judged("auth", TICKET).unanswered == {1: FailureKind.AUTH}
    assert judged("transport", TICKET).unanswered == {1: FailureKind.TRANSPORT}
