"""Ways in which an app is stricter than its contract: never a silent second conversation, and the true reason."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_planguard.contract.contract import Contract
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.outcomes import CheckStatus
from pytest_planguard.retry.results import Convergence
from pytest_planguard.wire.decode import decode_bodies
from pytest_planguard.wire.exchange import Exchange

from ...support.conversations import BAD, GOOD, SYSTEM, Plan, Spoken, conversation
from ...support.one_item import in_one_item

EMBEDDED, WHOLE = Contract(Plan), Contract(Plan, extract="whole")
TASK = "Plan the release of version two"
WRAPPED = {
    "fence": f"```json\n{GOOD}\n```",
    "words": f"Here is the plan:\n{GOOD}",
    "thoughts": f"<think>two tasks will do</think>\n{GOOD}",
}
BLIND = ("That was not valid, try again.", "Try again.")
INVALID = "That was not valid: Invalid JSON: expected value at line 1 column 1"


def loop(first: str, feedback: str, second: str = GOOD) -> tuple[Convergence, ...]:
    """The conversations of an app that asks again with `feedback`, judged by the contract that takes wrappers off."""
    return judged(EMBEDDED, first, feedback, second)


def judged(contract: Contract, first: str, feedback: str, second: str = GOOD) -> tuple[Convergence, ...]:
    """The conversations of such an app."""
    base = [("system", SYSTEM), ("user", TASK)]
    retry = [*base, ("assistant", first), ("user", feedback)]
    return judge(conversation(Spoken(base, first), Spoken(retry, second, seed=2)), [contract]).conversations


def failed(found: Convergence) -> set[str]:
    """Names of the failed checks."""
    return {check.name for check in found.checks if check.status is CheckStatus.FAIL}


@in_one_item
@pytest.mark.parametrize("wrapper", WRAPPED)
@pytest.mark.parametrize(
    "feedback",
    [
        *BLIND,
        "Invalid JSON. Please return valid JSON only.",
        "Your answer could not be parsed. Fix it.",
        "Bitte nur JSON.",
        INVALID,
    ],
)
def test_an_app_that_parses_the_whole_answer(wrapper: str, feedback: str) -> None:
    """By the embedded contract `agreed` fails; by the whole one the blind app fails and the fixed one passes."""
    (found,) = loop(WRAPPED[wrapper], feedback)
    assert (len(found.attempts), failed(found)) == (2, {"agreed"})
    (whole,) = judged(WHOLE, WRAPPED[wrapper], feedback)
    if feedback == INVALID:
        assert whole.ok
    if feedback in BLIND:
        assert "feedback" in failed(whole)


@pytest.mark.parametrize("feedback", ["That was not valid, try again.", "The answer was rejected: too few tasks."])
def test_an_app_with_a_rule_of_its_own(feedback: str) -> None:
    """A rule that no contract has: the next answer differs, and the app asked again all the same."""
    (found,) = loop(GOOD, feedback, GOOD.replace("Ship", "Sell"))
    assert failed(found) == {"agreed"}


@pytest.mark.parametrize(
    "turn",
    [
        "Now plan the party",
        "Now a plan for the bug: the login page says invalid password, please try again",
        "Thank you. The error budget of March is wrong in the report, plan how to correct it",
        "Make it shorter",
        "Why two tasks?",
    ],
)
def test_the_next_task_of_a_chat_is_no_rejection(turn: str) -> None:
    """A new task may speak of errors; only words about the answer reject it."""
    found = loop(GOOD, turn, GOOD.replace("Ship", "Sell"))
    assert [len(one.attempts) for one in found] == [1, 1]
    assert all(one.ok for one in found)


def test_a_rejected_answer_is_not_called_agreed() -> None:
    """Where the contract rejects the answer, too, the app and the contract agree."""
    (found,) = loop(BAD, "- goal: Field required")
    assert found.check("agreed").status is CheckStatus.PASS


HUNK = (
    "```diff\n--- calc.py\n+++ calc.py\n@@ -1,2 +1,2 @@\n-def add(a, b):\n+def add(a, b) -> {}:\n     return a\n```\n"
)
BLOCK = "calc.py\n<<<<<<< SEARCH\ndef add(a, b):\n=======\ndef add(a, b) -> {}:\n>>>>>>> REPLACE\n"


@in_one_item
@pytest.mark.parametrize("edits", [HUNK, BLOCK], ids=["hunk", "block"])
@pytest.mark.parametrize(
    "feedback", ["Some diffs were not found in the code:", "1 SEARCH/REPLACE block failed to match!"]
)
def test_an_app_that_cannot_apply_edits(edits: str, feedback: str) -> None:
    """The file has changed meanwhile, which the contract does not know."""
    contract = Contract(None, format="markdown", name="edits")
    (found,) = judged(contract, edits.format("int"), feedback, edits.format("float"))
    assert failed(found) == {"agreed"}


@in_one_item
@pytest.mark.parametrize(
    "told", ["Error: goal exists", '{"ok": false}', "None of these answers is valid.", "All of them were wrong."]
)
def test_an_app_that_rejects_in_a_tool_or_several_choices(told: str) -> None:
    """The check `agreed` fails for any shape of an answer that the contract accepts."""
    tool = told.startswith(("Error", "{"))
    call = {"id": "c1", "type": "function", "function": {"name": "save", "arguments": GOOD}}
    said = (
        {"role": "assistant", "content": None, "tool_calls": [call]} if tool else {"role": "assistant", "content": GOOD}
    )
    turns = [{"role": "user", "content": TASK}]
    answer = {"role": "tool", "tool_call_id": "c1", "content": told} if tool else {"role": "user", "content": told}
    choices = [said] if tool else [{"role": "assistant", "content": BAD}, said]
    made = [_exchange(1, turns, choices, tool=tool), _exchange(2, [*turns, said, answer], choices[-1:], tool=tool)]
    (found,) = judge(made, [Contract(Plan, judged="save" if tool else "auto")]).conversations
    assert failed(found) == {"agreed"}


def _exchange(number: int, turns: list[dict[str, Any]], choices: list[dict[str, Any]], *, tool: bool) -> Exchange:
    save = {"type": "function", "function": {"name": "save", "parameters": Plan.model_json_schema()}}
    body = {"model": "m", "messages": turns, "n": len(choices), **({"tools": [save]} if tool else {})}
    end = "tool_calls" if tool else "stop"
    listed = [{"index": at, "message": one, "finish_reason": end} for at, one in enumerate(choices)]
    answer = {"id": str(number), "object": "chat.completion", "model": "m", "choices": listed}
    url = "https://api.example.com/v1/chat/completions"
    return decode_bodies(number, body, answer, url=url)
