"""Gemini's and Vertex' generateContent: every shape of request and answer, whole and streamed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_planguard.wire.exchange import Choice, Exchange, Finish, Item, ItemKind, Role, Usage

from ...support.one_item import in_one_item
from ..talk import called, plain, said, sse, talk

URL = "https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro:generateContent"
STREAM = "https://h/v1/projects/p/locations/l/publishers/google/models/gemini-3:streamGenerateContent?alt=sse"
ASK: dict[str, Any] = {"contents": [{"role": "user", "parts": [{"text": "Plan it"}]}]}
OBJECT = {"type": "object", "properties": {"n": {"type": "integer"}}}


def answer(*parts: dict[str, Any], finish: Any = "STOP", **rest: Any) -> dict[str, Any]:
    """A whole answer, or one chunk of a streamed one, with one candidate."""
    return {"candidates": [{"content": {"role": "model", "parts": list(parts)}, "finishReason": finish}], **rest}


def request(**body: Any) -> Exchange:
    """The exchange of a request with these keys and a plain answer."""
    return talk(URL, {**ASK, **body}, answer({"text": "ok"}))


def contents(*turns: Any) -> tuple[Item, ...]:
    """The request items of these contents."""
    return request(contents=list(turns)).request


def result(text: str, *, is_error: bool = False, name: str = "f", call_id: str | None = None) -> Item:
    """A function response."""
    return Item(ItemKind.RESULT, Role.TOOL, text, call_id, name, is_error=is_error)


def test_plain_answer() -> None:
    """A whole exchange is read into every field it fills; the URL names the model, thoughts count as output."""
    usage = {"promptTokenCount": 7, "candidatesTokenCount": 2, "thoughtsTokenCount": 30, "totalTokenCount": 39}
    exchange = talk(URL, ASK, answer({"text": "{}"}, usageMetadata=usage, responseId="r1", modelVersion="gemini-3-001"))

    assert exchange == plain(exchange, "gemini", URL, model="gemini-3-pro", response_id="r1", usage=Usage(7, 32))


@in_one_item
@pytest.mark.parametrize(
    ("word", "finish"),
    [
        ("STOP", Finish.STOP),
        (1, Finish.STOP),
        ("MAX_TOKENS", Finish.LENGTH),
        (2, Finish.LENGTH),
        ("SAFETY", Finish.CONTENT_FILTER),
        ("RECITATION", Finish.CONTENT_FILTER),
        ("PROHIBITED_CONTENT", Finish.CONTENT_FILTER),
        ("UNEXPECTED_TOOL_CALL", Finish.ERROR),
        ("OTHER", Finish.ERROR),
        ("FINISH_REASON_UNSPECIFIED", None),
        (99, None),
        (-1, None),
        (None, None),
    ],
)
def test_finish_words(word: Any, finish: Finish | None) -> None:
    """Each of the provider's words, and the numbers that two APIs share, has its place; the rest is None."""
    assert talk(URL, ASK, answer({"text": "x"}, finish=word)).finish is finish


def test_a_call_ends_an_answer_as_a_call() -> None:
    """STOP after a function call is a tool call; a call without arguments has an empty object."""
    exchange = talk(URL, ASK, answer({"functionCall": {"name": "f", "args": {"n": 1}, "id": "c1"}},
                                     {"functionCall": {"name": "g"}, "thoughtSignature": "abc"}))  # fmt: skip
    assert exchange.calls == (called("f", '{"n": 1}', "c1", {"n": 1}), called("g", "{}", None, {}))
    assert exchange.finish is Finish.TOOL_CALLS


def test_a_blocked_prompt_is_filtered_content() -> None:
    """No candidate and a block reason: the content filter, not an unknown shape."""
    exchange = talk(URL, ASK, {"promptFeedback": {"blockReason": "SAFETY"}})
    assert (exchange.finish, exchange.answer, exchange.note) == (Finish.CONTENT_FILTER, (), None)


def test_a_malformed_call_is_a_rejected_text() -> None:
    """What the provider could not read as a call is kept as what the model wrote."""
    candidate = {"content": {}, "finishReason": "MALFORMED_FUNCTION_CALL", "finishMessage": "Malformed: f(1"}
    exchange = talk(URL, ASK, {"candidates": [candidate]})
    assert (exchange.finish, exchange.error) == (Finish.ERROR, "Malformed: f(1")
    assert exchange.rejected_text == "Malformed: f(1"


def test_thoughts_and_provider_tools_are_no_text() -> None:
    """Thought parts are dropped; code that the provider ran ends a run of text; neighbours are one text."""
    parts = ({"text": "hm", "thought": True}, {"text": "a"}, {"text": "b", "thoughtSignature": "x"},
             {"executableCode": {"code": "1+1"}}, {"codeExecutionResult": {"output": "2"}}, {"text": "c"})  # fmt: skip
    assert talk(URL, ASK, answer(*parts)).answer == (said(Role.ASSISTANT, "ab"), said(Role.ASSISTANT, "c"))


