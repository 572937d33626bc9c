"""Records of evaluations and agents that keep messages, but not the requests that were sent: only answers are judged.

Sources: https://swe-agent.com/latest/usage/trajectories, https://deepeval.com/docs/evaluation-llm-tracing,
https://www.tensorzero.com/docs/evaluations/inference-evaluations/tutorial
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..untrusted_json import JsonObject, mapping, objects, sequence, words
from .chat_bodies import CHAT_URL, chat_messages, request_body, response_body
from .logged import CutError, Fidelity, Logged, unpacked_json
from .spans import nanoseconds

NO_ANSWER = "the record has no answer of the model"
ELIDED = ("", "...", "…", "{...}")
"""Placeholders for an answer that was left out."""


def session(name: str, messages: Sequence[JsonObject], why: str = NO_ANSWER, model: str = "") -> Logged:
    """Return the last answer of a session, with the messages before it as its request.

    Earlier answers aren't separate calls: a session of 1,000 turns would then be a thousand times as large.
    """
    at = max((n for n, one in enumerate(messages) if words(one.get("role")) == "assistant"), default=-1)
    said = messages[at] if at >= 0 else None
    return answered(Logged(name, name, url=CHAT_URL, why=why, model=model), messages[: max(at, 0)], said)


def answered(logged: Logged, messages: Sequence[JsonObject], said: object, tokens: Any = (None, None)) -> Logged:
    """Return the call with these messages, and one as its answer, if there is one."""
    body = response_body(logged.model, {**said, "role": "assistant"}, tokens=tokens) if isinstance(said, dict) else None
    if not messages or body is None or words(body["choices"][0]["message"].get("content")).strip() in ELIDED:
        logged.fidelity = Fidelity.PARTIAL if messages else Fidelity.NONE
        return logged
    logged.request, logged.response = request_body(logged.model, chat_messages([*messages])), body
    logged.fidelity, logged.why = Fidelity.DERIVED, ""
    return logged


# SWE-agent: the history of an agent, of which the trajectory is a digest.


def is_trajectory(record: object) -> bool:
    """Return True if a record is a trajectory of SWE-agent: each of its messages names its agent."""
    listed = objects(mapping(record).get("history"))
    return bool(listed) and all({"role", "content", "agent"} <= one.keys() for one in listed[:3])


def read_trajectory(record: Mapping[str, object]) -> Iterator[Logged]:
    """Yield the last answer."""
    messages = [
        {**one, "tool_call_id": sequence(one["tool_call_ids"])[0]} if sequence(one.get("tool_call_ids")) else one
        for one in objects(record.get("history"))
    ]
    yield session("", messages)


# DeepEval: the calls that its tracing saw, else inputs and answers of test cases.


def is_deepeval(record: object) -> bool:
    """Return True if a record is a test run of DeepEval."""
    found = mapping(record)
    return isinstance(found.get("testCases"), list) and "metricsScores" in found


def read_deepeval(record: Mapping[str, object]) -> Iterator[Logged]:
    """Yield the calls of each test case."""
    for number, case in enumerate(objects(record.get("testCases"))):
        trace = mapping(case.get("trace"))
        name = words(trace.get("uuid")) or f"{number}-{words(case.get('name'))}"[:200]
        spans = objects(trace.get("llmSpans")) or [{"input": case.get("input"), "output": case.get("actualOutput")}]
        for span in spans:
            asked, said = span.get("input"), span.get("output")
            counted = (span.get("inputTokenCount"), span.get("outputTokenCount"))
            at, call = nanoseconds(span.get("startTime")), words(span.get("uuid"))
            logged = Logged(call, name, at=at, url=CHAT_URL, why=NO_ANSWER, model=words(span.get("model")))
            messages = objects(asked) or ([{"role": "user", "content": asked}] if isinstance(asked, str) else [])
            yield answered(logged, messages, {"content": said} if isinstance(said, str) else said, counted)


# TensorZero: rows of a data set, with the variables of a prompt's template in place of its words.


def is_tensorzero(record: object) -> bool:
    """Return True if a record is a data point or an inference of TensorZero."""
    return {"function_name", "episode_id", "input", "output"} <= mapping(record).keys()


def read_tensorzero(record: Mapping[str, object]) -> Iterator[Logged]:
    """Yield the call of one row."""
    logged = Logged(words(record.get("id")), words(record.get("episode_id")), url=CHAT_URL, why=NO_ANSWER)
    try:
        asked, said = mapping(unpacked_json(record["input"])), unpacked_json(record["output"])
    except CutError:
        logged.fidelity = Fidelity.PARTIAL
        yield logged
        return
    messages = [{"role": words(one.get("role")), "parts": _parts(one)} for one in objects(asked.get("messages"))]
    if system := asked.get("system"):
        messages.insert(0, {"role": "system", "parts": _parts({"content": system})})
    raw = mapping(said).get("raw")
    yield answered(logged, messages, {"content": raw} if raw else {"parts": said} if sequence(said) else None)


def _parts(message: JsonObject) -> list[object]:
    content = message.get("content")
    return content if isinstance(content, list) else [content if isinstance(content, str) else {"type": "template"}]
