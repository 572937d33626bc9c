"""How the check of the feedback counts findings."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pytest_planguard import judge

from ....support.conversations import GOOD, PLAN, SYSTEM, Spoken, conversation

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