def test_history() -> None:
    """Model turns, calls, responses and media keep their order; a function's own turn is a tool's."""
    items = contents(
        "hello",
        {"parts": [{"text": "see"}, {"inlineData": {"mimeType": "image/png", "data": "…"}}]},
        {"role": "model", "parts": [{"text": "calling"}, {"functionCall": {"name": "f", "args": {}}}]},
        {"role": "function", "parts": [{"functionResponse": {"name": "f", "response": {"output": "5"}}}]},
        7,
    )
    assert items == (
        said(Role.USER, "hello"),
        said(Role.USER, "see"),
        said(Role.USER, "<inlineData>"),
        said(Role.ASSISTANT, "calling"),
        called("f", "{}", None, {}),
        result("5"),
    )


def test_one_content_needs_no_list() -> None:
    """Clients may send a single text or a single content."""
    assert request(contents="hi").request == (said(Role.USER, "hi"),)
    assert request(contents={"parts": [{"text": "hi"}]}).request == (said(Role.USER, "hi"),)


@pytest.mark.parametrize(
    ("response", "text", "is_error"),
    [
        ({"result": "5"}, "5", False),
        ({"return_value": {"a": 1}}, '{"a": 1}', False),
        ({"output": "5", "unit": "m"}, '{"output": "5", "unit": "m"}', False),
        ({"error": "no such city"}, "no such city", True),
        ({"call_error": "1 validation error"}, "1 validation error", True),
        ({"error": [{"loc": ["n"]}]}, '[{"loc": ["n"]}]', True),
        ({"error": None, "result": 1}, '{"error": null, "result": 1}', False),
        ({}, "{}", False),
    ],
)
def test_function_responses(response: Any, text: str, is_error: bool) -> None:
    """An error member flags the result and is its text; a lone value is the text; anything else is JSON."""
    turn = {"role": "user", "parts": [{"functionResponse": {"id": "c1", "name": "f", "response": response}}]}
    assert contents(turn) == (result(text, is_error=is_error, call_id="c1"),)


def test_media_of_a_function_response() -> None:
    """Media that came with a response keep their place."""
    body = {"name": "f", "response": {"result": "see"}, "parts": [{"inlineData": {}}, {}]}
    (item,) = contents({"role": "user", "parts": [{"functionResponse": body}]})
    assert item.text == "see\n<inlineData>\n<>"


def test_snake_case_is_read_as_well() -> None:
    """Some clients send the same keys in snake case."""
    exchange = request(
        system_instruction={"parts": [{"text": "Be brief"}]},
        contents=[{"role": "user", "parts": [{"function_response": {"name": "f", "response": {"result": "5"}}}]}],
        generation_config={"max_output_tokens": 9, "response_schema": {"type": "OBJECT"}},
        tools=[{"function_declarations": [{"name": "f", "parameters_json_schema": OBJECT}]}],
        tool_config={"function_calling_config": {"mode": "ANY", "allowed_function_names": ["f"]}},
    )
    assert exchange.request == (said(Role.SYSTEM, "Be brief"), result("5"))
    assert (exchange.sampling, exchange.output_schema) == ({"max_tokens": 9}, {"type": "object"})
    assert (exchange.tools, exchange.tool_choice) == ({"f": OBJECT}, "f")


def test_tools() -> None:
    """Both ways to declare arguments are JSON Schema; the provider's own tools declare none."""
    declared = [
        {"name": "f", "description": "does", "parametersJsonSchema": OBJECT},
        {"name": "g", "parameters": {"type": "OBJECT", "properties": {"type": {"type": "STRING", "nullable": True}}}},
        {"name": "h"},
    ]
    exchange = request(tools=[{"functionDeclarations": declared}, {"googleSearch": {}}])
    nullable = {"type": "object", "properties": {"type": {"type": ["string", "null"]}}}
    assert exchange.tools == {"f": OBJECT, "g": nullable, "h": {}}


@pytest.mark.parametrize(
    ("config", "choice"),
    [
        ({"mode": "AUTO"}, "auto"),
        ({"mode": "VALIDATED"}, "auto"),
        ({"mode": "NONE"}, "none"),
        ({"mode": "ANY"}, "required"),
        ({"mode": "any", "allowedFunctionNames": ["f"]}, "f"),
        ({"mode": "ANY", "allowedFunctionNames": ["f", "g"]}, "required"),
        ({"allowedFunctionNames": ["f"]}, None),
        ("ANY", None),
    ],
)
def test_tool_choice(config: Any, choice: str | None) -> None:
    """The calling mode in our words; a single allowed function is the one that must be called."""
    assert request(toolConfig={"functionCallingConfig": config}).tool_choice == choice


