"""Recordings of trials as files: each trial is a conversation of two attempts, in a file of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.retry.reading.wordings.documents import broken

from .documents import documents
from .trial import Trial

Message = dict[str, Any]
ENVELOPES = {
    "turn": "{text}",
    "turn, introduced": "The answer was rejected.\n\n{text}\n\nPlease send the corrected JSON.",
    "turn, fenced": "Your last answer did not pass validation:\n\n```\n{text}\n```\n\nAnswer again with JSON only.",
    "tool result": "{text}",
    "prompt sent again": "{task}\n\nAn earlier attempt was rejected because of this:\n{text}",
}
"""Where an app puts the text: a turn behind the answer, the output tool's result, or the prompt without the answer."""

TOOL = {"type": "function", "function": {"name": "final_result", "parameters": {"type": "object"}}}


def write_recording(path: Path, trial: Trial) -> None:
    """Write a trial as a recording of its own, as each test has one."""
    path.write_text(json.dumps({"version": 1, "interactions": _exchanges(trial)}), encoding="utf-8")


def _exchanges(trial: Trial) -> list[dict[str, Any]]:
    document = documents()[trial.document]
    bad = json.dumps(broken(document, list(trial.answer)), ensure_ascii=False)
    good = json.dumps(document["good"], ensure_ascii=False)
    task = f"Write a {trial.document} as JSON."
    as_call = trial.envelope == "tool result"
    return [
        _exchange(_opening(task), _answer(bad, as_call=as_call)),
        _exchange(_retry(trial, task, bad), _answer(good, as_call=as_call)),
    ]


def _opening(task: str) -> list[Message]:
    return [{"role": "system", "content": "You answer with JSON."}, {"role": "user", "content": task}]


def _retry(trial: Trial, task: str, bad: str) -> list[Message]:
    words = ENVELOPES[trial.envelope].format(text=trial.text, task=task)
    if trial.envelope == "prompt sent again":
        return _opening(words)
    if trial.envelope == "tool result":
        result = {"role": "tool", "tool_call_id": "call_1", "content": words}
        return [*_opening(task), _answer(bad, as_call=True), result]
    return [*_opening(task), _answer(bad, as_call=False), {"role": "user", "content": words}]


def _answer(text: str, *, as_call: bool) -> Message:
    if not as_call:
        return {"role": "assistant", "content": text}
    call = {"id": "call_1", "type": "function", "function": {"name": "final_result", "arguments": text}}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def _exchange(messages: list[Message], answer: Message) -> dict[str, Any]:
    request: dict[str, Any] = {"model": "m", "messages": messages, "max_tokens": 900}
    if "tool_calls" in answer:
        request |= {"tools": [TOOL], "tool_choice": {"type": "function", "function": {"name": "final_result"}}}
    finish = "tool_calls" if "tool_calls" in answer else "stop"
    response = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "m",
        "choices": [{"index": 0, "finish_reason": finish, "message": answer}],
    }
    return {
        "request": {
            "method": "POST",
            "uri": "http://127.0.0.1/v1/chat/completions",
            "headers": {"content-type": ["application/json"]},
            "body": json.dumps(request, ensure_ascii=False),
        },
        "response": {
            "status": {"code": 200, "message": "OK"},
            "headers": {"content-type": ["application/json"]},
            "body": {"string": json.dumps(response, ensure_ascii=False)},
        },
    }
