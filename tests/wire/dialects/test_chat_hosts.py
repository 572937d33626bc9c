"""What hosts of OpenAI-compatible chat do in their own way."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_planguard.wire.dialects.dialect_table import DIALECTS
from pytest_planguard.wire.exchange import Finish, Role

from ...support.one_item import in_one_item
from ..talk import CHAT, RESPONSES, called, said, sse, talk

ASK: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "Plan it"}]}


def choice(finish: str = "stop", **message: Any) -> dict[str, Any]:
    """A whole answer."""
    return {"choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", **message}}]}


def test_azure_names_the_model_in_the_path() -> None:
    """A deployment is the model where the body names none."""
    url = "https://me.openai.azure.com/openai/deployments/gpt-4o/chat/completions?api-version=2024-10-21"
    assert talk(url, {"messages": ASK["messages"]}, choice(content="ok")).model == "gpt-4o"


@pytest.mark.parametrize(
    "message",
    [
        {"content": "{}", "reasoning_content": "Let me think"},  # DeepSeek
        {"content": "{}", "reasoning": "Let me think", "reasoning_details": [{"text": "think"}]},  # OpenRouter
        {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "think"}]},
                     {"type": "text", "text": "{}"}]},  # Mistral
    ],
)  # fmt: skip
def test_reasoning_is_no_answer(message: dict[str, Any]) -> None:
    """What the model thought is not what it said, whole or streamed."""
    stream = sse({"choices": [{"index": 0, "delta": message}]})
    for body in (choice(**message), stream):
        assert talk("https://h/v1/chat/completions", ASK, body).answer == (said(Role.ASSISTANT, "{}"),)


def test_streamed_reasoning() -> None:
    """Deltas of reasoning come first and are left out; comments between events are none."""
    deltas = [{"reasoning_content": "Let"}, {"reasoning": " me"}, {"content": '{"n"'}, {"content": ": 1}"}]
    body = b": OPENROUTER PROCESSING\n\n" + sse(*[{"choices": [{"index": 0, "delta": delta}]} for delta in deltas])
    assert talk(CHAT, ASK, body).answer_text == '{"n": 1}'


def test_mistral_calls_and_limit() -> None:
    """A streamed call comes whole in one piece, its arguments maybe as an object; the model's own limit is a limit."""
    call = {"id": "c1", "function": {"name": "f", "arguments": {"n": 1}}, "index": 0}
    body = sse({"choices": [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": "model_length"}]})
    exchange = talk("https://api.mistral.ai/v1/chat/completions", ASK, body)
    assert exchange.calls == (called("f", '{"n": 1}', "c1", {"n": 1}),)
    assert exchange.finish is Finish.LENGTH


def test_mistral_streams_several_calls_without_an_index() -> None:
    """Each is whole, so that the id alone tells them apart."""
    calls = [{"id": f"c{n}", "function": {"name": "f", "arguments": f'{{"n": {n}}}'}} for n in (1, 2)]
    body = sse({"choices": [{"index": 0, "delta": {"tool_calls": calls}, "finish_reason": "tool_calls"}]})
    exchange = talk("https://api.mistral.ai/v1/chat/completions", ASK, body)
    assert exchange.calls == (called("f", '{"n": 1}', "c1", {"n": 1}), called("f", '{"n": 2}', "c2", {"n": 2}))


def test_writer_streams_a_message_beside_each_delta() -> None:
    """Both say the same, which counts once; a call comes whole, with null for what it has not."""
    call = {"id": "c1", "type": "function", "index": 0, "function": {"name": "f", "arguments": '{"n": 1}'}}
    parts: list[dict[str, Any]] = [
        {"content": None, "role": "assistant", "tool_calls": None},
        {"content": "Let me", "role": "assistant", "tool_calls": None},
        {"content": None, "role": "assistant", "tool_calls": [call]},
    ]
    chunks = [{"choices": [{"index": 0, "finish_reason": None, "message": part, "delta": part}]} for part in parts]
    body = sse(*chunks, {"choices": [{"index": 0, "finish_reason": "tool_calls", "message": {}, "delta": {}}]})
    exchange = talk("https://api.writer.com/v1/chat", ASK, body)
    assert (exchange.answer_text, exchange.calls) == ("Let me", (called("f", '{"n": 1}', "c1", {"n": 1}),))


def test_groq_rejects_within_a_stream() -> None:
    """The rejected text stands in the error event, after what was streamed."""
    error = {"message": "did not match schema", "code": "tool_use_failed", "failed_generation": '{"name": "f"}'}
    body = sse({"choices": [{"index": 0, "delta": {"content": "a"}}]}) + b"event: error\n" + sse({"error": error})
    exchange = talk("https://api.groq.com/openai/v1/chat/completions", ASK, body)
    assert (exchange.error, exchange.rejected_text) == ("did not match schema", '{"name": "f"}')
    assert (exchange.finish, exchange.answer_text) == (Finish.ERROR, "a")


@pytest.mark.parametrize(
    ("extra", "held"),
    [
        ({}, (None, None)),
        ({"previous_response_id": "resp_1"}, ("resp_1", None)),
        ({"conversation": "conv_1"}, (None, "conv_1")),
        ({"conversation": {"id": "conv_1"}}, (None, "conv_1")),
        ({"prompt": {"id": "pmpt_1", "variables": {}}}, (None, None)),
    ],
)
def test_state_that_the_server_holds(extra: dict[str, Any], held: tuple[str | None, str | None]) -> None:
    """A conversation is a thread; an earlier response is linked by its id instead."""
    body = {"object": "response", "status": "completed", "output": []}
    exchange = talk(RESPONSES, {"model": "m", "input": "x", **extra}, body)
    assert exchange.dialect == "openai.responses"
    assert (exchange.previous_id, exchange.thread) == held


@in_one_item
@pytest.mark.parametrize(
    "value",
    [
        {"choices": [{"label": "left"}]},
        {"choices": [{"text": "left"}]},
        {"candidates": [{"name": "Ada", "content": "speech"}]},
        {"content": ["a"]},
        {"content": [{"title": "a"}]},
        {"output": ["a"]},
        {"output": {"message": "hi"}},
        {"message": {"to": "Ada"}, "done": True},
        {"response": "yes", "done": True},
        {"text": "x", "title": "y"},
        {"results": [{"text": "x"}]},
        {"completion": 80},
    ],
)
def test_data_of_an_app_is_no_answer(value: dict[str, Any]) -> None:
    """Parsed values that merely share a key with an API are left alone: a driven loop may return them."""
    assert [dialect.name for dialect in DIALECTS if dialect.read_answer(value) is not None] == []
