"""What later requests bring to a run of an assistant, and what its request means."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_planguard.wire.assistant_threads import with_later_answers
from pytest_planguard.wire.decode import decode
from pytest_planguard.wire.exchange import Exchange, Finish, ItemKind, Message, Role

from .talk import said

HOST = "https://api.openai.com/v1"
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}}
MADE = {
    "model": "m",
    "instructions": "Be brief.",
    "response_format": {"type": "json_schema", "json_schema": {"name": "t", "schema": SCHEMA}},
}
CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}


def run(status: str, key: str = "r1", **more: Any) -> dict[str, Any]:
    """A run of the thread t1 in this state."""
    return {"id": key, "object": "thread.run", "thread_id": "t1", "status": status, **more}


def message(text: str, key: str, role: str = "assistant") -> dict[str, Any]:
    """A message of the thread."""
    content = [{"type": "text", "text": {"value": text, "annotations": []}}]
    return {"object": "thread.message", "role": role, "run_id": key, "content": content}


def listed(*messages: Any) -> dict[str, Any]:
    """Messages of a thread."""
    return {"object": "list", "data": list(messages)}


def recorded(*sent: tuple[str, str, Any, Any]) -> list[Exchange]:
    """Decode method, path, request and response of each exchange."""
    return [
        decode(number, Message({}, json.dumps(asked).encode() if asked else b"", method, f"{HOST}{path}"),
               Message({}, json.dumps(reply).encode()))
        for number, (method, path, asked, reply) in enumerate(sent, 1)
    ]  # fmt: skip


def test_run_of_an_assistant() -> None:
    """Model, instructions and schema are the assistant's; the messages are those since the last run."""
    found = with_later_answers(recorded(
        ("POST", "/assistants", MADE, {"id": "a1", "object": "assistant"}),
        ("POST", "/threads", {"messages": [{"role": "user", "content": "one"}]}, {"id": "t1", "object": "thread"}),
        ("POST", "/threads/t1/messages", {"role": "user", "content": "two"}, {"object": "thread.message"}),
        ("POST", "/threads/t1/runs", {"assistant_id": "a1", "temperature": 0}, run("queued")),
        ("GET", "/threads/t1/runs/r1", None, run("completed")),
        ("GET", "/threads/t1/messages?order=asc", None, listed(message("x", "r1", "user"), message("A", "r1"))),
        ("POST", "/threads/t1/runs", {"assistant_id": "a1"}, run("queued", "r2")),
        ("GET", "/threads/t1/messages", None, listed(message("C", "r2"), message("B", "r2"), message("A", "r1"))),
    ))  # fmt: skip
    one, two = found[3], found[6]
    assert one.request == (said(Role.SYSTEM, "Be brief."), said(Role.USER, "one"), said(Role.USER, "two"))
    assert (one.model, one.output_schema, one.sampling, one.thread) == ("m", SCHEMA, {"temperature": 0}, "t1")
    assert (one.answer_text, one.finish, one.pending) == ("A", Finish.STOP, False)
    assert two.request == (said(Role.SYSTEM, "Be brief."),)
    assert two.answer_text == "B\nC"
    assert found[5].note == "it brings the answer to request 4"
    assert with_later_answers(found) == found


def test_run_that_creates_its_thread_and_calls_a_tool() -> None:
    """The thread is named in the answer, and the calls come with the run's state."""
    asked = {"assistant_id": "a9", "thread": {"messages": [{"role": "user", "content": "one"}]}}
    action = {"submit_tool_outputs": {"tool_calls": [CALL]}}
    outputs = {"tool_outputs": [{"tool_call_id": "c1", "output": "5"}]}
    found = with_later_answers(recorded(
        ("POST", "/threads/runs", asked, run("queued")),
        ("GET", "/threads/t1/runs/r1", None, run("requires_action", required_action=action)),
        ("POST", "/threads/t1/runs/r1/submit_tool_outputs", outputs, run("queued")),
        ("GET", "/threads/t1/messages", None, listed(message("A", "r1"))),
    ))  # fmt: skip
    assert (found[0].thread, found[0].request, [c.name for c in found[0].calls]) == (
        "t1",
        (said(Role.USER, "one"),),
        ["f"],
    )
    assert (found[2].request[0].kind, found[2].answer_text) == (ItemKind.RESULT, "A")


@pytest.mark.parametrize("body", [b"{}", b"[1]", b'{"data": [1, {"run_id": [], "content": 5}]}', b"\xff"])
def test_hostile_list_of_messages(body: bytes) -> None:
    """It brings nothing, and the run's answer stays pending."""
    (ask,) = recorded(("POST", "/threads/t1/runs", {"assistant_id": "a"}, run("queued")))
    found = with_later_answers(
        [ask, decode(2, Message({}, b"", "GET", f"{HOST}/threads/t1/messages"), Message({}, body))]
    )
    assert found[0].pending
