"""Cohere's spelling, version 2: requests like OpenAI's, answers of content parts."""

from __future__ import annotations

from typing import Any

from .dialects import CHAT
from .model import Answer
from .spelling import Body, Spelling, event, pieces

_USAGE = {"tokens": {"input_tokens": 11, "output_tokens": 7}}


def _finish(answer: Answer) -> str:
    if answer.finish == "length":
        return "MAX_TOKENS"
    return "TOOL_CALL" if answer.tool else "ERROR_TOXIC" if answer.finish == "refusal" else "COMPLETE"


def _call(answer: Answer, text: str) -> Body:
    return {"id": f"call_{answer.number}", "type": "function", "function": {"name": answer.tool, "arguments": text}}


def _whole(answer: Answer, _: Body) -> Body:
    message: Body = {"role": "assistant"}
    if answer.tool:
        message["tool_calls"] = [_call(answer, answer.text)]
    else:
        message["content"] = [{"type": "text", "text": answer.text}]
    return {"id": "c1", "finish_reason": _finish(answer), "message": message, "usage": _USAGE}


def _stream(answer: Answer, _: Body) -> list[str]:
    start: Body = {"role": "assistant", "content": [], "tool_plan": "", "tool_calls": [], "citations": []}
    middle = _calling(answer) if answer.tool else _saying(answer)
    events = [
        {"type": "message-start", "id": "c1", "delta": {"message": start}},
        *middle,
        {"type": "message-end", "delta": {"finish_reason": _finish(answer), "usage": _USAGE}},
    ]
    return [event(e) for e in events]


def _saying(answer: Answer) -> list[Body]:
    def content(kind: str, value: Any) -> Body:
        return {"type": kind, "index": 0, "delta": {"message": {"content": value}}}

    texts = [content("content-delta", {"text": p}) for p in pieces(answer.text)]
    return [content("content-start", {"type": "text", "text": ""}), *texts, {"type": "content-end", "index": 0}]


def _calling(answer: Answer) -> list[Body]:
    def call(kind: str, value: Any) -> Body:
        return {"type": kind, "index": 0, "delta": {"message": {"tool_calls": value}}}

    texts = [call("tool-call-delta", {"function": {"arguments": p}}) for p in pieces(answer.text)]
    return [call("tool-call-start", _call(answer, "")), *texts, {"type": "tool-call-end", "index": 0}]


COHERE = Spelling(CHAT.turns, CHAT.limit, _whole, _stream)
