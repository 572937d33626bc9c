"""OpenAI chat completions: every shape of request and answer, whole and streamed."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_planguard.wire.exchange import Choice, Exchange, Finish, Item, ItemKind, Role, Usage

from ..talk import CHAT, called, plain, said, sse, talk

ASK: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "Plan it"}]}
CALL = {"id": "c1", "type": "function", "function": {"name": "plan", "arguments": '{"n": 1}'}}


def answer(message: dict[str, Any], finish: str | None = "stop", **rest: Any) -> dict[str, Any]:
    """A whole answer with one choice."""
    return {"id": "r1", "choices": [{"index": 0, "message": message, "finish_reason": finish}], **rest}


def chunk(delta: dict[str, Any], finish: str | None = None, index: int = 0, **rest: Any) -> dict[str, Any]:
    """One chunk of a streamed answer."""
    return {"id": "r1", "model": "m-1", "choices": [{"index": index, "delta": delta, "finish_reason": finish}], **rest}


def request(**body: Any) -> Exchange:
    """The exchange of a request with these keys and a plain answer."""
    return talk(CHAT, {**ASK, **body}, answer({"content": "ok"}))


def messages(*history: dict[str, Any]) -> tuple[Item, ...]:
    """The request items of this history."""
    return request(messages=list(history)).request


def test_plain_answer() -> None:
    """A whole exchange is read into every field it fills."""
    usage = {"prompt_tokens": 7, "completion_tokens": 2}
    exchange = talk(CHAT, ASK, answer({"role": "assistant", "content": "{}"}, usage=usage, model="m-2026"))

    assert exchange == plain(exchange, "openai.chat", CHAT, model="m", response_id="r1")
    assert exchange.raw_request.startswith('{"model": "m"')


@pytest.mark.parametrize(
    ("word", "finish"),
    [
        ("stop", Finish.STOP),
        ("length", Finish.LENGTH),
        ("model_length", Finish.LENGTH),
        ("tool_calls", Finish.TOOL_CALLS),
        ("function_call", Finish.TOOL_CALLS),
        ("content_filter", Finish.CONTENT_FILTER),
        ("error", Finish.ERROR),
        ("STOP", Finish.STOP),
        ("never seen", None),
        (None, None),
    ],
)
def test_finish_reasons(word: str | None, finish: Finish | None) -> None:
    """Each host's word for why the answer ended is mapped to ours; an unknown word is not guessed."""
    assert talk(CHAT, ASK, answer({"content": "x"}, word)).finish == finish


def test_roles_and_content_parts() -> None:
    """Developer text is system text, an image keeps its place, thoughts are dropped, blank text is no item."""
    items = messages(
        {"role": "developer", "content": "Be brief"},
        {"role": "user", "content": [{"type": "text", "text": "See"}, {"type": "image_url", "image_url": {}}, "it", 3]},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": []}, {"type": "text", "text": "A"}]},
        {"role": "assistant", "content": " \n"},
        {"role": "stranger", "content": "hi"},
    )
    assert items == (
        said(Role.SYSTEM, "Be brief"),
        said(Role.USER, "See"),
        said(Role.USER, "<image_url>"),
        said(Role.USER, "it"),
        said(Role.ASSISTANT, "A"),
        said(Role.USER, "hi"),
    )


def test_neighbouring_assistant_parts_are_one_text() -> None:
    """Parts cut in the middle of a document are joined; a thought between them is a boundary."""
    part = [{"type": "text", "text": '{"a"'}, {"type": "text", "text": ": 1}"}]
    items = messages({"role": "assistant", "content": [*part, {"type": "thinking"}, {"type": "text", "text": "x"}]})
    assert [item.text for item in items] == ['{"a": 1}', "x"]


