"""A streamed body that is at hand in one piece, cut into the events in which it came."""

from __future__ import annotations

import re

from .aws_event_stream import raw_frames, starts_frame

_ENDING = re.compile(rb"\n\n|\r\n\r\n|\r\r")
"""What ends a server-sent event."""
_LINE_END = re.compile(rb"\n")


def event_chunks(body: bytes) -> list[bytes]:
    """Return a streamed body cut into its events: server-sent events, lines of JSON, or AWS frames.

    A recording holds the body in one piece. The chunks put together are the body, byte by byte. Linear in the body.
    """
    if starts_frame(body):
        return _frames(body)
    if body.lstrip()[:1] == b"{":
        return _cut(body, _LINE_END)
    return _cut(body, _ENDING)


def _cut(body: bytes, ending: re.Pattern[bytes]) -> list[bytes]:
    """Return the parts of a body, each with its ending; what stands behind the last one is a part too."""
    chunks, at = [], 0
    for match in ending.finditer(body):
        chunks.append(body[at : match.end()])
        at = match.end()
    return [*chunks, body[at:]] if at < len(body) else chunks


def _frames(body: bytes) -> list[bytes]:
    chunks, at = [], 0
    for headers, payload in raw_frames(body) or []:
        size = 12 + len(headers) + len(payload) + 4  # a prelude of 12 bytes, a checksum of 4
        chunks.append(body[at : at + size])
        at += size
    return [*chunks, body[at:]] if at < len(body) else chunks
