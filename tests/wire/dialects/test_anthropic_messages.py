"""Anthropic messages: every shape of request and answer, whole and streamed."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_planguard.wire.exchange import Exchange, Finish, Item, ItemKind, Role, Usage

from ..talk import MESSAGES, called, plain, said, sse, talk

ASK: dict[str, Any] = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Plan it"}]}
TEXT = {"type": "text", "text": "{}"}
CALL = {"type": "tool_use", "id": "t1", "name": "plan", "input": {"n": 1}}


def answer(*content: Any, stop: str | None = "end_turn", **rest: Any) -> dict[str, Any]:
    """A whole message."""
    return {"type": "message", "id": "m1", "role": "assistant", "content": list(content), "stop_reason": stop, **rest}


def request(**body: Any) -> Exchange:
    """The exchange of a request with these keys and a plain answer."""
    return talk(MESSAGES, {**ASK, **body}, answer(TEXT))


def test_plain_answer() -> None:
    """A whole exchange is read into every field it fills."""
    body = {**ASK, "system": "Be brief", "stop_sequences": ["\n"], "metadata": {"user_id": "u"}}
    exchange = talk(MESSAGES, body, answer(TEXT, usage={"input_tokens": 7, "output_tokens": 2}))

    assert exchange == plain(
        exchange,
        "anthropic.messages",
        MESSAGES,
        model="m",
        request=(said(Role.SYSTEM, "Be brief"), said(Role.USER, "Plan it")),
        sampling={"max_tokens": 9, "stop": ["\n"]},
        response_id="m1",
    )


def test_blocks_in_order() -> None:
    """Text, calls and results keep their order; thoughts and server tools say nothing; media keep their place."""
    history = [
        {"role": "user", "content": [{"type": "image", "source": {}}, {"type": "text", "text": "See"}]},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "hm"},
                {"type": "text", "text": "I "},
                {"type": "text", "text": "look"},
                {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}},
                {"type": "text", "text": "now"},
                CALL,
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "t1", "content": "bad n", "is_error": True},
                {"type": "tool_result", "tool_use_id": "t2", "content": [TEXT, {"type": "image"}]},
                {"type": "text", "text": "Go on"},
                "junk",
                7,
            ],
        },
    ]
    exchange = request(system=[{"type": "text", "text": "S", "cache_control": {}}], messages=history)
    assert exchange.request == (
        said(Role.SYSTEM, "S"),
        said(Role.USER, "<image>"),
        said(Role.USER, "See"),
        said(Role.ASSISTANT, "I look"),
        said(Role.ASSISTANT, "now"),
        called("plan", '{"n": 1}', "t1", {"n": 1}),
        Item(ItemKind.RESULT, Role.TOOL, "bad n", "t1", is_error=True),
        Item(ItemKind.RESULT, Role.TOOL, "{}\n<image>", "t2"),
        said(Role.USER, "Go on"),
        said(Role.USER, "junk"),
    )


@pytest.mark.parametrize(
    ("word", "finish"),
    [
        ("end_turn", Finish.STOP),
        ("stop_sequence", Finish.STOP),
        ("max_tokens", Finish.LENGTH),
        ("model_context_window_exceeded", Finish.LENGTH),
        ("tool_use", Finish.TOOL_CALLS),
        ("refusal", Finish.REFUSAL),
        ("pause_turn", None),
        (None, None),
    ],
)
def test_stop_reasons(word: str | None, finish: Finish | None) -> None:
    """The stop reason is mapped to ours; a paused turn has not ended."""
    assert talk(MESSAGES, ASK, answer(TEXT, stop=word)).finish == finish


@pytest.mark.parametrize(
    ("response", "refusal"),
    [
        (answer(stop="refusal", stop_details={"explanation": "not safe"}), "not safe"),
        (answer({"type": "text", "text": "I won't"}, stop="refusal"), "I won't"),
        (answer(stop="refusal"), "refusal"),
        (answer(TEXT), None),
    ],
)
def test_refusal(response: dict[str, Any], refusal: str | None) -> None:
    """A refusal is the explanation where one is sent, else the model's words, else the provider's word."""
    assert talk(MESSAGES, ASK, response).refusal == refusal


def test_tools_schema_and_extra() -> None:
    """Tools, choice and the demanded schema are read; what is left over stays in the extra part."""
    schema = {"type": "object"}
    exchange = request(
        tools=[
            {"name": "a", "input_schema": schema, "description": "does a"},
            {"type": "web_search_20250305", "name": "web_search"},
        ],
        tool_choice={"type": "tool", "name": "a", "disable_parallel_tool_use": True},
        output_config={"format": {"type": "json_schema", "schema": schema}, "effort": "low"},
        thinking={"type": "enabled"},
    )
    assert (exchange.tools, exchange.tool_choice, exchange.output_schema) == ({"a": schema}, "a", schema)
    assert request(output_format={"type": "json_schema", "schema": schema}).output_schema == schema


@pytest.mark.parametrize(("kind", "read"), [("auto", "auto"), ("any", "required"), ("none", "none")])
def test_tool_choice(kind: str, read: str) -> None:
    """Any tool means that one is required."""
    assert request(tool_choice={"type": kind}).tool_choice == read


def test_errors() -> None:
    """Errors are read from an error body, with any status, and from an error event after half an answer."""
    body = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    start = {"type": "message_start", "message": answer(stop=None)}
    block = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "ha"}}
    exchanges = [
        talk(MESSAGES, ASK, body, status=529),
        talk(MESSAGES, ASK, body),
        talk(MESSAGES, ASK, sse(start, block, body, named=True)),
        talk(MESSAGES, ASK, sse(body, named=True)),
    ]
    assert [e.error for e in exchanges] == ["Overloaded"] * 4
    assert [e.finish for e in exchanges] == [Finish.ERROR] * 4
    assert [e.answer_text for e in exchanges] == ["", "", "ha", ""]


def test_streamed_answer() -> None:
    """Blocks are put together by index; arguments stay as the model wrote them; usage is the sum of its parts."""

    def delta(index: Any, **piece: Any) -> dict[str, Any]:
        return {"type": "content_block_delta", "index": index, "delta": piece}

    def start(index: int, block: dict[str, Any]) -> dict[str, Any]:
        return {"type": "content_block_start", "index": index, "content_block": block}

    body = sse(
        {"type": "message_start", "message": answer(stop=None, usage={"input_tokens": 7, "output_tokens": 1})},
        {"type": "ping"},
        start(0, {"type": "thinking", "thinking": ""}),
        delta(0, type="thinking_delta", thinking="hm"),
        start(1, {"type": "text", "text": ""}),
        delta(1, type="text_delta", text="I "),
        delta(1, type="text_delta", text="look"),
        delta(1, type="citations_delta", citation={}),
        start(2, {"type": "tool_use", "id": "t1", "name": "plan", "input": {}}),
        delta(2, type="input_json_delta", partial_json=""),
        delta(2, type="input_json_delta", partial_json='{"n":'),
        delta(2, type="input_json_delta", partial_json="1}"),
        start(3, {"type": "tool_use", "id": "t2", "name": "stop", "input": {}}),
        start(4, {"type": "thinking"}),
        delta(4, type="text_delta", text="not a text block"),
        {"type": "content_block_stop", "index": 2},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 20}},
        {"type": "message_stop"},
        named=True,
    )
    exchange = talk(MESSAGES, ASK, body)
    assert exchange.answer == (
        said(Role.ASSISTANT, "I look"),
        called("plan", '{"n":1}', "t1", {"n": 1}),
        called("stop", "{}", "t2", {}),
    )
    assert (exchange.finish, exchange.usage, exchange.streamed) == (Finish.TOOL_CALLS, Usage(7, 20), True)


def test_event_names_serve_where_data_has_no_type() -> None:
    """The name of an event stands in for a missing type."""
    body = b'event: content_block_start\ndata: {"content_block": {"type": "text", "text": "x"}}\n\n'
    assert talk(MESSAGES, ASK, body).answer_text == "x"


@pytest.mark.parametrize(
    ("url", "body"),
    [
        ("https://h/model/anthropic.claude/invoke", {**ASK, "anthropic_version": "bedrock-2023-05-31"}),
        ("https://gateway/proxy", {**ASK, "system": "S"}),
        ("https://gateway/proxy", {**ASK, "tools": [{"name": "a", "input_schema": {}}]}),
        ("https://gateway/proxy", {**ASK, "messages": [{"role": "user", "content": [{"type": "tool_result"}]}]}),
        ("https://gateway/anthropic/v1/messages?beta=true", ASK),
    ],
)
def test_any_host(url: str, body: dict[str, Any]) -> None:
    """The body's shape decides, the path settles a plain chat body."""
    assert talk(url, body, answer(TEXT)).dialect == "anthropic.messages"


def test_chat_endpoint_of_the_same_host() -> None:
    """The host's chat endpoint speaks chat, even with blocks of this API."""
    reply = {"choices": [{"message": {"content": "x"}}]}
    assert talk("https://api.anthropic.com/v1/chat/completions", {**ASK, "system": "S"}, reply).dialect == "openai.chat"


def test_token_counting_is_no_answer() -> None:
    """Counting tokens sends the same body and gets no message: raw, and the note names it."""
    exchange = talk(MESSAGES + "/count_tokens", ASK, {"input_tokens": 12})
    assert exchange.note == "no dialect reads token counting (POST api.anthropic.com/v1/messages/count_tokens)"
    assert talk(MESSAGES + "/count_tokens", ASK, {"error": "x"}, status=400).dialect == "raw"


def test_foreign_stream_is_raw() -> None:
    """A stream without one event of this API is no answer of it."""
    assert talk(MESSAGES, ASK, sse({"type": "ping"})).dialect == "raw"
