"""Streamed bodies: server-sent events, one JSON object per line (NDJSON), or AWS event frames."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .aws_event_stream import CONTENT_TYPE, frame_objects, read_frames, starts_frame
from .untrusted_json import JsonObject, parsed_or_none

# CR LF comes first, so that it counts as one line end: "data: a\r\n" is not a line and a blank line after it.
# `str.splitlines` would also split at U+2028 and form feeds, which are data here.
_LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Event:
    """One server-sent event."""

    data: str
    """The data lines, joined by LF."""
    type: str = "message"
    """The event field; "message" by default."""


def parse_events(body: bytes) -> Iterator[Event]:
    """Yield the events of a whole stream.

    The standard drops a last event without a blank line after it. It is kept here, because cassettes often lose the
    last blank line, and the end of the answer would be lost with it.
    """
    data: list[str] = []
    event_type = ""
    for line in [*_LINE_END.split(body.decode("utf-8-sig", errors="replace")), ""]:
        name, _, value = line.partition(":")
        if name == "data":
            data.append(value.removeprefix(" "))
        elif name == "event":
            event_type = value.removeprefix(" ")
        elif not line:
            if data:
                yield Event("\n".join(data), event_type or "message")
            data, event_type = [], ""


# The JSON objects of a streamed body: server-sent events, one JSON object per line (NDJSON), or AWS event frames.

_SSE_START = re.compile(rb"(?:\xef\xbb\xbf)?[\r\n]*(?:data|event|id|retry)?:")
"""`data: {`, `event: ping` or the comment `: keep-alive`, also after a byte order mark or blank lines."""
_NDJSON_START = re.compile(rb"(?:\xef\xbb\xbf)?\s*\{")
"""`{"model": …`: the first object of NDJSON."""
_DONE = "[DONE]"
STREAM_TYPES = frozenset({
    "text/event-stream", "application/x-ndjson", "application/jsonl", "application/x-jsonlines",
    "application/stream+json", CONTENT_TYPE,
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Stream:
    """The content of a streamed body."""

    objects: tuple[JsonObject, ...]
    """The JSON objects in order. An object without a `type` gets the name of its event as `type`, if there is one."""
    skipped_lines: int = 0
    """Number of data lines or frames that are not a JSON object."""


def media_type(content_type: str) -> str:
    """Return "text/event-stream" for "text/event-stream; charset=utf-8"."""
    return content_type.partition(";")[0].strip().lower()


def looks_streamed(content_type: str, body: bytes) -> bool:
    """Return True if a body that is not a single JSON document is a stream, judging by its type or first bytes."""
    kind = media_type(content_type)
    return kind in STREAM_TYPES or bool(_SSE_START.match(body) or _NDJSON_START.match(body) or starts_frame(body))


def read_stream(body: bytes) -> Stream:
    """Return the JSON objects of a stream. Malformed lines are skipped and counted; reading stops at [DONE]."""
    if starts_frame(body):
        return _read_frames(body)
    if _NDJSON_START.match(body):
        return _read_lines(body)
    found: list[JsonObject] = []
    skipped = 0
    for event in parse_events(body):
        if event.data.strip() == _DONE:
            break
        values, bad = _values(event)
        found += values
        skipped += bad
    return Stream(tuple(found), skipped)


def _values(event: Event) -> tuple[list[JsonObject], int]:
    """Return the objects in one event: its whole data, or each data line if the server omitted blank lines."""
    whole = parsed_or_none(event.data)
    if isinstance(whole, dict):
        return [_typed(whole, event.type)], 0
    lines = [line for line in event.data.split("\n") if line.strip() not in ("", _DONE)]
    values = [value for value in map(parsed_or_none, lines) if isinstance(value, dict)] if len(lines) > 1 else []
    return values, len(lines) - len(values)


def _typed(value: JsonObject, event_type: str) -> JsonObject:
    return value if "type" in value or event_type == "message" else {"type": event_type, **value}


def _read_lines(body: bytes) -> Stream:
    lines = [line for line in body.decode("utf-8-sig", errors="replace").split("\n") if line.strip()]
    values = [value for value in map(parsed_or_none, lines) if isinstance(value, dict)]
    return Stream(tuple(values), len(lines) - len(values))


def _read_frames(body: bytes) -> Stream:
    frames, cut = read_frames(body)
    values = list(frame_objects(frames))
    return Stream(tuple(value for value in values if value is not None), values.count(None) + cut)


# Split a complete streamed body into its original events.

_ENDING = re.compile(rb"\n\n|\r\n\r\n|\r\r")
"""The end of a server-sent event."""
_LF = re.compile(rb"\n")


def event_chunks(body: bytes) -> list[bytes]:
    """Split a streamed body into its events: server-sent events, lines of JSON, or AWS frames.

    A cassette holds the body in one piece. Joining the chunks gives exactly the body. Takes linear time.
    """
    if starts_frame(body):
        frames, cut = read_frames(body)
        return [body] if cut else [frame.whole for frame in frames]
    if body.lstrip()[:1] == b"{":
        return _cut(body, _LF)
    return _cut(body, _ENDING)


def _cut(body: bytes, ending: re.Pattern[bytes]) -> list[bytes]:
    """Split a body after each ending. Anything after the last ending is a part, too."""
    chunks, at = [], 0
    for match in ending.finditer(body):
        chunks.append(body[at : match.end()])
        at = match.end()
    return [*chunks, body[at:]] if at < len(body) else chunks
