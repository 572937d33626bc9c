"""A recorded body as far as it can be read: a JSON value, a stream of JSON objects, or text and a reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .body import MAX_BODY, to_text, unpack
from .exchange import Message
from .shapes import objects, parse_json
from .stream import Stream, looks_streamed, read_stream


@dataclass(frozen=True, slots=True)
class Payload:
    """A body as far as it can be read."""

    text: str
    value: Any = None
    """The JSON value; None where the body is unreadable or a stream in pieces."""
    stream: Stream | None = None
    problem: str | None = None
    """Why neither value nor stream could be read."""


def read_payload(message: Message, *, streams: bool = False) -> Payload:
    """Read a message's body; only with `streams` may it be a stream. Never raises."""
    unpacked = unpack(message.headers, message.body)
    text = to_text(unpacked.body)
    if len(unpacked.body) > MAX_BODY:
        return Payload(text, problem=unpacked.problem)
    if not text.strip():
        return Payload(text, problem=unpacked.problem or "the body is empty")
    try:
        value = parse_json(text)
        return Payload(text, value, _array_stream(value) if streams else None)
    except ValueError as error:
        problem = unpacked.problem or f"the body is no JSON: {error}"
    if streams and looks_streamed(message.headers.get("content-type", ""), unpacked.body):
        stream = read_stream(unpacked.body)
        if stream.objects:
            return Payload(text, stream=stream)
    return Payload(text, problem=problem)


def _array_stream(value: Any) -> Stream | None:
    """An array of objects as the stream that it is or could be: Gemini streams so, unless asked for events."""
    return Stream(found, len(value) - len(found)) if (found := tuple(objects(value))) else None
