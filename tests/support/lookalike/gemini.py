"""Gemini's spelling: generateContent, and the same as a stream of server-sent events."""

from __future__ import annotations

import json
from typing import Any

from .model import Answer, Turn
from .spelling import Body, Spelling, arguments, pieces

_FINISHES = {"length": "MAX_TOKENS", "refusal": "SAFETY"}


def _turns(body: Body) -> list[Turn]:
    system = body.get("systemInstruction")
    turns = [Turn("system", _text(system))] if system else []
    return turns + [_turn(content) for content in body.get("contents", ())]


def _turn(content: Body) -> Turn:
    if any("functionResponse" in part for part in content["parts"]):
        return Turn("tool", _text(content))
    return Turn("assistant" if content.get("role") == "model" else "user", _text(content))


def _text(content: Body) -> str:
    return "\n".join(_part(part) for part in content.get("parts", ()))


def _part(part: Body) -> str:
    called, returned = part.get("functionCall"), part.get("functionResponse")
    if called is not None:
        return json.dumps(called.get("args"), ensure_ascii=False)
    if returned is not None:
        return "\n".join(v if isinstance(v, str) else json.dumps(v) for v in returned["response"].values())
    return str(part.get("text", ""))


def _limit(body: Body) -> Any:
    return (body.get("generationConfig") or {}).get("maxOutputTokens")


def _candidate(parts: list[Body], finish: str | None) -> Body:
    one: Body = {"content": {"role": "model", "parts": parts}, "index": 0}
    usage = {"promptTokenCount": 11, "candidatesTokenCount": 7, "totalTokenCount": 18}
    whole = {"candidates": [one | ({"finishReason": finish} if finish else {})], "usageMetadata": usage}
    return {**whole, "modelVersion": "m", "responseId": "r1"}


def _whole(answer: Answer, _: Body) -> Body:
    part: Body = {"text": answer.text}
    if answer.tool:
        part = {"functionCall": {"name": answer.tool, "args": arguments(answer.text)}}
    return _candidate([part], _FINISHES.get(answer.finish, "STOP"))


def _stream(answer: Answer, body: Body) -> list[str]:
    finish = _FINISHES.get(answer.finish, "STOP")
    texts = [] if answer.tool else pieces(answer.text)
    events = [_candidate([{"text": piece}], None) for piece in texts[:-1]]
    last = _candidate([{"text": texts[-1]}], finish) if texts else _whole(answer, body)
    return [f"data: {json.dumps(e, ensure_ascii=False)}\r\n\r\n" for e in [*events, last]]


GEMINI = Spelling(_turns, _limit, _whole, _stream)