def test_calls_and_results_in_the_history() -> None:
    """Calls keep the model's own argument text; results carry id and text, whatever form their content has."""
    items = messages(
        {"role": "assistant", "content": None, "tool_calls": [CALL, {"id": "c2", "function": {"name": "f"}}]},
        {"role": "tool", "tool_call_id": "c1", "content": [{"type": "text", "text": "a"}, {"text": "b"}]},
        {"role": "function", "name": "f", "content": {"ok": True}},
        {"role": "tool", "tool_call_id": "c3", "content": None},
    )
    assert items == (
        called("plan", '{"n": 1}', "c1", {"n": 1}),
        called("f", "", "c2"),
        Item(ItemKind.RESULT, Role.TOOL, "a\nb", "c1"),
        Item(ItemKind.RESULT, Role.TOOL, '{"ok": true}', None, "f"),
        Item(ItemKind.RESULT, Role.TOOL, "", "c3"),
    )


def test_call_shapes_in_answers() -> None:
    """Parallel, broken, parsed, custom and legacy calls are all calls; broken arguments stay text."""
    calls = [
        CALL,
        {"id": "c2", "function": {"name": "plan", "arguments": '{"n": '}},
        {"id": "c3", "function": {"name": "plan", "arguments": {"n": 2}}},
        {"id": "c4", "type": "custom", "custom": {"name": "sh", "input": "ls"}},
    ]
    legacy = {"name": "old", "arguments": "[1]"}
    exchange = talk(CHAT, ASK, answer({"content": None, "tool_calls": calls, "function_call": legacy}, "tool_calls"))
    assert exchange.calls == (
        called("plan", '{"n": 1}', "c1", {"n": 1}),
        called("plan", '{"n": ', "c2"),
        called("plan", '{"n": 2}', "c3", {"n": 2}),
        called("sh", "ls", "c4"),
        called("old", "[1]", None, [1]),
    )
    assert (exchange.answer_text, exchange.finish) == ("", Finish.TOOL_CALLS)


def test_refusal() -> None:
    """A refusal stands in its own field, ends the answer as refusal, and is text where the history quotes it."""
    exchange = talk(CHAT, ASK, answer({"content": None, "refusal": "I can't"}))
    assert (exchange.refusal, exchange.finish, exchange.answer) == ("I can't", Finish.REFUSAL, ())
    assert messages({"role": "assistant", "refusal": "I can't"}) == (said(Role.ASSISTANT, "I can't"),)


def test_spoken_answer() -> None:
    """An answer in audio is its transcript."""
    assert talk(CHAT, ASK, answer({"content": None, "audio": {"transcript": "hello"}})).answer_text == "hello"


def test_first_choice_is_the_answer() -> None:
    """Of several choices the one with index 0 is the answer, and the others are kept in order."""
    choices = [{"index": i, "message": {"content": str(i)}, "finish_reason": "stop"} for i in (1, 0, 2)]
    exchange = talk(CHAT, {**ASK, "n": 3}, {"choices": choices})
    others = tuple(Choice((said(Role.ASSISTANT, text),), Finish.STOP) for text in "12")
    assert (exchange.answer_text, exchange.others, exchange.sampling) == ("0", others, {"n": 3})


def test_tools_and_choice() -> None:
    """Declared tools are name and schema; what else was declared stays in the extra part."""
    schema = {"type": "object"}
    exchange = request(
        tools=[
            {"type": "function", "function": {"name": "a", "parameters": schema, "description": "does a"}},
            {"type": "function", "function": {"name": "b"}},
            {"type": "web_search"},
            {"type": "custom", "custom": {"name": "c"}},
            {"type": "function", "function": {}},
            "junk",
        ],
        functions=[{"name": "d", "parameters": schema}],
    )
    assert exchange.tools == {"a": schema, "b": {}, "c": {}, "d": schema}


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ({}, None),
        ({"tool_choice": "auto"}, "auto"),
        ({"tool_choice": "any"}, "required"),
        ({"tool_choice": {"type": "function", "function": {"name": "a"}}}, "a"),
        ({"tool_choice": {"type": "allowed_tools", "allowed_tools": {"mode": "required"}}}, "required"),
        ({"tool_choice": {"type": "unheard-of"}}, None),
        ({"tool_choice": 3}, None),
        ({"function_call": {"name": "a"}}, "a"),
        ({"function_call": "none"}, "none"),
    ],
)
def test_tool_choice(sent: dict[str, Any], read: str | None) -> None:
    """Tool choice is one word or the tool's name, in every shape that hosts use."""
    assert request(**sent).tool_choice == read


