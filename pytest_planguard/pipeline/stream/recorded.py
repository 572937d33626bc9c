"""The streams of a recording, in the events in which they once came."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...wire.decode import read_payload
from ...wire.streams.aws_event_stream import raw_frames, starts_frame
from .deltas import deltas_of

if TYPE_CHECKING:
    from ...replay.files.reader import Recording
    from ...wire.exchange import Exchange
    from .deltas import Delta

_EVENT = re.compile(rb".*?(?:\r\n\r\n|\n\n|\r\r|\Z)", re.DOTALL)
_LINE = re.compile(rb"[^\n]*(?:\n|\Z)")


@dataclass(frozen=True, slots=True)
class RecordedStream:
    """One streamed answer of a recording."""

    exchange: Exchange
    objects: tuple[dict[str, Any], ...]
    """The parsed events, in their order; `watch_stream` takes them."""

    def deltas(self) -> Iterator[Delta]:
        """Yield the pieces of the answer."""
        for item in self.objects:
            yield from deltas_of(item)


def recorded_streams(recording: Recording) -> Iterator[RecordedStream]:
    """Yield the streamed answers of a recording; other answers are passed over."""
    for interaction, exchange in zip(recording.interactions, recording.exchanges, strict=True):
        if exchange.streamed:
            stream = read_payload(interaction.response, streams=True).stream
            if stream is not None:
                yield RecordedStream(exchange, stream.objects)


def event_chunks(body: bytes) -> list[bytes]:
    """Return a streamed body cut into its events: server-sent events, lines of JSON, or AWS frames.

    A recording holds the body in one piece. The chunks put together are the body, byte by byte.
    """
    if starts_frame(body):
        return _frames(body)
    pattern = _LINE if body.lstrip()[:1] == b"{" else _EVENT
    return [match.group() for match in pattern.finditer(body) if match.group()]


def _frames(body: bytes) -> list[bytes]:
    chunks, at = [], 0
    for headers, payload in raw_frames(body) or []:
        size = 12 + len(headers) + len(payload) + 4  # a prelude of 12 bytes, a checksum of 4
        chunks.append(body[at : at + size])
        at += size
    return [*chunks, body[at:]] if at < len(body) else chunks
