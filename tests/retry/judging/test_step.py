"""What happened between an answer and the request that reacts to it."""

from __future__ import annotations

import pytest

from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.judging.step import StepKind
from pytest_planguard.wire.exchange import Role

from ...wire.talk import CHAT, said, talk

TASK = {"role": "user", "content": "Say hi. Use the format Thought, Action, Observation."}
FORMAT = "Invalid Format: I missed the 'Action:' after 'Thought:'. I MUST use one tool at a time."


def kind(answer: str, told: str, role: str = "assistant") -> StepKind | None:
    """The kind of the step from an answer to the request that tells the model this."""
    turns = [{"role": role, "content": f"{answer}{told}"}]
    if role == "user":
        turns = [{"role": "assistant", "content": answer}, {"role": "user", "content": told}]
    reply = {"choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": answer}}]}
    first = talk(CHAT, {"model": "m", "messages": [TASK]}, reply)
    second = talk(CHAT, {"model": "m", "messages": [TASK, *turns]}, reply)
    assert second.request[0] == said(Role.USER, TASK["content"])
    return judge([first, second], []).kinds[1]


@pytest.mark.parametrize("role", ["assistant", "user"])
def test_result_of_a_written_call_is_a_step(role: str) -> None:
    """An error that the tool reports, and instructions behind it, reject no answer."""
    call = "Thought: I should greet\nAction: Say Hi\nAction Input: {}"
    told = f"\nObservation: \nThis was the error: Simulated tool error. [type=missing]\n{FORMAT}"
    assert kind(call, told, role) is StepKind.TOOL_STEP


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("Thought: I should greet now and then", "\nObservation: title: Field required [type=missing]"),
        (
            "Thought: greet\nAction: Say Hi\nAction Input: {",
            "\ntitle: Field required [type=missing]\nObservation:",
        ),
    ],
    ids=["no action", "feedback before the observation"],
)
def test_rejected_format_is_a_probable_retry(answer: str, told: str) -> None:
    """If nothing was called, or the result isn't all that the request adds."""
    assert kind(answer, told, "user") is StepKind.PROBABLE_RETRY
