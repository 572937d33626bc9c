"""Bedrock's Converse and Amazon Nova's bodies: every shape of request and answer, whole and streamed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_planguard.wire.exchange import Exchange, Finish, Item, ItemKind, Role, Usage

from ...support.event_stream_frames import chunk, event, exception
from ..talk import called, plain, said, talk

URL = "https://bedrock-runtime.us-east-1.amazonaws.com/model/us.nova-lite-v1%3A0/converse"
ASK: dict[str, Any] = {"messages": [{"role": "user", "content": [{"text": "Plan it"}]}]}
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}}
USE = {"toolUse": {"toolUseId": "t1", "name": "f", "input": {"n": 1}}}


def answer(*blocks: dict[str, Any], stop: str | None = "end_turn", **rest: Any) -> dict[str, Any]:
    """A whole answer."""
    return {"output": {"message": {"role": "assistant", "content": list(blocks)}}, "stopReason": stop, **rest}


def request(**body: Any) -> Exchange:
    """The exchange of a request with these keys and a plain answer."""
    return talk(URL, {**ASK, **body}, answer({"text": "ok"}))


def blocks(role: str, *content: Any) -> tuple[Item, ...]:
    """The request items of one message with these blocks."""
    return request(messages=[{"role": role, "content": list(content)}]).request


def test_plain_answer() -> None:
    """A whole exchange is read into every field it fills; the URL names the model."""
    exchange = talk(URL, ASK, answer({"text": "{}"}, usage={"inputTokens": 7, "outputTokens": 2}))
    assert exchange == plain(exchange, "bedrock.converse", URL, model="us.nova-lite-v1:0")


@pytest.mark.parametrize(
    ("word", "finish"),
    [
        ("end_turn", Finish.STOP),
        ("stop_sequence", Finish.STOP),
        ("max_tokens", Finish.LENGTH),
        ("model_context_window_exceeded", Finish.LENGTH),
        ("tool_use", Finish.TOOL_CALLS),
        ("guardrail_intervened", Finish.CONTENT_FILTER),
        ("content_filtered", Finish.CONTENT_FILTER),
        ("malformed_model_output", Finish.ERROR),
        ("new_word", None),
        (None, None),
    ],
)
def test_finish_words(word: str | None, finish: Finish | None) -> None:
    """Each of the provider's words has its place; an unknown one is None."""
    assert talk(URL, ASK, answer({"text": "x"}, stop=word)).finish is finish


def test_answer_blocks() -> None:
    """Reasoning is dropped, cited text joins its neighbours, the provider's own tools are left out."""
    own = {"toolUse": {"type": "server_tool_use", "toolUseId": "s1", "name": "code", "input": {}}}
    ran = {"toolResult": {"type": "code_result", "toolUseId": "s1", "content": []}}
    cited = {"citationsContent": {"content": [{"text": "a"}, {"text": "b"}], "citations": []}}
    content = (
        {"reasoningContent": {"reasoningText": {"text": "hm"}}},
        cited,
        {"text": "c"},
        own,
        ran,
        {"text": "d"},
        USE,
    )
    assert talk(URL, ASK, answer(*content)).answer == (
        said(Role.ASSISTANT, "abc"), said(Role.ASSISTANT, "d"), called("f", '{"n": 1}', "t1", {"n": 1}),
    )  # fmt: skip


def test_answers_of_reasoning_alone_say_nothing() -> None:
    """An answer with nothing but reasoning is understood and has no items."""
    exchange = talk(URL, ASK, answer({"reasoningContent": {"reasoningText": {"text": "hm"}}}))
    assert (exchange.answer, exchange.note, exchange.finish) == ((), None, Finish.STOP)


def test_history() -> None:
    """System text, media, guarded text, cache points, calls and results, in order."""
    assert request(system=[{"text": "Be brief"}, {"cachePoint": {}}]).request[0] == said(Role.SYSTEM, "Be brief")
    guarded = {"guardContent": {"text": {"text": "g", "qualifiers": ["query"]}}}
    user = blocks("user", {"text": "see"}, {"image": {"format": "png"}}, guarded, {"cachePoint": {}}, {}, "x")
    assert [item.text for item in user] == ["see", "<image>", "g", "x"]
    assert blocks("assistant", USE) == (called("f", '{"n": 1}', "t1", {"n": 1}),)


@pytest.mark.parametrize(
    ("status", "content", "text", "is_error"),
    [
        ("success", [{"text": "5"}], "5", False),
        (None, [{"json": {"a": 1}}, {"text": "b"}, {"image": {}}], '{"a": 1}\nb\n<image>', False),
        ("error", [{"text": "no such city"}], "no such city", True),
        ("success", [], "", False),
    ],
)
def test_tool_results(status: str | None, content: list[Any], text: str, is_error: bool) -> None:
    """A result's parts are one text, and its status flags an error."""
    (item,) = blocks("user", {"toolResult": {"toolUseId": "t1", "content": content, "status": status}})
    assert item == Item(ItemKind.RESULT, Role.TOOL, text, "t1", is_error=is_error)


def test_tools_schema_and_sampling() -> None:
    """Tool specifications, the choice, the demanded schema (a JSON text) and settings under our names."""
    spec = {"name": "f", "description": "does", "inputSchema": {"json": SCHEMA}}
    exchange = request(
        toolConfig={"tools": [{"toolSpec": spec}, {"systemTool": {"name": "code"}}, {"toolSpec": {"name": "g"}}],
                    "toolChoice": {"tool": {"name": "f"}}},
        outputConfig={"textFormat": {"structure": {"jsonSchema": {"schema": json.dumps(SCHEMA)}}}},
        inferenceConfig={"maxTokens": 5, "temperature": 0, "topP": 1, "stopSequences": ["x"], "other": 1},
        guardrailConfig={"guardrailIdentifier": "g"},
    )  # fmt: skip
    assert (exchange.tools, exchange.tool_choice, exchange.output_schema) == ({"f": SCHEMA, "g": {}}, "f", SCHEMA)
    assert exchange.sampling == {"max_tokens": 5, "temperature": 0, "top_p": 1, "stop": ["x"]}


