"""How the check of the feedback counts findings."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from pytest_planguard import Contract, judge
from pytest_planguard.retry.judging.judging_options import JudgeOptions
from pytest_planguard.retry.outcomes import Firmness
from pytest_planguard.wire.exchange import Exchange, Item, ItemKind, Role

from ....support.conversations import GOOD, PLAN, SYSTEM, Plan, Spoken, conversation, dialogue

WRONG = json.dumps({"tasks": [{"id": 1}, {"id": "x", "status": "Draft"}]})
"""The goal and a status are missing, and an id is no number."""


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "quux goal\nfrob tasks[0].status\nfrob tasks[1].id",
            "the wording alone does not show whether attempt 2's request feeds back 1 of 3 findings of attempt 1",
        ),
        ("goal is missing", "attempt 2's request lacks 2 of 3 findings of attempt 1"),
        ("goal is missing\ntasks[0].status is missing", "attempt 2's request lacks 1 of 3 findings of attempt 1"),
    ],
)
def test_only_findings_that_are_not_fed_back_are_counted(words: str, message: str) -> None:
    """Those that reading cannot tell, or those that are missing."""
    turns = [("system", SYSTEM), ("user", "Plan the release of version two")]
    again = [*turns, ("assistant", WRONG), ("user", words)]
    (judged,) = judge(conversation(Spoken(turns, WRONG), Spoken(again, GOOD)), [PLAN]).conversations
    assert next(check.message for check in judged.checks if check.name == "feedback") == message


@pytest.mark.parametrize(
    ("answers", "thread", "status", "message"),
    [
        ([GOOD], "", "not applicable", "there was no retry"),
        ([GOOD], "t1", "not applicable", "there was no retry"),
        ([WRONG, GOOD], "t1", "not applicable", "the server holds the conversation"),
        ([WRONG, GOOD], "", "fail", "a retry sends the same request again"),
    ],
)
def test_only_a_retry_that_holds_the_conversation_is_fresh_or_not(
    answers: list[str], thread: str, status: str, message: str
) -> None:
    """The same body to a server that knows what was said is another request."""
    turns = [("system", SYSTEM), ("user", "Plan the release of version two")]
    spoken = conversation(*(Spoken(turns, answer) for answer in answers))
    (judged,) = judge([replace(one, thread=thread or None) for one in spoken], [PLAN]).conversations
    check = judged.check("fresh")
    assert (check.status.value, check.message) == (status, message)


def evidence(words: str, **options: Any) -> tuple[str, ...]:
    """Return the lines of the check of the feedback."""
    judged = judge(dialogue(words, bad=WRONG), [PLAN], options=JudgeOptions(**options)).conversations[0]
    return judged.check("feedback").evidence


def test_each_finding_that_is_not_fed_back_has_a_line() -> None:
    """Its place and message, the reason, and the messages that were searched."""
    assert evidence("goal is missing\ntasks[0].status is missing") == (
        (
            'attempt 1, tasks[1].id: expected an integer; got "x"; the words are about other places '
            "(goal, tasks[0].status), not tasks[1].id. Searched: message 4 of request 2"
        ),
    )


def test_a_finding_that_is_not_fed_back_firmly_enough_has_its_words() -> None:
    """Instead of a reason."""
    told = "- goal: Field required\n- tasks[0].status: Field required\n- tasks[1].id: must be an integer"
    assert evidence(told, weakest=Firmness.VERBATIM) == (
        (
            'attempt 1, tasks[1].id: expected an integer; got "x"; found only as located: request 2, message 4: '
            "- tasks[1].id: must be an integer. Searched: message 4 of request 2"
        ),
    )


def test_of_several_calls_each_finding_says_its_call() -> None:
    """Except those of the first bad one, which the places refer to."""
    texts = (GOOD, WRONG, GOOD, '{"goal": "Ship it"}')
    calls = tuple(Item(ItemKind.CALL, Role.ASSISTANT, text, f"c{n}", "Plan") for n, text in enumerate(texts))
    asked = (Item(ItemKind.TEXT, Role.USER, "Plan it"),)
    exchange = Exchange(1, "openai.chat", request=asked, answer=calls)
    (found,) = judge([exchange], [Contract(Plan, judged="Plan")]).conversations
    notes = [[one.message for one in error.related] for error in found.attempts[0].verdict.errors]
    assert notes == [[], [], [], ["this concerns call 4 of the answer"]]
