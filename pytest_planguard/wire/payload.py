"""A recorded body as far as it can be read: a JSON value, a stream of JSON objects, or text and a reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .body import MAX_BODY, to_text, unpack
from .exchange import Message
from .shapes import parse_json
from .stream import Stream, looks_streamed, read_stream


@dataclass(frozen=True, slots=True)
class Payload:
    """A body as far as it can be read."""

    text: str
    value: Any = None
    """The JSON value; None where the body is a stream or unreadable."""
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
        return Payload(text, value=parse_json(text))
    except ValueError as error:
        problem = unpacked.problem or f"the body is no JSON: {error}"
    if streams and looks_streamed(message.headers.get("content-type", ""), unpacked.body):
        stream = read_stream(unpacked.body)
        if stream.objects:
            return Payload(text, stream=stream)
    return Payload(text, problem=problem)