@pytest.mark.parametrize(
    "output",
    [
        {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "object"}, "strict": True}},
        {"type": "json_schema", "schema": {"type": "object"}},
        {"type": "json_object", "schema": {"type": "object"}},
        {"type": "json_schema", "json_schema": {"name": "x", "schema_definition": {"type": "object"}}},
    ],
)
def test_demanded_schema(output: dict[str, Any]) -> None:
    """The schema that a response format demands is found in each shape."""
    assert request(response_format=output).output_schema == {"type": "object"}


def test_format_without_schema() -> None:
    """A JSON format demands none."""
    assert request(response_format={"type": "json_object"}, user="u", seed=None).output_schema is None


def test_sampling_has_one_name_for_the_limit() -> None:
    """The token limit is max_tokens whatever the request calls it; settings stand as sent."""
    exchange = request(max_completion_tokens=50, temperature=0, random_seed=3, stop=["\n"])
    assert exchange.sampling == {"max_tokens": 50, "temperature": 0, "seed": 3, "stop": ["\n"]}


def test_streamed_answer() -> None:
    """Deltas become one answer, with the usage of the last chunk and other choices counted."""
    body = sse(
        chunk({"role": "assistant", "content": ""}),
        chunk({"content": '{"a"'}),
        chunk({"content": "other"}, index=1),
        chunk({"content": [{"type": "thinking"}, {"type": "text", "text": ": 1}"}]}),
        chunk({}, "length"),
        {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 4}},
        "[DONE]",
        chunk({"content": "after the end"}),
    )
    exchange = talk(CHAT, {**ASK, "stream": True}, body)
    assert (exchange.answer_text, exchange.finish, exchange.usage) == ('{"a": 1}', Finish.LENGTH, Usage(3, 4))
    assert (exchange.streamed, len(exchange.others), exchange.response_id) == (True, 1, "r1")


def test_streamed_calls() -> None:
    """Argument pieces belong together by index, even interleaved; a new id at a known index is a new call."""

    def piece(index: int | None, arguments: Any, **head: Any) -> dict[str, Any]:
        name = {"name": head.pop("name")} if "name" in head else {}
        return chunk({"tool_calls": [{"index": index, **head, "function": {**name, "arguments": arguments}}]})

    body = sse(
        piece(0, "", id="c1", name="plan"),
        piece(1, '{"b"', id="c2", name="check"),
        piece(0, '{"a": ', name="plan"),
        piece(1, ": 2}"),
        piece(0, "1}", id="c1"),
        piece(0, {"c": 3}, id="c3", name="plan"),
        piece(None, None),
        chunk({}, "tool_calls"),
    )
    assert talk(CHAT, ASK, body).calls == (
        called("plan", '{"a": 1}', "c1", {"a": 1}),
        called("check", '{"b": 2}', "c2", {"b": 2}),
        called("plan", '{"c": 3}', "c3", {"c": 3}),
    )


def test_streamed_legacy_call_and_refusal() -> None:
    """Legacy calls and refusals are streamed in pieces too."""
    legacy = [{"function_call": {"name": "old", "arguments": '{"a'}}, {"function_call": {"arguments": '": 1}'}}]
    assert talk(CHAT, ASK, sse(*map(chunk, legacy))).calls == (called("old", '{"a": 1}', None, {"a": 1}),)

    refused = talk(CHAT, ASK, sse(chunk({"refusal": "I "}), chunk({"refusal": "can't"}, "stop")))
    assert (refused.refusal, refused.finish) == ("I can't", Finish.REFUSAL)


def test_broken_off_stream() -> None:
    """A stream that broke off keeps what came and has no finish; bad lines are counted."""
    body = sse(chunk({"content": "half"})) + b"data: {not json}\n\ndata: {\n\n"
    exchange = talk(CHAT, ASK, body)
    assert (exchange.answer_text, exchange.finish, exchange.skipped_lines) == ("half", None, 2)


