"""Records of evaluations and agents that keep messages. Only Inspect may also keep the requests that were sent.

Sources: https://swe-agent.com/latest/usage/trajectories, https://deepeval.com/docs/evaluation-llm-tracing,
https://www.tensorzero.com/docs/evaluations/inference-evaluations/tutorial,
https://inspect.aisi.org.uk/eval-logs.html
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..dialects.dialect_table import is_answer, is_request
from ..untrusted_json import JsonObject, mapping, objects, sequence, words
from .chat_bodies import CHAT_URL, chat_messages, request_body, response_body, spoken, tool_call
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


# Logs of Inspect: the calls of each sample, with the bodies that were sent if the log keeps them.


SWITCH = "the log keeps no messages of the call: run Inspect with --log-samples"
GONE = "the log lacks an attachment that the call refers to"
MOST_TEXT = 64 * 1024 * 1024
"""Characters in all calls of one sample. A short reference to a long attachment may be repeated a million times."""
_MOST_MESSAGES = 1_000_000
"""Messages that all calls of one sample may refer to. `[[0, 20000]]`, repeated, refers to any number of empty ones."""


class _GoneError(ValueError):
    """A reference to a text that the log lacks."""


def is_inspect(record: object) -> bool:
    """Return True if a record is a log of Inspect, or the header of one with some of its samples."""
    found = mapping(record)
    return {"version", "status", "eval"} <= found.keys() and isinstance(found["eval"], dict)


def read_inspect(record: Mapping[str, Any]) -> Iterator[Logged]:
    """Yield the calls of all samples."""
    run = words(mapping(record["eval"]).get("run_id"))
    for sample in objects(record.get("samples")):
        trace = f"{run}-{sample.get('id')}-{sample.get('epoch')}"[:200]
        texts = _Texts(sample)
        calls = [event for event in objects(sample.get("events")) if event.get("event") == "model"]
        for number, event in enumerate(calls):
            yield _call(f"{trace}-{number}", trace, event, texts)
        if not calls:
            yield session(trace, objects(sample.get("messages")), SWITCH)


def _call(name: str, trace: str, event: Mapping[str, Any], texts: _Texts) -> Logged:
    model = words(event.get("model"))
    logged = Logged(name, trace, at=nanoseconds(event.get("timestamp")), url=CHAT_URL, why=SWITCH, model=model)
    sent = mapping(event.get("call"))
    said = mapping(event.get("output"))
    try:
        asked, answered = texts.whole(sent.get("request")), texts.whole(sent.get("response"))
        if is_request(asked) and is_answer(answered):
            logged.request, logged.response, logged.fidelity, logged.why = asked, answered, Fidelity.WIRE, ""
            return logged
        messages = [_message(one) for one in objects(texts.whole(texts.referred(event)))]
        choice = next(iter(objects(texts.whole(said.get("choices")))), {})
    except _GoneError:
        logged.fidelity, logged.why = Fidelity.PARTIAL, GONE
        return logged
    usage = mapping(said.get("usage"))
    tokens = (usage.get("input_tokens"), usage.get("output_tokens"))
    if messages and isinstance(choice.get("message"), dict):
        logged.request = request_body(model, messages, event.get("tools"))
        logged.response = response_body(model, _message(choice["message"]), choice.get("stop_reason"), tokens)
        logged.fidelity, logged.why = Fidelity.MESSAGES, ""
    return logged


def _message(message: JsonObject) -> JsonObject:
    """Return a message as a chat API has it."""
    calls = [tool_call(c.get("id"), c.get("function"), c.get("arguments")) for c in objects(message.get("tool_calls"))]
    said = spoken(words(message.get("role")), message.get("content"), calls)
    return {**said, "tool_call_id": message["tool_call_id"]} if "tool_call_id" in message else said


class _Texts:
    """The texts of one sample that its events refer to."""

    def __init__(self, sample: Mapping[str, Any]) -> None:
        self._held = mapping(sample.get("attachments"))
        self._pool = sequence(sample.get("message_pool"))
        self._left, self._messages_left = MOST_TEXT, _MOST_MESSAGES

    def referred(self, event: Mapping[str, object]) -> object:
        """Return the messages of a request: in the event, or ranges of the sample's pool such as `[[0, 3]]`.

        Raises _GoneError if the ranges hold too many.
        """
        ranges = [one for one in sequence(event.get("input_refs")) if _is_range(one)]
        self._messages_left -= sum(len(range(*slice(*one).indices(len(self._pool)))) for one in ranges)
        if self._messages_left < 0:
            raise _GoneError
        return event.get("input") or [message for start, end in ranges for message in self._pool[start:end]]

    def whole(self, value: object) -> Any:
        """Return a value with its references replaced. Raises _GoneError if a text is missing or all are too long."""
        if isinstance(value, dict):
            return {key: self.whole(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.whole(inner) for inner in value]
        if not isinstance(value, str):
            return value
        is_reference = value.startswith(("attachment://", "tc://"))
        text = self._held.get(value.partition("://")[2]) if is_reference else value
        if not isinstance(text, str) or self._left < len(text):
            raise _GoneError
        self._left -= len(text) + 1
        return text


def _is_range(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(end, int) and end >= 0 for end in value)
