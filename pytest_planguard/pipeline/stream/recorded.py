"""The streams of a recording, in the events in which they once came."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...wire.decode import read_payload
from .deltas import deltas_of

if TYPE_CHECKING:
    from ...replay.files.reader import Recording
    from ...wire.exchange import Exchange
    from .deltas import Delta


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
