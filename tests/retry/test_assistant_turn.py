"""A driven loop's tool results, in the form of each API, and read back as a cassette would be."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal

import pytest
from anthropic.types import Message as AnthropicMessage
from openai.types.responses import ParsedResponseFunctionToolCall
from pydantic import BaseModel

from pytest_planguard.contract import Contract
from pytest_planguard.contract.feedback.next_request import Placement
from pytest_planguard.retry.asker import quoted, read_reply
from pytest_planguard.retry.judging.judge import judge
from pytest_planguard.retry.loop import converge
from pytest_planguard.retry.outcomes import Firmness
from pytest_planguard.wire.decode import decode
from pytest_planguard.wire.exchange import Message

from ..support.one_item import in_one_item


class Ticket(BaseModel):
    """A ticket."""

    title: str
    priority: Literal["low", "high"]


TICKET = Contract(Ticket, judged="ticket")
TASK = "Make a ticket: the printer is on fire."
BAD, GOOD = {"title": "Fire", "priority": "hi"}, {"title": "Fire", "priority": "high"}
LINE = '/priority (line 1): expected one of "low", "high"; got "hi"'


@dataclass(frozen=True)
class Api:
    """One API: where it is, how its first request, its calls and their results look."""

    url: str
    first: dict[str, Any]
    """The first turn."""
    turns: str
    """The key of a request's turns."""
    calls: tuple[dict[str, Any], ...]
    """An answer with a bad call, and one with a good one."""
    said: tuple[dict[str, Any], ...]
    """The bad answer's turns in request 2 …"""
    result: dict[str, Any]
    """… and the result, `LINE` for its text."""


USER = {"role": "user", "content": TASK}
SAID = {"chat": {"id": "c1", "type": "function", "function": {"name": "ticket", "arguments": json.dumps(BAD)}}}
USE = {"type": "tool_use", "id": "c1", "name": "ticket", "input": BAD}
THOUGHT = {"type": "thinking", "thinking": "hm", "signature": "abc"}
ITEM = {"type": "function_call", "id": "fc1", "call_id": "c1", "name": "ticket", "arguments": json.dumps(BAD)}
REASONING = {"type": "reasoning", "id": "rs1", "summary": []}
PART = {"functionCall": {"id": "c1", "name": "ticket", "args": BAD}, "thoughtSignature": "abc"}
BLOCK = {"toolUse": {"toolUseId": "c1", "name": "ticket", "input": BAD}}
OLLAMA = {"function": {"name": "ticket", "arguments": BAD}}