def test_stream_with_whole_messages() -> None:
    """Chunks that carry a message in place of a delta are read."""
    body = sse({"choices": [{"message": {"content": "all"}, "finish_reason": "stop"}]})
    assert talk(CHAT, ASK, body).answer_text == "all"


def test_ndjson_of_chunks() -> None:
    """Chunks may come one a line; a bad line is skipped and counted (source row 18)."""
    body = b'{"choices":[{"delta":{"content":"a"}}]}\noops\n{"choices":[{"delta":{"content":"b"}}]}\n'
    exchange = talk(CHAT, ASK, body)
    assert (exchange.answer_text, exchange.skipped_lines, exchange.streamed) == ("ab", 1, True)


def test_rejected_generation() -> None:
    """Text that the provider itself rejected is kept apart from the error's message."""
    error = {"error": {"message": "Failed to call a function", "failed_generation": '{"name": "x"'}}
    exchange = talk(CHAT, ASK, error, status=400)
    assert (exchange.error, exchange.rejected_text) == ("Failed to call a function", '{"name": "x"')
    assert (exchange.finish, exchange.status, exchange.answer) == (Finish.ERROR, 400, ())


def test_errors_inside_an_answer_with_status_200() -> None:
    """Hosts report errors with status 200: alone, in a choice, or in the middle of a stream."""
    error = {"message": "overloaded", "code": 502}
    alone = talk(CHAT, ASK, {"error": error})
    in_choice = talk(CHAT, ASK, {"choices": [{"error": error, "message": {"content": "ha"}}]})
    in_stream = talk(CHAT, ASK, sse(chunk({"content": "ha"}), {"error": error}))
    only_in_stream = talk(CHAT, ASK, sse({"x_groq": {"error": "overloaded"}}))

    assert [e.error for e in (alone, in_choice, in_stream, only_in_stream)] == ["overloaded"] * 4
    assert [e.finish for e in (alone, in_choice, in_stream, only_in_stream)] == [Finish.ERROR] * 4
    assert [e.answer_text for e in (alone, in_choice, in_stream)] == ["", "ha", "ha"]


def test_usage_of_groq_streams() -> None:
    """One host reports a stream's usage under its own key."""
    body = sse(chunk({"content": "a"}, x_groq={"usage": {"prompt_tokens": 1, "completion_tokens": True}}))
    assert talk(CHAT, ASK, body).usage == Usage(1, None)


@pytest.mark.parametrize(
    "url",
    [
        "https://me.openai.azure.com/openai/deployments/gpt/chat/completions?api-version=2025-01-01",
        "https://api.groq.com/openai/v1/chat/completions",
        "http://127.0.0.1:11434/v1/chat/completions/",
        "http://gateway.local/proxy",
        "http://[broken",
        "",
    ],
)
def test_any_host(url: str) -> None:
    """The body's shape decides, so any host and path works."""
    assert talk(url, ASK, answer({"content": "ok"})).dialect == "openai.chat"


def test_a_content_that_is_an_object_is_the_document() -> None:
    """Some gateways parse the answer: the object is read as the JSON that the model wrote; one part is its text."""
    exchange = talk(CHAT, ASK, answer({"content": {"mood": "calm", "lines": 3}}))
    assert exchange.answer_text == '{"mood": "calm", "lines": 3}'
    assert talk(CHAT, ASK, answer({"content": {"type": "text", "text": "ok"}})).answer_text == "ok"


@pytest.mark.parametrize("empty", [{"name": "", "arguments": ""}, {"name": None, "arguments": None}, {}])
def test_an_empty_call_is_none(empty: dict[str, Any]) -> None:
    """Hosts that fill in every key send an empty function call beside words, an empty custom call beside another."""
    exchange = talk(CHAT, ASK, answer({"content": "ok", "function_call": empty}))
    assert (exchange.answer_text, exchange.calls) == ("ok", ())
    custom = {**CALL, "custom": {"name": "", "input": ""}}
    (call,) = talk(CHAT, ASK, answer({"tool_calls": [custom]})).calls
    assert (call.name, call.arguments) == ("plan", {"n": 1})
