"""Write an answer in the response format of three APIs, whole or as server-sent events.

Sources: https://platform.openai.com/docs/api-reference/chat, https://platform.openai.com/docs/api-reference/responses,
https://docs.anthropic.com/en/api/messages
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...wire.untrusted_json import parsed_or_none
from .conversation import ScriptedAnswer

JsonObject = dict[str, Any]
PIECE = 12
"""Number of characters in one chunk of a stream."""
_EVENTS = "text/event-stream; charset=utf-8"
_WHOLE = "application/json"


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer, and the other content of its response."""

    answer: ScriptedAnswer
    number: int
    """1-based number of the request to the model. The ids in the response contain it."""
    model: str
    tool: str | None = None
    """The tool to call with the answer as its arguments; None to answer with text."""

    @property
    def cut(self) -> bool:
        """True if the token limit ended the answer."""
        return self.answer.finish == "length"

    @property
    def pieces(self) -> list[str]:
        """The chunks of the text in a stream; at least one."""
        text = self.answer.text
        return [text[at : at + PIECE] for at in range(0, len(text), PIECE)] or [""]


def response_body(dialect: str, reply: Reply, *, stream: bool) -> tuple[str, bytes]:
    """Return the content type and the body of a response. Raises KeyError for a dialect that is not in `SPOKEN`."""
    whole, events = SPOKEN[dialect]
    if not stream:
        return _WHOLE, json.dumps(whole(reply)).encode()
    return _EVENTS, "".join(events(reply)).encode()


# OpenAI chat completions


def _chat(reply: Reply) -> JsonObject:
    message: JsonObject = {"role": "assistant", "content": reply.answer.text, "refusal": None}
    if reply.tool is not None:
        message |= {"content": None, "tool_calls": [_chat_call(reply, reply.answer.text)]}
    return {
        "id": f"chatcmpl-{reply.number}",
        "object": "chat.completion",
        "created": 1,
        "model": reply.model,
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": _chat_finish(reply)}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


def _chat_call(reply: Reply, arguments: str) -> JsonObject:
    function = {"name": reply.tool, "arguments": arguments}
    return {"id": f"call_{reply.number}", "type": "function", "function": function}


def _chat_finish(reply: Reply) -> str:
    return "length" if reply.cut else "stop" if reply.tool is None else "tool_calls"


def _chat_events(reply: Reply) -> Iterator[str]:
    deltas: list[JsonObject]
    if reply.tool is None:
        deltas = [{"role": "assistant", "content": ""}, *({"content": piece} for piece in reply.pieces)]
    else:
        parts = [{"index": 0, "function": {"arguments": piece}} for piece in reply.pieces]
        opening = {"role": "assistant", "content": None, "tool_calls": [{"index": 0, **_chat_call(reply, "")}]}
        deltas = [opening, *({"tool_calls": [part]} for part in parts)]
    for delta in deltas:
        yield _data(_chunk(reply, delta, None))
    yield _data(_chunk(reply, {}, _chat_finish(reply)))
    yield "data: [DONE]\n\n"


def _chunk(reply: Reply, delta: JsonObject, finish: str | None) -> JsonObject:
    return {
        "id": f"chatcmpl-{reply.number}",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": reply.model,
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }


# OpenAI responses


def _responses(reply: Reply) -> JsonObject:
    return {
        "id": f"resp_{reply.number}",
        "object": "response",
        "created_at": 1,
        "model": reply.model,
        "status": "incomplete" if reply.cut else "completed",
        "error": None,
        "incomplete_details": {"reason": "max_output_tokens"} if reply.cut else None,
        "output": [_responses_item(reply, reply.answer.text)],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": 1,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 1,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": 2,
        },
    }


def _responses_item(reply: Reply, text: str) -> JsonObject:
    if reply.tool is not None:
        names = {"call_id": f"call_{reply.number}", "name": reply.tool}
        return {"type": "function_call", "id": f"fc_{reply.number}", **names, "arguments": text, "status": "completed"}
    part = {"type": "output_text", "text": text, "annotations": []}
    item = {"type": "message", "id": f"msg_{reply.number}", "role": "assistant", "status": "completed"}
    return {**item, "content": [part]}


def _responses_events(reply: Reply) -> Iterator[str]:
    whole = _responses(reply)
    events = [
        {"type": "response.created", "response": {**whole, "status": "in_progress", "output": []}},
        *_responses_item_events(reply, whole["output"][0]),
        {"type": f"response.{whole['status']}", "response": whole},
    ]
    return (_named({**event, "sequence_number": number}) for number, event in enumerate(events))


def _responses_item_events(reply: Reply, item: JsonObject) -> Iterator[JsonObject]:
    place: JsonObject = {"item_id": item["id"], "output_index": 0}
    if reply.tool is not None:
        kind, member = "response.function_call_arguments", "arguments"
        opened = {**item, "arguments": "", "status": "in_progress"}
    else:
        kind, member = "response.output_text", "text"
        opened = {**item, "content": [], "status": "in_progress"}
        place = {**place, "content_index": 0}
    yield {"type": "response.output_item.added", "output_index": 0, "item": opened}
    if reply.tool is None:
        empty = {"type": "output_text", "text": "", "annotations": []}
        yield {"type": "response.content_part.added", **place, "part": empty}
    for piece in reply.pieces:
        yield {"type": f"{kind}.delta", **place, "delta": piece, "logprobs": []}
    yield {"type": f"{kind}.done", **place, member: reply.answer.text, "logprobs": []}
    if reply.tool is None:
        yield {"type": "response.content_part.done", **place, "part": item["content"][0]}
    yield {"type": "response.output_item.done", "output_index": 0, "item": item}


# Anthropic messages


def _messages(reply: Reply) -> JsonObject:
    return {
        "id": f"msg_{reply.number}",
        "type": "message",
        "role": "assistant",
        "model": reply.model,
        "content": [_block(reply)],
        "stop_reason": "max_tokens" if reply.cut else "end_turn" if reply.tool is None else "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


def _block(reply: Reply) -> JsonObject:
    """Return a text block or a tool call. A call's input must be an object, so any other text becomes {}."""
    if reply.tool is None:
        return {"type": "text", "text": reply.answer.text}
    value = parsed_or_none(reply.answer.text)
    arguments = value if isinstance(value, Mapping) else {}
    return {"type": "tool_use", "id": f"toolu_{reply.number}", "name": reply.tool, "input": arguments}


def _messages_events(reply: Reply) -> Iterator[str]:
    whole = _messages(reply)
    block = whole["content"][0]
    if reply.tool is None:
        empty, kind, member, pieces = {**block, "text": ""}, "text_delta", "text", reply.pieces
    else:
        empty, kind, member = {**block, "input": {}}, "input_json_delta", "partial_json"
        pieces = [json.dumps(block["input"])]
    deltas = ({"type": "content_block_delta", "index": 0, "delta": {"type": kind, member: p}} for p in pieces)
    ending = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    events: Iterable[JsonObject] = [
        {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": empty},
        *deltas,
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": ending, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]
    return map(_named, events)


def _named(event: JsonObject) -> str:
    return f"event: {event['type']}\n{_data(event)}"


def _data(event: JsonObject) -> str:
    return f"data: {json.dumps(event)}\n\n"


SPOKEN: Mapping[str, tuple[Callable[[Reply], JsonObject], Callable[[Reply], Iterator[str]]]] = {
    "openai.chat": (_chat, _chat_events),
    "openai.responses": (_responses, _responses_events),
    "anthropic.messages": (_messages, _messages_events),
}
"""Maps a dialect to the functions that write a whole body and a stream."""