@pytest.mark.parametrize(
    ("choice", "ours"), [({"auto": {}}, "auto"), ({"any": {}}, "required"), ({}, None), (None, None)]
)
def test_tool_choice(choice: Any, ours: str | None) -> None:
    """The key of the object is the choice."""
    assert request(toolConfig={"tools": [], "toolChoice": choice}).tool_choice == ours


EVENTS: list[tuple[str, dict[str, Any]]] = [
    ("messageStart", {"role": "assistant"}),
    ("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"reasoningContent": {"text": "hm"}}}),
    ("contentBlockDelta", {"contentBlockIndex": 1, "delta": {"text": '{"n"'}}),
    ("contentBlockDelta", {"contentBlockIndex": 1, "delta": {"text": ": 1}"}}),
    ("contentBlockStop", {"contentBlockIndex": 1}),
    ("contentBlockStart", {"contentBlockIndex": 2, "start": {"toolUse": {"toolUseId": "t1", "name": "f"}}}),
    ("contentBlockDelta", {"contentBlockIndex": 2, "delta": {"toolUse": {"input": '{"n":'}}}),
    ("contentBlockDelta", {"contentBlockIndex": 2, "delta": {"toolUse": {"input": " 1}"}}}),
    ("contentBlockStart", {"contentBlockIndex": 3, "start": {"toolUse": {"toolUseId": "t2", "name": "g"}}}),
    ("contentBlockStart", {"contentBlockIndex": 4, "start": {"toolResult": {"toolUseId": "s1"}}}),
    ("messageStop", {"stopReason": "tool_use"}),
    ("metadata", {"usage": {"inputTokens": 3, "outputTokens": 4}}),
]
SAID = (
    said(Role.ASSISTANT, '{"n": 1}'),
    called("f", '{"n": 1}', "t1", {"n": 1}),
    called("g", "{}", "t2", {}),
)


@pytest.mark.parametrize("wrap", [event, lambda name, data: chunk({name: data})], ids=["Converse", "Nova"])
def test_streams(wrap: Any) -> None:
    """ConverseStream's events, and the same events wrapped in chunks as Nova sends them, are one answer."""
    exchange = talk(URL + "-stream", ASK, b"".join(wrap(name, data) for name, data in EVENTS))
    assert (exchange.answer, exchange.finish, exchange.usage) == (SAID, Finish.TOOL_CALLS, Usage(3, 4))
    assert (exchange.streamed, exchange.skipped_lines) == (True, 0)


def test_a_broken_off_stream_keeps_what_came() -> None:
    """A cut frame is counted, the answer has no finish."""
    whole = b"".join(event(name, data) for name, data in EVENTS)
    cut = whole[: whole.index(b"contentBlockStop") - 20]
    exchange = talk(URL + "-stream", ASK, cut)
    assert (exchange.answer, exchange.finish, exchange.skipped_lines) == (SAID[:1], None, 1)


def test_an_exception_in_a_stream_is_the_error() -> None:
    """What was written before it is kept."""
    body = event(*EVENTS[2]) + exception("throttlingException", "slow down")
    exchange = talk(URL + "-stream", ASK, body)
    assert (exchange.answer_text, exchange.error, exchange.finish) == ('{"n"', "slow down", Finish.ERROR)
    alone = talk(URL + "-stream", ASK, exception("validationException", "no such model"))
    assert (alone.dialect, alone.error) == ("bedrock.converse", "no such model")


def test_http_errors() -> None:
    """An error status has Bedrock's message."""
    exchange = talk(URL, ASK, {"message": "Input is too long"}, status=400)
    assert (exchange.dialect, exchange.error) == ("bedrock.converse", "Input is too long")


def test_nova_under_invoke() -> None:
    """Nova's own body is known by its keys, under any path; other chat bodies are not taken for it."""
    body = {**ASK, "schemaVersion": "messages-v1", "system": [{"text": "s"}], "inferenceConfig": {"max_new_tokens": 5}}
    exchange = talk("https://h/model/amazon.nova-micro-v1%3A0/invoke", body, answer({"text": "ok"}))
    assert (exchange.dialect, exchange.sampling) == ("bedrock.converse", {"max_tokens": 5})
    assert exchange.request == (said(Role.SYSTEM, "s"), said(Role.USER, "Plan it"))
    claude = {**ASK, "anthropic_version": "bedrock-2023-05-31"}
    invoked = talk(
        "https://h/model/claude/invoke", claude, {"type": "message", "content": [{"type": "text", "text": "x"}]}
    )
    assert (invoked.dialect, invoked.model) == ("anthropic.messages", "claude")


def test_claude_streamed_under_invoke() -> None:
    """Anthropic's events in Bedrock's frames are Anthropic's message."""
    events = [{"type": "message_start", "message": {"id": "m1", "usage": {"input_tokens": 3}}},
              {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
              {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "ok"}}]  # fmt: skip
    ask = {**ASK, "anthropic_version": "bedrock-2023-05-31"}
    exchange = talk("https://h/model/claude/invoke-with-response-stream", ask, b"".join(map(chunk, events)))
    assert (exchange.dialect, exchange.answer_text, exchange.response_id) == ("anthropic.messages", "ok", "m1")
