"""A driven conversation and the same exchanges read from a cassette get one judgement."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import BaseModel

from pytest_planguard.contract import Contract
from pytest_planguard.contract.constraints.builders import min_length, non_empty, not_copied
from pytest_planguard.retry.budget import Budget
from pytest_planguard.retry.judging.judge import DrivenLoop, judge
from pytest_planguard.retry.judging.judging_options import JudgeOptions
from pytest_planguard.retry.loop import converge
from pytest_planguard.retry.outcomes import CheckStatus, Firmness, Outcome, StopReason
from pytest_planguard.retry.results import Convergence


class Ticket(BaseModel):
    """Three fields, so that answers can be wrong in different places."""

    title: str
    priority: Literal["low", "high"]
    days: int = 1


TICKET = Contract(Ticket, constraints=[min_length("title", 3)])
STRICT = Contract(None, constraints=[min_length("title", 3), non_empty("priority", severity="fail")], name="Ticket")
COPIED = Contract(Ticket, constraints=[min_length("title", 3), not_copied("title", min_words=3)])

GOOD = '{"title": "Put it out", "priority": "high"}'
TITLE = '{"title": 1, "priority": "low"}'
TITLE_AGAIN = '{"title": 2, "priority": "low"}'
PRIORITY = '{"title": "Put it out", "priority": "urgent"}'
BOTH = '{"title": 3, "priority": "soon", "days": "two"}'
SHORT = '{"title": "x", "priority": "low"}'
SPACED = ' {"title":  "x",\n "priority": "low"}'
ECHO = '{"title": "expected at least 3 characters", "priority": "low"}'
EMPTY_PRIORITY = '{"title": "Put it out", "priority": ""}'
CUT = '{"title": "Put it o'


def _reply(text: str, finish: str = "stop", refusal: str | None = None) -> dict[str, Any]:
    message = {"role": "assistant", "content": text, "refusal": refusal}
    usage = {"prompt_tokens": 10, "completion_tokens": 5}
    return {"choices": [{"index": 0, "finish_reason": finish, "message": message}], "usage": usage}


def _called(*arguments: str) -> dict[str, Any]:
    """A response that calls the output tool, once for each."""
    calls = [
        {"id": f"c{number}", "type": "function", "function": {"name": "Ticket", "arguments": text}}
        for number, text in enumerate(arguments)
    ]
    message = {"role": "assistant", "content": None, "tool_calls": calls}
    return {"choices": [{"index": 0, "finish_reason": "tool_calls", "message": message}]}


TEXTS: list[Any] = [
    *(TITLE, TITLE_AGAIN, PRIORITY, BOTH, SHORT, SPACED, ECHO, EMPTY_PRIORITY),
    *("{", "prose", "[]", "null", CUT, f"```json\n{SHORT}\n```", f"<think>{TITLE}</think>{SHORT}"),
    *(_reply(SHORT), _reply(CUT, "length"), GOOD),
]
ANSWERS: list[Any] = [
    *TEXTS,
    *("", _reply("", "content_filter"), _reply("", refusal="I cannot help")),
    *(_called(SHORT), _called(TITLE, PRIORITY)),
]
PLACEMENTS = ["dialogue", "inject", "command", "blind"]


def _driven(script: list[Any], contract: Contract, **options: Any) -> Convergence:
    """Drive the whole script, unless the loop stops before."""
    answers = iter(script)
    return converge(lambda _: next(answers), "Make a ticket.", contract, max_attempts=len(script), **options)


def _recorded(found: Convergence, contract: Contract, *loops: DrivenLoop) -> Convergence:
    """What a cassette of the same exchanges shows."""
    exchanges = [attempt.exchange for attempt in found.attempts]
    options = JudgeOptions(max_attempts=found.max_attempts)
    ids = [found.conversation] * len(exchanges)
    (recorded,) = judge(exchanges, [contract], options=options, conversation_ids=ids, loops=loops).conversations
    return recorded


def _judgement(found: Convergence) -> dict[str, Any]:
    """All that both must agree in."""
    return {
        "outcome": found.outcome,
        "ok": found.ok,
        "checks": [(check.name, check.status) for check in found.checks],
        "grades": [[(c.finding.identity, c.label) for c in attempt.fed_back] for attempt in found.attempts],
        "repeats": [attempt.repeats for attempt in found.attempts],
        "findings": [[f.identity for f in attempt.verdict.findings] for attempt in found.attempts],
    }


@given(
    script=st.lists(st.sampled_from(ANSWERS), min_size=1, max_size=5),
    placement=st.sampled_from(PLACEMENTS),
    contract=st.sampled_from([TICKET, COPIED, STRICT]),
    stop=st.booleans(),
)
@example(script=[_reply("", "content_filter"), GOOD], placement="dialogue", contract=TICKET, stop=True)
@example(script=["", ""], placement="dialogue", contract=TICKET, stop=True)
@example(script=[TITLE, "prose", "", ""], placement="dialogue", contract=TICKET, stop=False)
@example(script=[_called(TITLE, PRIORITY), _called(SHORT)], placement="dialogue", contract=TICKET, stop=True)
@example(script=["", _called(SHORT)], placement="blind", contract=TICKET, stop=True)
def test_the_loop_and_its_recording_agree(script: list[Any], placement: Any, contract: Contract, *, stop: bool) -> None:
    """Outcome, ok, checks, grades, repeats and findings are the same, whatever the answers."""
    found = _driven(script, contract, placement=placement, stop_when_stuck=stop)
    loop = DrivenLoop.of(found)
    assert _judgement(found) == _judgement(_recorded(found, contract, loop))


@given(
    script=st.lists(st.sampled_from(TEXTS), min_size=1, max_size=5),
    placement=st.sampled_from(PLACEMENTS),
    contract=st.sampled_from([TICKET, COPIED, STRICT]),
    stop=st.booleans(),
)
@example(script=[TITLE, PRIORITY, TITLE_AGAIN], placement="dialogue", contract=TICKET, stop=True)
@example(script=[TITLE, PRIORITY], placement="dialogue", contract=TICKET, stop=True)
@example(script=[BOTH, BOTH, SHORT], placement="dialogue", contract=TICKET, stop=False)
@example(script=[_reply(CUT, "length")], placement="dialogue", contract=TICKET, stop=True)
@example(script=[SHORT, SPACED], placement="dialogue", contract=TICKET, stop=True)
@example(script=[SHORT, ECHO], placement="dialogue", contract=COPIED, stop=True)
def test_the_exchanges_alone_tell(script: list[Any], placement: Any, contract: Contract, *, stop: bool) -> None:
    """So does a cassette of which nobody knows that planguard drove it: the loop's word decides nothing here.

    Left out are answers without words, whose requests a cassette may take for a second conversation, and tool calls,
    which only a real request declares.
    """
    found = _driven(script, contract, placement=placement, stop_when_stuck=stop)
    assert _judgement(found) == _judgement(_recorded(found, contract))


@pytest.mark.parametrize(
    ("script", "outcome", "reason"),
    [
        ([TITLE, PRIORITY, TITLE_AGAIN], Outcome.OSCILLATING, StopReason.BUDGET_SPENT),
        ([TITLE, PRIORITY], Outcome.REGRESSED, StopReason.BUDGET_SPENT),
        ([BOTH, PRIORITY], Outcome.EXHAUSTED, StopReason.BUDGET_SPENT),
        ([_reply(CUT, "length")], Outcome.EXHAUSTED, StopReason.CANNOT_HELP),
        ([_reply(CUT, "length"), GOOD], Outcome.STOPPED, StopReason.CANNOT_HELP),
        ([SHORT, SPACED, GOOD], Outcome.STUCK, StopReason.STUCK),
        ([ECHO], Outcome.CONVERGED, StopReason.ANSWERED),
    ],
)
def test_outcome_and_reason(script: list[Any], outcome: Outcome, reason: StopReason) -> None:
    """The outcome speaks of the answers, the reason of the loop."""
    found = _driven(script, TICKET)
    assert (found.outcome, found.stop_reason) == (outcome, reason)


def test_what_only_the_loop_knows() -> None:
    """A spent budget of tokens stands in no cassette: with the loop's word it is exhausted, without it stopped."""
    answers = iter([_reply(SHORT), GOOD])
    found = converge(lambda _: next(answers), "Make a ticket.", TICKET, budget=Budget(attempts=3, tokens=15))
    loop = DrivenLoop.of(found)
    assert (found.outcome, found.stop_reason) == (Outcome.EXHAUSTED, StopReason.BUDGET_SPENT)
    assert _recorded(found, TICKET, loop).outcome is Outcome.EXHAUSTED
    assert _recorded(found, TICKET).outcome is Outcome.STOPPED


def test_a_repeated_blind_request_stays_in_its_conversation() -> None:
    """The same request three times looks like three conversations, unless the loop says that it is one."""
    found = _driven(["", _called(SHORT), SHORT], TICKET, placement="blind", stop_when_stuck=False)
    assert len(found.attempts) == 3
    assert found.check("feedback").status is CheckStatus.FAIL


def test_the_other_call_has_its_findings_in_the_first_result() -> None:
    """The loop answers the first of two bad calls with all findings, and the second with "Not run": none is missing."""
    found = _driven([_called(TITLE, PRIORITY), _called(GOOD)], TICKET)
    read = _recorded(found, TICKET)
    assert [c.label for c in read.attempts[0].fed_back] == [Firmness.VERBATIM, Firmness.VERBATIM]
    assert read.check("feedback").status is CheckStatus.PASS