def chat(call: dict[str, Any]) -> dict[str, Any]:
    """A chat completion that makes one call."""
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    return {"object": "chat.completion", "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]}


def good(value: Any) -> Any:
    """The same with the fixed ticket in it."""
    return json.loads(json.dumps(value).replace('"hi"', '"high"').replace('\\"hi\\"', '\\"high\\"'))


def twice(answer: dict[str, Any]) -> tuple[dict[str, Any], ...]:
    """The bad answer and the good one."""
    return answer, good(answer)


APIS = {
    "chat": Api(
        "https://h/v1/chat/completions",
        USER,
        "messages",
        twice(chat(SAID["chat"])),
        ({"role": "assistant", "content": None, "tool_calls": [SAID["chat"]]},),
        {"role": "tool", "tool_call_id": "c1", "content": LINE},
    ),
    "anthropic": Api(
        "https://h/v1/messages",
        USER,
        "messages",
        twice({"type": "message", "role": "assistant", "content": [THOUGHT, USE], "stop_reason": "tool_use"}),
        ({"role": "assistant", "content": [THOUGHT, USE]},),
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "c1", "content": LINE, "is_error": True}],
        },
    ),
    "responses": Api(
        "https://h/v1/responses",
        USER,
        "input",
        twice({"object": "response", "status": "completed", "output": [REASONING, ITEM]}),
        (REASONING, ITEM),
        {"type": "function_call_output", "call_id": "c1", "output": LINE},
    ),
    "gemini": Api(
        "https://h/v1beta/models/m:generateContent",
        {"role": "user", "parts": [{"text": TASK}]},
        "contents",
        twice({"candidates": [{"content": {"role": "model", "parts": [PART]}, "finishReason": "STOP"}]}),
        ({"role": "model", "parts": [PART]},),
        {
            "role": "user",
            "parts": [{"functionResponse": {"id": "c1", "name": "ticket", "response": {"error": LINE}}}],
        },
    ),
    "converse": Api(
        "https://h/model/m/converse",
        {"role": "user", "content": [{"text": TASK}]},
        "messages",
        twice({"output": {"message": {"role": "assistant", "content": [BLOCK]}}, "stopReason": "tool_use"}),
        ({"role": "assistant", "content": [BLOCK]},),
        {
            "role": "user",
            "content": [{"toolResult": {"toolUseId": "c1", "content": [{"text": LINE}], "status": "error"}}],
        },
    ),
    "ollama": Api(
        "https://h/api/chat",
        USER,
        "messages",
        twice({"model": "m", "message": {"role": "assistant", "content": "", "tool_calls": [OLLAMA]}, "done": True}),
        ({"role": "assistant", "content": None, "tool_calls": [OLLAMA]},),
        {"role": "tool", "tool_name": "ticket", "content": LINE},
    ),
}


def drive(api: Api, placement: Placement = "dialogue") -> list[list[dict[str, Any]]]:
    """The requests of a driven conversation of two attempts."""
    sent: list[list[dict[str, Any]]] = []

    def ask(messages: list[dict[str, Any]]) -> Any:
        sent.append(messages)
        return api.calls[len(sent) - 1]

    assert converge(ask, [api.first], TICKET, placement=placement).ok
    return sent


@pytest.mark.parametrize("name", APIS)
def test_the_correction_is_the_result_of_the_call(name: str) -> None:
    """The bad answer goes back whole, with its thoughts, and the findings as a failed result of its call."""
    api = APIS[name]
    first, second = drive(api)
    assert (first, second[:-1]) == ([api.first], [api.first, *api.said])
    texts = [text for text in strings(second[-1]) if LINE in text]
    assert len(texts) == 1
    assert json.loads(json.dumps(second[-1]).replace(json.dumps(texts[0]), json.dumps(LINE))) == api.result


@in_one_item
@pytest.mark.parametrize("name", APIS)
@pytest.mark.parametrize("placement", ["dialogue", "inject"])
def test_a_recording_of_it_carries_the_findings(name: str, placement: Placement) -> None:
    """What the loop sent is read by the API's own dialect: linked, fed back word for word, and converged."""
    api = APIS[name]
    exchanges = [
        decode(
            number,
            Message(url=api.url, body=json.dumps({api.turns: turns, "model": "m"}).encode()),
            Message(body=json.dumps(answer).encode()),
        )
        for number, (turns, answer) in enumerate(zip(drive(api, placement), api.calls, strict=True), 1)
    ]
    (found,) = judge(exchanges, [TICKET]).conversations
    assert found.ok
    assert [fed_back.label for fed_back in found.attempts[0].fed_back] == [Firmness.VERBATIM]


@pytest.mark.parametrize("name", ["gemini", "converse"])
def test_texts_follow_the_form_of_the_messages(name: str) -> None:
    """Where the answer is a text, its turn and the correction are written as the first message is."""
    api = APIS[name]
    answers, sent = iter([json.dumps(BAD), json.dumps(GOOD)]), []

    def ask(messages: list[dict[str, Any]]) -> str:
        sent.append(messages)
        return next(answers)

    assert converge(ask, [api.first], Contract(Ticket)).ok
    key = "parts" if name == "gemini" else "content"
    said, correction = sent[1][1:]
    assert said == {"role": "model" if name == "gemini" else "assistant", key: [{"text": json.dumps(BAD)}]}
    assert correction["role"] == "user"
    assert [list(part) for part in correction[key]] == [["text"]]
    assert LINE in correction[key][0]["text"]