def test_openapi_schema_becomes_json_schema() -> None:
    """Capital types, nullable, limits in strings and snake case are translated; property names are left alone."""
    described = {
        "type": "OBJECT",
        "property_ordering": ["any_of"],
        "properties": {
            "any_of": {"type": "ARRAY", "items": {"type": "INTEGER"}, "min_items": "1"},
            "x": {"anyOf": [{"type": "STRING", "nullable": True, "enum": ["NULL_A"]}, {"type": "NUMBER"}]},
        },
        "required": ["any_of"],
    }
    assert request(generationConfig={"responseSchema": described}).output_schema == {
        "type": "object",
        "propertyOrdering": ["any_of"],
        "properties": {
            "any_of": {"type": "array", "items": {"type": "integer"}, "minItems": 1},
            "x": {"anyOf": [{"type": ["string", "null"], "enum": ["NULL_A"]}, {"type": "number"}]},
        },
        "required": ["any_of"],
    }


def test_json_schema_is_taken_as_it_is() -> None:
    """A demanded JSON Schema is not translated; an empty one demands nothing."""
    assert request(generationConfig={"responseJsonSchema": OBJECT}).output_schema == OBJECT
    assert request(generationConfig={"responseSchema": {}}).output_schema is None


def test_sampling_and_extras() -> None:
    """Sampling settings have our names; what is left of the config and the body is an extra."""
    config = {"maxOutputTokens": 5, "temperature": 0, "topP": 1, "topK": 2, "seed": 3, "stopSequences": ["x"],
              "candidateCount": 2, "responseMimeType": "application/json"}  # fmt: skip
    exchange = request(generationConfig=config, safetySettings=[{"category": "c"}], systemInstruction="Be brief")
    assert exchange.sampling == {
        "max_tokens": 5, "temperature": 0, "top_p": 1, "top_k": 2, "seed": 3, "stop": ["x"], "n": 2,
    }  # fmt: skip
    assert exchange.request[0] == said(Role.SYSTEM, "Be brief")


CHUNKS = (
    answer({"text": "hm", "thought": True}, finish=None),
    answer({"text": '{"n"'}, finish=None, responseId="r1", modelVersion="m-1"),
    answer({"text": ": 1}"}, finish=None, usageMetadata={"promptTokenCount": 3}),
    answer({"functionCall": {"name": "f", "args": {"n": 1}}}, usageMetadata={"candidatesTokenCount": 4}),
)


@pytest.mark.parametrize(
    "body", [sse(*CHUNKS), json.dumps(CHUNKS).encode(), b"\n".join(json.dumps(c).encode() for c in CHUNKS)]
)
def test_streams(body: bytes) -> None:
    """Events, one JSON array and one object a line are the same stream."""
    exchange = talk(STREAM, ASK, body)
    assert exchange.answer == (said(Role.ASSISTANT, '{"n": 1}'), called("f", '{"n": 1}', None, {"n": 1}))
    assert (exchange.streamed, exchange.model, exchange.response_id) == (True, "gemini-3", "r1")
    assert (exchange.finish, exchange.usage, exchange.skipped_lines) == (Finish.TOOL_CALLS, Usage(3, 4), 0)


def test_malformed_chunks_are_counted() -> None:
    """Lines that are no JSON are skipped and counted; a cut stream has no finish."""
    body = sse(CHUNKS[1]) + b"data: {broken\n\n" + sse(CHUNKS[2])
    exchange = talk(STREAM, ASK, body)
    assert (exchange.answer_text, exchange.skipped_lines, exchange.finish) == ('{"n": 1}', 1, None)
    array = talk(STREAM, ASK, json.dumps([CHUNKS[1], None, CHUNKS[2]]).encode())
    assert (array.answer_text, array.skipped_lines) == ('{"n": 1}', 1)


def test_further_candidates() -> None:
    """The first candidate is the answer, and the others are kept beside it."""
    body = answer({"text": "a"})
    body["candidates"].append({"content": {"parts": [{"text": "b"}]}})
    exchange = talk(URL, ASK, body)
    assert (exchange.answer_text, exchange.others) == ("a", (Choice((said(Role.ASSISTANT, "b"),)),))


@pytest.mark.parametrize("status", [200, 429])
def test_errors(status: int) -> None:
    """An error object, alone or in an array, is the exchange's error."""
    error = {"error": {"code": 429, "message": "Resource exhausted", "status": "RESOURCE_EXHAUSTED"}}
    for body in (error, [error]):
        exchange = talk(URL, ASK, body, status=status)
        assert (exchange.dialect, exchange.error, exchange.finish) == ("gemini", "Resource exhausted", Finish.ERROR)


def test_the_shape_tells_behind_a_gateway() -> None:
    """Contents made of parts are this dialect's under any path; counting tokens is not an answer."""
    assert talk("http://localhost/proxy", ASK, answer({"text": "ok"})).dialect == "gemini"
    note = talk(URL.replace("generateContent", "countTokens"), ASK, {"totalTokens": 3}).note
    assert note is not None
    assert note.startswith("no dialect reads token counting")
