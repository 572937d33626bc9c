"""Cohere chat in both versions, whole and streamed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_planguard.wire.exchange import Exchange, Finish, Item, ItemKind, Role, Usage

from ..talk import called, plain, said, sse, talk

V2 = "https://api.cohere.com/v2/chat"
V1 = "https://api.cohere.com/v1/chat"
ASK: dict[str, Any] = {"model": "command", "messages": [{"role": "user", "content": "Plan it"}]}
SAY: dict[str, Any] = {"model": "command", "message": "Plan it"}
CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"n":1}'}}
SCHEMA = {"type": "object"}


def message(text: str | None = None, finish: str | None = "COMPLETE", **rest: Any) -> dict[str, Any]:
    """A whole answer of version 2."""
    content = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": text}] if text else None
    return {"id": "r1", "finish_reason": finish, "message": {"role": "assistant", "content": content, **rest}}


def request(**body: Any) -> Exchange:
    """The exchange of a version 2 request with these keys and a plain answer."""
    return talk(V2, {**ASK, **body}, message("ok"))


def test_plain_answer() -> None:
    """A whole exchange of version 2 is read into every field it fills; thinking is dropped."""
    usage = {"billed_units": {"input_tokens": 1}, "tokens": {"input_tokens": 7.0, "output_tokens": 2}}
    exchange = talk(V2, ASK, {**message("{}"), "usage": usage})
    assert exchange == plain(exchange, "cohere.chat", V2, model="command", response_id="r1")


@pytest.mark.parametrize(
    ("word", "finish"),
    [
        ("COMPLETE", Finish.STOP),
        ("STOP_SEQUENCE", Finish.STOP),
        ("MAX_TOKENS", Finish.LENGTH),
        ("TOOL_CALL", Finish.TOOL_CALLS),
        ("ERROR_TOXIC", Finish.CONTENT_FILTER),
        ("ERROR", Finish.ERROR),
        ("NEW", None),
        (None, None),
    ],
)
def test_finish_words(word: str | None, finish: Finish | None) -> None:
    """Each of the provider's words has its place; an unknown one is None."""
    assert talk(V2, ASK, message("x", word)).finish is finish


def test_calls_and_results() -> None:
    """A call's plan is a thought; a result may be a list of documents or a text."""
    exchange = talk(V2, ASK, message(None, "TOOL_CALL", tool_calls=[CALL], tool_plan="I will call f"))
    assert exchange.answer == (called("f", '{"n":1}', "c1", {"n": 1}),)
    documents = [{"type": "document", "document": {"data": {"output": "5"}}}, {"type": "text", "text": "b"},
                 {"type": "document", "document": {"data": "plain"}}]  # fmt: skip
    history = request(messages=[
        {"role": "assistant", "tool_calls": [CALL], "tool_plan": "I will"},
        {"role": "tool", "tool_call_id": "c1", "content": documents},
        {"role": "tool", "tool_call_id": "c1", "content": "5"},
    ]).request  # fmt: skip
    result = Item(ItemKind.RESULT, Role.TOOL, '{"output": "5"}\nb\nplain', "c1")
    assert history == (called("f", '{"n":1}', "c1", {"n": 1}), result, Item(ItemKind.RESULT, Role.TOOL, "5", "c1"))


def test_settings() -> None:
    """Tools, the choice in capitals, the demanded schema and sampling under our names."""
    exchange = request(
        tools=[{"type": "function", "function": {"name": "f", "parameters": SCHEMA, "description": "does"}}],
        tool_choice="REQUIRED",
        response_format={"type": "json_object", "schema": SCHEMA},
        p=0.5,
        k=3,
        stop_sequences=["x"],
        safety_mode="NONE",
    )
    assert (exchange.tools, exchange.tool_choice, exchange.output_schema) == ({"f": SCHEMA}, "required", SCHEMA)
    assert exchange.sampling == {"top_p": 0.5, "top_k": 3, "stop": ["x"]}


def delta(kind: str, message: Any, index: int = 0) -> dict[str, Any]:
    """One event of a version 2 stream."""
    return {"type": kind, "index": index, "delta": {"message": message}}


def test_stream() -> None:
    """Text and calls are put together; thinking and the plan are dropped."""
    events = [
        {"type": "message-start", "id": "r1", "delta": {"message": {"role": "assistant"}}},
        delta("tool-plan-delta", {"tool_plan": "I will"}),
        delta("content-start", {"content": {"type": "thinking", "thinking": ""}}),
        delta("content-delta", {"content": {"thinking": "hm"}}),
        delta("content-start", {"content": {"type": "text", "text": ""}}, 1),
        delta("content-delta", {"content": {"text": '{"n"'}}, 1),
        delta("content-delta", {"content": {"text": ": 1}"}}, 1),
        delta("tool-call-start", {"tool_calls": {"id": "c1", "function": {"name": "f", "arguments": ""}}}),
        delta("tool-call-delta", {"tool_calls": {"function": {"arguments": '{"n":'}}}),
        delta("tool-call-delta", {"tool_calls": {"function": {"arguments": "1}"}}}),
        {"type": "message-end", "delta": {"finish_reason": "TOOL_CALL",
                                          "usage": {"billed_units": {"input_tokens": 3, "output_tokens": 4}}}},
    ]  # fmt: skip
    exchange = talk(V2, ASK, sse(*events, named=True))
    assert exchange.answer == (said(Role.ASSISTANT, '{"n": 1}'), called("f", '{"n":1}', "c1", {"n": 1}))
    assert (exchange.response_id, exchange.finish, exchange.usage) == ("r1", Finish.TOOL_CALLS, Usage(3, 4))
    cut = talk(V2, ASK, sse(*events[:6], named=True))
    assert (cut.answer_text, cut.finish) == ('{"n"', None)


