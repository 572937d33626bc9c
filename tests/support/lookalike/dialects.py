"""How each API spells requests and answers: OpenAI chat, OpenAI responses, Anthropic messages."""

from __future__ import annotations

import json

from .model import Answer, Turn
from .spelling import Body, Spelling, arguments, event, flat, pieces


def _chat_turns(body: Body) -> list[Turn]:
    def text(message: Body) -> str:
        calls = message.get("tool_calls") or ()
        return "\n".join(c["function"]["arguments"] for c in calls) or flat(message.get("content"))

    role = {"developer": "system", "function": "tool"}
    return [Turn(role.get(m["role"], m["role"]), text(m)) for m in body.get("messages", ())]


def _chat_message(answer: Answer) -> Body:
    if answer.finish == "refusal":
        return {"role": "assistant", "content": None, "refusal": answer.text}
    if answer.tool is None:
        return {"role": "assistant", "content": answer.text}
    call = {
        "id": f"call_{answer.number}",
        "type": "function",
        "function": {"name": answer.tool, "arguments": answer.text},
    }
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def _chat_finish(answer: Answer) -> str:
    if answer.finish == "length":
        return "length"
    return "tool_calls" if answer.tool else "stop"


def _chat_whole(answer: Answer, body: Body) -> Body:
    choice = {"index": 0, "message": _chat_message(answer), "finish_reason": _chat_finish(answer)}
    usage = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": body.get("model"),
        "choices": [choice],
        "usage": usage,
    }


def _chat_stream(answer: Answer, body: Body) -> list[str]:
    def chunk(delta: Body, finish: str | None = None) -> str:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        data = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": body.get("model")}
        return f"data: {json.dumps({**data, 'choices': [choice]}, ensure_ascii=False)}\n\n"

    if answer.tool:
        call = {
            "index": 0,
            "id": f"call_{answer.number}",
            "type": "function",
            "function": {"name": answer.tool, "arguments": ""},
        }
        deltas: list[Body] = [{"role": "assistant", "tool_calls": [call]}]
        deltas += [{"tool_calls": [{"index": 0, "function": {"arguments": p}}]} for p in pieces(answer.text)]
    else:
        name = "refusal" if answer.finish == "refusal" else "content"
        deltas = [{"role": "assistant", "content": ""}, *({name: p} for p in pieces(answer.text))]
    return [*(chunk(d) for d in deltas), chunk({}, _chat_finish(answer)), "data: [DONE]\n\n"]


def _responses_turns(body: Body) -> list[Turn]:
    given = body.get("input", ())
    if isinstance(given, str):
        return [Turn("user", given)]
    turns = []
    for item in given:
        if item.get("type") == "function_call":
            turns.append(Turn("assistant", item["arguments"]))
        elif item.get("type") == "function_call_output":
            turns.append(Turn("tool", flat(item["output"])))
        elif "role" in item:
            turns.append(Turn("system" if item["role"] == "developer" else item["role"], flat(item["content"])))
    return turns


def _responses_item(answer: Answer) -> Body:
    if answer.tool:
        call = {
            "name": answer.tool,
            "arguments": answer.text,
            "call_id": f"call_{answer.number}",
            "status": "completed",
        }
        return {"type": "function_call", "id": f"fc_{answer.number}", **call}
    text: Body = {"type": "output_text", "text": answer.text, "annotations": []}
    part = {"type": "refusal", "refusal": answer.text} if answer.finish == "refusal" else text
    return {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [part]}


def _responses_whole(answer: Answer, body: Body) -> Body:
    cut = answer.finish == "length"
    usage = {"input_tokens": 11, "output_tokens": 7, "total_tokens": 18}
    details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": body.get("model"),
        "status": "incomplete" if cut else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "output": [_responses_item(answer)],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {**usage, **details},
    }


def _responses_stream(answer: Answer, body: Body) -> list[str]:
    whole = _responses_whole(answer, body)
    item = whole["output"][0]
    place: Body = {"item_id": item["id"], "output_index": 0}
    started = {**whole, "status": "in_progress", "output": []}
    events: list[Body] = [{"type": "response.created", "response": started}]
    if answer.tool:
        empty = {**item, "arguments": "", "status": "in_progress"}
        events.append({"type": "response.output_item.added", "output_index": 0, "item": empty})
        kind, field = "response.function_call_arguments", "arguments"
    else:
        empty = {**item, "content": [], "status": "in_progress"}
        part = {"type": "output_text", "text": "", "annotations": []}
        place = {**place, "content_index": 0}
        events.append({"type": "response.output_item.added", "output_index": 0, "item": empty})
        events.append({"type": "response.content_part.added", **place, "part": part})
        kind, field = "response.output_text", "text"
    events += [{"type": f"{kind}.delta", **place, "delta": p, "logprobs": []} for p in pieces(answer.text)]
    events.append({"type": f"{kind}.done", **place, field: answer.text, "logprobs": []})
    events.append({"type": "response.output_item.done", "output_index": 0, "item": item})
    events.append({"type": f"response.{whole['status']}", "response": whole})
    return [event({**e, "sequence_number": n}) for n, e in enumerate(events)]


def _messages_turns(body: Body) -> list[Turn]:
    turns = [Turn("system", flat(body["system"]))] if body.get("system") else []
    return turns + [Turn(m["role"], flat(m["content"])) for m in body.get("messages", ())]


def _messages_whole(answer: Answer, body: Body) -> Body:
    block: Body = {"type": "text", "text": answer.text}
    if answer.tool:
        block = {
            "type": "tool_use",
            "id": f"toolu_{answer.number}",
            "name": answer.tool,
            "input": arguments(answer.text),
        }
    reason = {"length": "max_tokens", "refusal": "refusal"}.get(answer.finish)
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": body.get("model"),
        "content": [block],
        "stop_reason": reason or ("tool_use" if answer.tool else "end_turn"),
        "stop_sequence": None,
        "usage": {"input_tokens": 11, "output_tokens": 7},
    }


def _messages_stream(answer: Answer, body: Body) -> list[str]:
    whole = _messages_whole(answer, body)
    block = whole["content"][0]
    empty, kind, field = {**block, "text": ""}, "text_delta", "text"
    if answer.tool:
        empty, kind, field = {**block, "input": {}}, "input_json_delta", "partial_json"
    start = {**whole, "content": [], "stop_reason": None, "usage": {"input_tokens": 11, "output_tokens": 0}}
    end = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    events: list[Body] = [
        {"type": "message_start", "message": start},
        {"type": "content_block_start", "index": 0, "content_block": empty},
        *({"type": "content_block_delta", "index": 0, "delta": {"type": kind, field: p}} for p in pieces(answer.text)),
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": end, "usage": {"output_tokens": 7}},
        {"type": "message_stop"},
    ]
    return [event(e) for e in events]


CHAT = Spelling(_chat_turns, lambda b: b.get("max_completion_tokens") or b.get("max_tokens"), _chat_whole, _chat_stream)
RESPONSES = Spelling(_responses_turns, lambda b: b.get("max_output_tokens"), _responses_whole, _responses_stream)
MESSAGES = Spelling(_messages_turns, lambda b: b.get("max_tokens"), _messages_whole, _messages_stream)
