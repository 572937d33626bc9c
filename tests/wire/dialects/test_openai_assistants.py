"""OpenAI assistants: streamed runs, calls that a run waits for, and what stays raw."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_planguard.wire.exchange import Exchange, Finish, Item, ItemKind, Role, Usage

from ..talk import called, said, talk

RUNS = "https://api.openai.com/v1/threads/t1/runs"
ASK: dict[str, Any] = {"assistant_id": "a1"}
CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"n": 1}'}}
ACTION = {"type": "submit_tool_outputs", "submit_tool_outputs": {"tool_calls": [CALL]}}


def run(status: str, **rest: Any) -> dict[str, Any]:
    """A run in this state."""
    return {"id": "run_1", "object": "thread.run", "status": status, "model": "gpt-4o", **rest}


def events(*pairs: tuple[str, Any]) -> bytes:
    """A stream of named events."""
    return "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in pairs).encode()


def piece(text: str, message: str = "m1") -> tuple[str, dict[str, Any]]:
    """One delta of a message."""
    content = [{"index": 0, "type": "text", "text": {"value": text}}]
    return "thread.message.delta", {"id": message, "object": "thread.message.delta", "delta": {"content": content}}


def message(text: str, **rest: Any) -> dict[str, Any]:
    """A whole message of the thread."""
    content = [{"type": "text", "text": {"value": text, "annotations": []}}]
    return {"id": "m1", "object": "thread.message", "role": "assistant", "content": content, **rest}


def streamed(*pairs: tuple[str, Any]) -> Exchange:
    """The exchange of a streamed run."""
    return talk(RUNS, {**ASK, "stream": True}, events(*pairs))


def test_streamed_run() -> None:
    """The deltas of a message are the answer."""
    usage = {"prompt_tokens": 7, "completion_tokens": 2}
    exchange = streamed(
        ("thread.run.created", run("queued")),
        ("thread.run.step.delta", {"object": "thread.run.step.delta", "delta": {"step_details": {}}}),
        ("thread.message.created", message("", status="in_progress")),
        piece('{"n"'),
        piece(": 1}"),
        ("thread.run.completed", run("completed", usage=usage)),
    )
    assert (exchange.dialect, exchange.answer) == ("openai.assistants", (said(Role.ASSISTANT, '{"n": 1}'),))
    assert (exchange.finish, exchange.usage, exchange.model) == (Finish.STOP, Usage(7, 2), "gpt-4o")
    assert exchange.response_id == "run_1"


def test_a_completed_message_replaces_its_deltas() -> None:
    """The whole message counts; a second message is a second text."""
    completed = ("thread.message.completed", message("whole", status="completed"))
    assert streamed(piece("who"), completed, piece("next", "m2")).answer_text == "whole\nnext"


def test_calls_that_a_run_waits_for() -> None:
    """Polled or streamed, the calls are there; their outputs come back as results."""
    waiting = run("requires_action", required_action=ACTION)
    for exchange in (talk(RUNS, ASK, waiting), streamed(("thread.run.requires_action", waiting))):
        assert exchange.calls == (called("f", '{"n": 1}', "c1", {"n": 1}),)
        assert exchange.finish is Finish.TOOL_CALLS
    outputs = {"tool_outputs": [{"tool_call_id": "c1", "output": "5"}], "stream": True}
    exchange = talk(f"{RUNS}/run_1/submit_tool_outputs", outputs, events(piece("ok")))
    assert exchange.request == (Item(ItemKind.RESULT, Role.TOOL, "5", "c1"),)
    assert (exchange.answer_text, exchange.finish) == ("ok", None)


def test_request() -> None:
    """What the request adds to the thread, its tools, schema and sampling."""
    body = {
        **ASK,
        "model": "gpt-4o",
        "instructions": "Be brief",
        "additional_instructions": "Be kind",
        "additional_messages": [{"role": "assistant", "content": "hi"}],
        "thread": {"messages": [{"role": "user", "content": [{"type": "text", "text": "Plan it"}]}]},
        "tools": [{"type": "code_interpreter"}, {"type": "function", "function": {"name": "f", "parameters": {}}}],
        "tool_choice": "required",
        "response_format": {"type": "json_schema", "json_schema": {"schema": {"type": "object"}}},
        "max_completion_tokens": 5,
    }
    exchange = talk("https://h/v1/threads/runs", body, events(piece("ok")))
    assert exchange.request == (
        said(Role.SYSTEM, "Be brief"), said(Role.SYSTEM, "Be kind"), said(Role.USER, "Plan it"),
        said(Role.ASSISTANT, "hi"),
    )  # fmt: skip
    assert (exchange.tools, exchange.tool_choice, exchange.output_schema) == ({"f": {}}, "required", {"type": "object"})
    assert exchange.sampling == {"max_tokens": 5}


@pytest.mark.parametrize(
    ("state", "finish", "error"),
    [
        (run("failed", last_error={"code": "server_error", "message": "broken"}), Finish.ERROR, "broken"),
        (run("expired"), Finish.ERROR, None),
        (run("incomplete", incomplete_details={"reason": "max_completion_tokens"}), Finish.LENGTH, None),
        (run("incomplete", incomplete_details={"reason": "content_filter"}), Finish.CONTENT_FILTER, None),
    ],
)
def test_ends(state: dict[str, Any], finish: Finish, error: str | None) -> None:
    """How a run ended, polled or streamed."""
    for exchange in (talk(RUNS, ASK, state), streamed(("thread.run.failed", state))):
        assert (exchange.finish, exchange.error) == (finish, error)


def test_errors() -> None:
    """An error with a status, with 200, and one within a stream."""
    error = {"error": {"message": "no such assistant"}}
    assert talk(RUNS, ASK, error).error == "no such assistant"
    assert streamed(("error", error)).error == "no such assistant"


@pytest.mark.parametrize("state", [run("queued"), run("in_progress"), run("completed")])
def test_polled_run(state: dict[str, Any]) -> None:
    """Its answer is pending until a later request brings it."""
    exchange = talk(RUNS, ASK, state)
    assert (exchange.pending, exchange.response_id, exchange.answer) == (True, "run_1", ())


def test_no_run() -> None:
    """Another object is no answer to a run."""
    assert talk(RUNS, ASK, {"object": "thread.message"}).dialect == "raw"


def test_a_stream_of_something_else() -> None:
    """Events of no run are no answer."""
    assert streamed(("x", {"a": 1})).dialect == "raw"