def test_errors() -> None:
    """Both versions report a status with a message, an error with 200, and one within a stream."""
    for url, ask, name in ((V2, ASK, "cohere.chat"), (V1, SAY, "cohere.message")):
        assert talk(url, ask, {"message": "no credit"}, status=402).error == "no credit"
        exchange = talk(url, ask, {"error": "broken"})
        assert (exchange.dialect, exchange.error, exchange.finish) == (name, "broken", Finish.ERROR)
    end = {"type": "message-end", "delta": {"finish_reason": "ERROR", "error": "broken"}}
    assert talk(V2, ASK, sse(end)).error == "broken"


def reply(text: str = "ok", **rest: Any) -> dict[str, Any]:
    """A whole answer of version 1."""
    return {"response_id": "x", "text": text, "generation_id": "g1", "finish_reason": "COMPLETE", **rest}


def test_version_1() -> None:
    """One message with its history in front and the tools' results behind."""
    call = {"name": "f", "parameters": {"n": 1}}
    ask = {
        **SAY,
        "preamble": "Be brief",
        "chat_history": [{"role": "USER", "message": "hi"}, {"role": "CHATBOT", "message": "yes", "tool_calls": [call]},
                         {"role": "TOOL", "tool_results": [{"call": call, "outputs": [{"a": 1}]}]}],
        "tool_results": [{"call": {"name": "g"}, "outputs": []}],
        "conversation_id": "u1",
        "temperature": 0,
    }  # fmt: skip
    exchange = talk(V1, ask, reply("{}", meta={"tokens": {"input_tokens": 7, "output_tokens": 2}}))
    assert exchange.request == (
        said(Role.SYSTEM, "Be brief"),
        said(Role.USER, "hi"),
        said(Role.ASSISTANT, "yes"),
        called("f", '{"n": 1}', None, {"n": 1}),
        Item(ItemKind.RESULT, Role.TOOL, '[{"a": 1}]', None, "f"),
        said(Role.USER, "Plan it"),
        Item(ItemKind.RESULT, Role.TOOL, "[]", None, "g"),
    )
    assert (exchange.dialect, exchange.answer_text, exchange.response_id) == ("cohere.message", "{}", "g1")
    assert (exchange.finish, exchange.usage, exchange.sampling) == (Finish.STOP, Usage(7, 2), {"temperature": 0})


def test_version_1_tools() -> None:
    """Python's type names become JSON Schema's; a type nobody knows is left open."""
    parameters = {
        "a": {"type": "str", "description": "one", "required": True},
        "b": {"type": "List[int]"},
        "c": {"type": "Custom"},
        "d": 7,
    }
    tools = [{"name": "f", "description": "does", "parameter_definitions": parameters}, {"name": "g"}, {"no": "name"}]
    exchange = talk(V1, {**SAY, "tools": tools}, reply(tool_calls=[{"name": "f", "parameters": {"a": "x"}}]))
    properties = {"a": {"type": "string", "description": "one"}, "b": {"type": "array"}, "c": {}, "d": {}}
    assert exchange.tools == {"f": {"type": "object", "properties": properties, "required": ["a"]}, "g": {}}
    assert exchange.calls == (called("f", '{"a": "x"}', None, {"a": "x"}),)
    assert exchange.finish is Finish.TOOL_CALLS


def test_version_1_stream() -> None:
    """The last event has the whole response; before it, the pieces do."""
    events: list[dict[str, Any]] = [{"event_type": "stream-start", "generation_id": "g1"},
              {"event_type": "text-generation", "text": "a"}, {"event_type": "text-generation", "text": "b"},
              {"event_type": "stream-end", "response": reply("ab")}]  # fmt: skip
    body = b"".join(json.dumps(event).encode() + b"\n" for event in events)
    whole, cut = talk(V1, SAY, body), talk(V1, SAY, body[: body.rindex(b'{"event_type"')])
    assert (whole.answer_text, whole.finish, whole.streamed) == ("ab", Finish.STOP, True)
    assert (cut.answer_text, cut.finish, cut.response_id) == ("ab", None, "g1")
    note = talk(V1, SAY, {"data": 1}).note
    assert note == "the request is cohere.message, its answer is not: unknown shape (POST api.cohere.com/v1/chat)"
