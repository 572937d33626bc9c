"""Ollama's spelling: one object, or a stream of objects one a line."""

from __future__ import annotations

import json
from typing import Any, Literal

from .model import Answer, Turn
from .spelling import Body, Spelling, arguments, flat, pieces


def _turns(body: Body) -> list[Turn]:
    return [Turn(_role(m["role"]), _text(m)) for m in body.get("messages", ())]


def _role(name: str) -> Literal["system", "user", "assistant", "tool"]:
    return name if name in ("system", "assistant", "tool") else "user"  # type: ignore[return-value]  # narrowed by name


def _text(message: Body) -> str:
    calls = message.get("tool_calls") or ()
    return "\n".join(json.dumps(c["function"]["arguments"]) for c in calls) or flat(message.get("content"))


def _limit(body: Body) -> Any:
    return (body.get("options") or {}).get("num_predict")


def _piece(message: Body, answer: Answer | None = None) -> Body:
    one = {"model": "m", "created_at": "2026-01-01T00:00:00Z", "message": {"role": "assistant", **message}}
    if answer is None:
        return {**one, "done": False}
    reason = "length" if answer.finish == "length" else "stop"
    return {**one, "done": True, "done_reason": reason, "prompt_eval_count": 11, "eval_count": 7}


def _message(answer: Answer) -> Body:
    if answer.tool is None:
        return {"content": answer.text}
    return {"content": "", "tool_calls": [{"function": {"name": answer.tool, "arguments": arguments(answer.text)}}]}


def _whole(answer: Answer, _: Body) -> Body:
    return _piece(_message(answer), answer)


def _stream(answer: Answer, _: Body) -> list[str]:
    parts = [_message(answer)] if answer.tool else [{"content": p} for p in pieces(answer.text)]
    objects = [*(_piece(p) for p in parts), _piece({"content": ""}, answer)]
    return [json.dumps(o, ensure_ascii=False) + "\n" for o in objects]


OLLAMA = Spelling(_turns, _limit, _whole, _stream, "application/x-ndjson")
