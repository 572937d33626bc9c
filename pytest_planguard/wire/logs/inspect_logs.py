"""Logs of Inspect: the calls of each sample, with the bodies that were sent if the log keeps them.

Source: https://inspect.aisi.org.uk/eval-logs.html
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..dialects.dialect_table import is_answer, is_request
from ..untrusted_json import JsonObject, mapping, objects, sequence, words
from .chat_bodies import CHAT_URL, request_body, response_body, spoken, tool_call
from .logged import Fidelity, Logged
from .sessions import session
from .spans import nanoseconds

SWITCH = "the log keeps no messages of the call: run Inspect with --log-samples"
GONE = "the log lacks an attachment that the call refers to"
MOST_TEXT = 64 * 1024 * 1024
"""Characters in all calls of one sample. A short reference to a long attachment may be repeated a million times."""


class _GoneError(ValueError):
    """A reference to a text that the log lacks."""


def is_inspect(record: object) -> bool:
    """Return True if a record is a log of Inspect, or the header of one with some of its samples."""
    found = mapping(record)
    return {"version", "status", "eval"} <= found.keys() and isinstance(found["eval"], dict)


def read_inspect(record: Mapping[str, Any]) -> Iterator[Logged]:
    """Yield the calls of all samples."""
    run = words(record["eval"].get("run_id"))
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
        self._left = MOST_TEXT

    def referred(self, event: Mapping[str, object]) -> object:
        """Return the messages of a request: in the event, or ranges of the sample's pool such as `[[0, 3]]`."""
        ranges = [one for one in sequence(event.get("input_refs")) if _is_range(one)]
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
