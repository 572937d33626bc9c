"""A driven conversation and the same exchanges read from a recording get one judgement."""

from __future__ import annotations

import json
from typing import Any, Literal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from pytest_planguard.contract import Contract
from pytest_planguard.contract.constraints.builders import min_length, non_empty, not_copied
from pytest_planguard.retry.convergence import Convergence, Outcome
from pytest_planguard.retry.driving.loop import converge
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.judging.judging_options import JudgeOptions


class Ticket(BaseModel):
    """Three fields, so that answers can be wrong in different places."""

    title: str
    priority: Literal["low", "high"]
    days: int = 1


TICKET = Contract(Ticket, constraints=[min_length("title", 3), non_empty("priority", severity="fail")])
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


ANSWERS: list[Any] = [
    *(TITLE, TITLE_AGAIN, PRIORITY, BOTH, SHORT, SPACED, ECHO, EMPTY_PRIORITY),
    *("", "{", "prose", "[]", "null", CUT, f"```json\n{SHORT}\n```", f"<think>{TITLE}</think>{SHORT}"),
    *(_reply(SHORT), _reply(CUT, "length"), _reply("", "content_filter"), _reply("", refusal="I cannot help")),
    *(_called(SHORT), _called(TITLE, PRIORITY), GOOD),
]
SCRIPTS = st.lists(st.sampled_from(ANSWERS), min_size=1, max_size=5)


def _driven(script: list[Any], contract: Contract, **options: Any) -> Convergence:
    """Drive the whole script, unless the loop stops before."""
    answers = iter(script)
    return converge(lambda _: next(answers), "Make a ticket.", contract, max_attempts=len(script), **options)


def _recorded(found: Convergence, contract: Contract) -> Convergence:
    """What a recording of the same exchanges shows."""
    exchanges = [attempt.exchange for attempt in found.attempts]
    options = JudgeOptions(max_attempts=found.max_attempts)
    judged = judge(exchanges, [contract], options=options, conversation_ids=["1"] * len(exchanges))
    (conversation,) = judged.conversations
    return conversation


def _said(found: Convergence) -> dict[str, Any]:
    """All that both judgements must agree in."""
    return {
        "outcome": found.outcome,
        "ok": found.ok,
        "checks": [(check.name, check.status) for check in found.checks],
        "grades": [[(c.finding.identity, c.grade) for c in attempt.carried] for attempt in found.attempts],
        "repeats": [attempt.repeats for attempt in found.attempts],
        "findings": [[f.identity for f in attempt.verdict.findings] for attempt in found.attempts],
    }


@settings(max_examples=300)
@given(
    SCRIPTS,
    st.sampled_from(["dialogue", "inject", "command", "blind"]),
    st.sampled_from([TICKET, COPIED]),
    st.booleans(),
)
@example([TITLE, PRIORITY, TITLE_AGAIN], "dialogue", TICKET, True)
@example([TITLE, PRIORITY], "dialogue", TICKET, True)
@example([BOTH, BOTH, SHORT], "dialogue", TICKET, False)
@example([_reply(CUT, "length")], "dialogue", TICKET, True)
@example([SHORT, SPACED], "dialogue", TICKET, True)
@example(["", ""], "dialogue", TICKET, True)
@example([SHORT, ECHO], "dialogue", COPIED, True)
@example([_called(TITLE, PRIORITY), _called(SHORT)], "dialogue", TICKET, True)
def test_the_loop_and_a_recording_agree(script: list[Any], placement: Any, contract: Contract, stop: bool) -> None:
    """Outcome, ok, checks, grades, repeats and findings are the same, whatever the answers."""
    found = _driven(script, contract, placement=placement, stop_when_stuck=stop)
    assert _said(found) == _said(_recorded(found, contract))
