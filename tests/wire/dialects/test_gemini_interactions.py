"""Gemini's interactions, whole and streamed."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_planguard.wire.exchange import Exchange, Finish, Item, ItemKind, Role, Usage

from ..talk import called, plain, said, sse, talk

URL = "https://generativelanguage.googleapis.com/v1beta/interactions"
ASK: dict[str, Any] = {"model": "gemini-3", "input": "Plan it"}
SCHEMA = {"type": "object"}
CALL = {"type": "function_call", "id": "c1", "name": "f", "arguments": {"n": 1}}


def output(*texts: str) -> dict[str, Any]:
    """A step of the model with these parts."""
    return {"type": "model_output", "content": [{"type": "text", "text": text} for text in texts]}


def answer(*steps: dict[str, Any], status: str = "completed", **rest: Any) -> dict[str, Any]:
    """A whole answer."""
    return {"id": "i1", "object": "interaction", "status": status, "steps": list(steps), **rest}


def request(**body: Any) -> Exchange:
    """The exchange of a request with these keys and a plain answer."""
    return talk(URL, {**ASK, **body}, answer(output("ok")))


def test_plain_answer() -> None:
    """A whole exchange is read into every field it fills; thoughts are dropped and count as output."""
    usage = {"total_input_tokens": 7, "total_output_tokens": 2, "total_thought_tokens": 30}
    exchange = talk(URL, ASK, answer({"type": "thought", "signature": "x"}, output("{", "}"), usage=usage))
    assert exchange == plain(
        exchange, "gemini.interactions", URL, model="gemini-3", response_id="i1", usage=Usage(7, 32)
    )
    assert talk(URL, ASK, answer(output("a"))).usage == Usage()


@pytest.mark.parametrize(
    ("status", "finish"),
    [("requires_action", Finish.TOOL_CALLS), ("incomplete", Finish.LENGTH), ("failed", Finish.ERROR), ("new", None)],
)
def test_statuses(status: str, finish: Finish | None) -> None:
    """Each status has its place; a call that completed an interaction is a call."""
    assert talk(URL, ASK, answer(output("a"), status=status)).finish is finish
    exchange = talk(URL, ASK, answer(CALL))
    assert (exchange.finish, exchange.calls) == (Finish.TOOL_CALLS, (called("f", '{"n": 1}', "c1", {"n": 1}),))


@pytest.mark.parametrize(
    ("sent", "items"),
    [
        ({"type": "text", "text": "hi"}, (said(Role.USER, "hi"),)),
        ([{"type": "text", "text": "hi"}, {"type": "image"}], (said(Role.USER, "hi"), said(Role.USER, "<image>"))),
        ([{"role": "model", "content": "yes"}], (said(Role.ASSISTANT, "yes"),)),
        ([{"type": "user_input", "content": [{"type": "text", "text": "hi"}]}, {"type": "function_result",
          "call_id": "c1", "name": "f", "result": [{"type": "text", "text": "bad n"}], "is_error": True}],
         (said(Role.USER, "hi"), Item(ItemKind.RESULT, Role.TOOL, "bad n", "c1", "f", is_error=True))),
    ],
)  # fmt: skip
def test_inputs(sent: Any, items: tuple[Item, ...]) -> None:
    """One content, several, turns with a role, and steps."""
    assert request(input=sent).request == items


def test_settings_and_held_state() -> None:
    """Tools, choice, schema and sampling; an earlier interaction by its id, a cache by its name."""
    exchange = request(
        system_instruction="Be brief",
        previous_interaction_id="i0",
        cached_content="cachedContents/c",
        tools=[{"type": "function", "name": "f", "parameters": SCHEMA, "description": "does"}],
        generation_config={"max_output_tokens": 5, "tool_choice": "any", "thinking_level": "low"},
        response_format=[{"type": "image"}, {"type": "text", "schema": {"type": "OBJECT"}}],
    )
    assert exchange.request[0] == said(Role.SYSTEM, "Be brief")
    assert exchange.previous_id == "i0"
    assert (exchange.tools, exchange.tool_choice, exchange.output_schema) == ({"f": SCHEMA}, "required", SCHEMA)
    assert exchange.sampling == {"max_tokens": 5}
    assert request().output_schema is None


def test_stream() -> None:
    """Steps grow by their deltas; the last event has status and usage; a whole list of steps at the end counts."""
    end = {"event_type": "interaction.completed", "interaction": {"id": "i1", "status": "requires_action"}}
    events = [
        {"event_type": "step.start", "index": 0, "step": {"type": "thought"}},
        {"event_type": "step.delta", "index": 1, "delta": {"type": "text", "text": "a"}},
        {"event_type": "step.delta", "index": 1, "delta": {"type": "text", "text": "b"}},
        {"event_type": "step.start", "index": 2, "step": {**CALL, "arguments": {}}},
        {"event_type": "step.delta", "index": 2, "delta": {"type": "arguments_delta", "arguments": '{"n":'}},
        {"event_type": "step.delta", "index": 2, "delta": {"type": "arguments_delta", "arguments": " 1}"}},
    ]
    exchange = talk(URL, ASK, sse(*events, end))
    assert exchange.answer == (said(Role.ASSISTANT, "ab"), called("f", '{"n": 1}', "c1", {"n": 1}))
    assert (exchange.finish, exchange.response_id) == (Finish.TOOL_CALLS, "i1")
    whole = {"event_type": "interaction.completed", "interaction": answer(output("whole"))}
    assert talk(URL, ASK, sse(*events, whole)).answer_text == "whole"
    assert talk(URL, ASK, sse(*events[:2])).finish is None


def test_errors_and_strangers() -> None:
    """An error alone, with a status, or in a stream; other answers stay raw."""
    error = {"error": {"code": "quota", "message": "no quota"}}
    event = {"event_type": "error", **error}
    for exchange in (talk(URL, ASK, error), talk(URL, ASK, error, status=429), talk(URL, ASK, sse(event))):
        assert (exchange.dialect, exchange.error, exchange.finish) == ("gemini.interactions", "no quota", Finish.ERROR)
    assert talk(URL, ASK, {"a": 1}).dialect == "raw"
