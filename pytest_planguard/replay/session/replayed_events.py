"""A streamed answer that is replayed: clients get it in the events in which it came, as from the live endpoint.

vcr itself is not imported: what is wrapped comes as an argument.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from functools import cache
from itertools import accumulate
from types import ModuleType
from typing import Any

from ...wire.stream import STREAM_TYPES, event_chunks, media_type


def events_of(response: Mapping[str, Any]) -> list[bytes] | None:
    """Return the events of a response in vcrpy's form; None where its type says that it is no stream."""
    kinds = (values for name, values in response["headers"].items() if name.lower() == "content-type")
    if not any(media_type(kind) in STREAM_TYPES for values in kinds for kind in values):
        return None
    body = response["body"].get("string")
    return event_chunks(body) if isinstance(body, bytes) else None


def httpx_response(plain: Callable[..., Any]) -> Callable[..., Any]:
    """Return vcrpy's function that makes a response of httpx, with streams in events."""

    def deserialize(response: Mapping[str, Any], httpx: ModuleType) -> Any:
        made = plain(response, httpx)
        events = events_of(response) if "headers" in response and "body" in response else None
        if events is not None:
            made.stream = _stream_class(httpx)(events)
        return made

    return deserialize


@cache
def _stream_class(httpx: ModuleType) -> Callable[[list[bytes]], object]:
    """Return the class of streams for httpx or a fork of it."""
    sync, awaited = httpx.SyncByteStream, httpx.AsyncByteStream

    class EventStream(sync, awaited):  # type: ignore[misc,valid-type]  # known when the module is
        def __init__(self, events: list[bytes]) -> None:
            self._events = events

        def __iter__(self) -> Iterator[bytes]:
            return iter(self._events)

        async def __aiter__(self) -> AsyncIterator[bytes]:
            for event in self._events:
                yield event

    return EventStream


def http_response(plain: type[Any]) -> type[Any]:
    """Return vcrpy's response of http.client and urllib3 with streams in events, for those who read what has come."""

    class EventResponse(plain):  # type: ignore[misc]  # vcr is untyped
        def __init__(self, response: Mapping[str, Any], *args: Any, **kwargs: Any) -> None:
            super().__init__(response, *args, **kwargs)
            self._ends = [*accumulate(map(len, events_of(response) or []))]

        def read1(self, n: int = -1) -> bytes:
            """Read at most the rest of one event, as of one chunk that has come."""
            piece: bytes = super().read1(self._at_most(n))
            return piece

        def stream(self, amt: int | None = 65536, decode_content: bool | None = None) -> Iterator[bytes]:  # noqa: ARG002
            """Yield events, or parts of them that are `amt` bytes long."""
            while piece := self.read(self._at_most(amt)):  # what was recorded is decoded
                yield piece

        def _at_most(self, amt: int | None) -> int | None:
            at = self.tell()
            place = bisect_right(self._ends, at)
            if place == len(self._ends):
                return amt
            left: int = self._ends[place] - at
            return left if amt is None or amt < 0 else min(amt, left)

    return EventResponse