def test_an_answer_in_another_form_than_the_messages_gets_chat_messages() -> None:
    """Whoever translates chat messages for Gemini gets chat messages; so does whoever brings a history of them."""
    reply = read_reply(APIS["gemini"].calls[0])
    assert quoted(reply, [USER]) == {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "ticket", "arguments": json.dumps(BAD)}}],
    }
    history = [USER, {"role": "tool", "tool_call_id": "x", "content": "."}]
    assert "tool_calls" in dict(quoted(read_reply(APIS["anthropic"].calls[0]), history))  # type: ignore[arg-type]


def test_what_an_sdk_adds_does_not_go_back() -> None:
    """Null members and parsed copies are the SDK's own; an empty text, which Anthropic refuses, is left out."""
    text = {"type": "text", "text": ""}
    about = {"id": "m", "model": "m", "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
    message = AnthropicMessage.model_validate({**APIS["anthropic"].calls[0], **about, "content": [text, THOUGHT, USE]})
    assert quoted(read_reply(message), [USER]) == {"role": "assistant", "content": [THOUGHT, USE]}
    call = ParsedResponseFunctionToolCall.model_validate({**ITEM, "parsed_arguments": BAD})
    response = {"object": "response", "status": "completed", "output": [call.model_dump()]}
    assert quoted(read_reply(response), [USER]) == [ITEM]


def test_words_beside_a_call_go_back_with_it() -> None:
    """In the form of each API, without the members that its SDK adds to them."""
    said = {"type": "text", "text": "Here it is:"}
    answer = {**APIS["anthropic"].calls[0], "content": [{**said, "citations": None}, USE]}
    assert quoted(read_reply(answer), [USER]) == {"role": "assistant", "content": [said, USE]}
    part = {"type": "output_text", "text": "Here it is:", "annotations": []}
    message = {"type": "message", "id": "m1", "role": "assistant", "status": "completed"}
    items = [{**message, "content": [{**part, "parsed": BAD, "logprobs": None}]}, ITEM]
    response = {"object": "response", "status": "completed", "output": items}
    assert quoted(read_reply(response), [USER]) == [{**message, "content": [part]}, ITEM]
    completion = chat(SAID["chat"])
    completion["choices"][0]["message"]["content"] = "Here it is:"
    assert quoted(read_reply(completion), [USER]) == {
        "role": "assistant",
        "content": "Here it is:",
        "tool_calls": [SAID["chat"]],
    }


@pytest.mark.parametrize("member", ["parsed", "parsed_arguments", "parsed_output"])
def test_a_parsed_copy_does_not_go_back(member: str) -> None:
    """Each SDK has its own name for it."""
    answer = {**APIS["anthropic"].calls[0], "content": [{**USE, member: BAD}]}
    assert quoted(read_reply(answer), [USER]) == {"role": "assistant", "content": [USE]}


def test_snake_case_is_kept() -> None:
    """Google's SDK spells its own values so: the result is spelled like the call."""
    parts = [{"text": None, "function_call": {"id": None, "name": "ticket", "args": {**BAD, "x": None}}}]
    answer = {"candidates": [{"content": {"role": "model", "parts": parts}, "finish_reason": "STOP"}]}
    api = APIS["gemini"]
    second = drive(Api(api.url, api.first, api.turns, (answer, api.calls[1]), (), {}))[1]
    assert second[1] == {"role": "model", "parts": [{"function_call": {"name": "ticket", "args": {**BAD, "x": None}}}]}
    (result,) = second[2]["parts"]
    assert (list(result), result["function_response"]["name"]) == (["function_response"], "ticket")


def strings(value: Any) -> list[str]:
    """All texts in a value."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in inner for text in strings(part)]
