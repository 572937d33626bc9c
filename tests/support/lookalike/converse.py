"""Bedrock's spellings: Converse, and InvokeModel with Anthropic's bodies; streams in AWS event frames."""

from __future__ import annotations

import json
from typing import Any, Literal

from ..event_stream_frames import chunk, event
from .dialects import MESSAGES
from .model import Answer, Turn
from .spelling import Body, Spelling, arguments, pieces

_USAGE = {"inputTokens": 11, "outputTokens": 7, "totalTokens": 18}
_METRICS = {"latencyMs": 1}


def _turns(body: Body) -> list[Turn]:
    system = [Turn("system", _text(body["system"]))] if body.get("system") else []
    return system + [Turn(_role(m), _text(m["content"])) for m in body.get("messages", ())]


def _role(message: Body) -> Literal["user", "assistant", "tool"]:
    if any("toolResult" in block for block in message["content"]):
        return "tool"
    return "assistant" if message["role"] == "assistant" else "user"


def _text(blocks: list[Body]) -> str:
    return "\n".join(_block(block) for block in blocks)


def _block(block: Body) -> str:
    if "toolUse" in block:
        return json.dumps(block["toolUse"]["input"], ensure_ascii=False)
    if "toolResult" in block:
        return _text(block["toolResult"]["content"])
    return str(block.get("text") or json.dumps(block.get("json", "")))


def _limit(body: Body) -> Any:
    return (body.get("inferenceConfig") or {}).get("maxTokens")


def _reason(answer: Answer) -> str:
    reasons = {"length": "max_tokens", "refusal": "content_filtered"}
    return reasons.get(answer.finish) or ("tool_use" if answer.tool else "end_turn")


def _whole(answer: Answer, _: Body) -> Body:
    block: Body = {"text": answer.text}
    if answer.tool:
        block = {"toolUse": {"toolUseId": f"t{answer.number}", "name": answer.tool, "input": arguments(answer.text)}}
    message = {"role": "assistant", "content": [block]}
    return {"output": {"message": message}, "stopReason": _reason(answer), "usage": _USAGE, "metrics": _METRICS}


def _stream(answer: Answer, _: Body) -> list[bytes]:
    delta = (lambda p: {"toolUse": {"input": p}}) if answer.tool else (lambda p: {"text": p})
    start = {"start": {"toolUse": {"toolUseId": f"t{answer.number}", "name": answer.tool}}, "contentBlockIndex": 0}
    return [
        event("messageStart", {"role": "assistant"}),
        *([event("contentBlockStart", start)] if answer.tool else []),
        *(event("contentBlockDelta", {"delta": delta(p), "contentBlockIndex": 0}) for p in pieces(answer.text)),
        event("contentBlockStop", {"contentBlockIndex": 0}),
        event("messageStop", {"stopReason": _reason(answer)}),
        event("metadata", {"usage": _USAGE, "metrics": _METRICS}),
    ]


def _chunks(answer: Answer, body: Body) -> list[bytes]:
    """Anthropic's events, each in a chunk."""
    return [chunk(json.loads(str(e).partition("data: ")[2])) for e in MESSAGES.stream(answer, body)]


_FRAMES = "application/vnd.amazon.eventstream"
CONVERSE = Spelling(_turns, _limit, _whole, _stream, _FRAMES)
INVOKE = Spelling(MESSAGES.turns, MESSAGES.limit, MESSAGES.whole, _chunks, _FRAMES)
