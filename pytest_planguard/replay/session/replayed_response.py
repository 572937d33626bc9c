"""Convert requests and responses between vcrpy's format and planguard's. Streams are replayed in their original events.

vcr itself is not imported: the wrapped objects come as arguments.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from functools import cache
from itertools import accumulate
from types import ModuleType
from typing import Any

from ...wire.body import STREAM_TYPES, event_chunks, media_type
from ...wire.exchange import LATENCY_HEADER, Message
from ...wire.untrusted_json import mapping
from ..files.interaction import Headers, Interaction, collect, request_message, unpacked, with_latency
from ..matching.cassette_index import RecordedEntry
from ..network.retry_waits import WAIT_HEADERS, no_wait_headers

_LEFT_OUT = WAIT_HEADERS | {LATENCY_HEADER}


def served(entry: RecordedEntry) -> dict[str, Any]:
    """Return a new response object each time, because clients modify it."""
    response = entry.raw.raw["response"]
    headers, body = unpacked(_headers(response.get("headers")), entry.raw.response.body)
    status = entry.raw.response.status
    kept = [(name, list(values)) for name, values in headers if name.lower() not in _LEFT_OUT]
    return {
        "status": {"code": status, "message": _reason(response)},
        "headers": dict([*kept, *no_wait_headers(headers, status)]),
        "body": {"string": body},
    }


def _headers(headers: object) -> Headers:
    if isinstance(headers, list):  # pairs, as an early form wrote them; a file may have anything in their place
        return collect((pair[0], pair[1]) for pair in headers if isinstance(pair, list) and len(pair) == 2)
    return collect(mapping(headers).items())


def _reason(response: dict[str, Any]) -> str:
    reason = mapping(response.get("status")).get("message")
    return reason if isinstance(reason, str) and reason.isascii() else ""


# Convert vcrpy's requests and responses. vcr itself is not imported: the objects are arguments.


def as_message(request: Any) -> Message:
    """Convert a vcrpy request to a message for the wire layer."""
    return request_message(request.method, request.uri, collect(request.headers.items()), as_bytes(request.body))


def as_interaction(request: Any, response: dict[str, Any], latency_s: float | None = None) -> Interaction:
    """Convert a live exchange to the cassette's format. `latency_s` is the time until the answer, if known."""
    request_headers, asked = unpacked(collect(request.headers.items()), as_bytes(request.body))
    body = as_bytes((response.get("body") or {}).get("string"))
    response_headers, answered = unpacked(collect(response["headers"].items()), body)
    code, reason = response["status"]["code"], response["status"]["message"]
    told = with_latency(response_headers, latency_s)
    return Interaction(request.method, request.uri, request_headers, asked, code, reason or "", told, answered)


def as_bytes(body: Any) -> bytes:
    """Return a body as bytes, from any form that the patched clients pass."""
    if body is None:
        return b""
    if isinstance(body, str):
        return body.encode()
    if isinstance(body, bytes | bytearray):
        return bytes(body)
    if isinstance(body, dict | list):  # aiohttp passes the value of json=
        return json.dumps(body, ensure_ascii=False).encode()
    if hasattr(body, "read"):
        return as_bytes(body.read())
    try:
        return b"".join(as_bytes(part) for part in body)
    except TypeError:
        return str(body).encode()


def events_of(response: Mapping[str, Any]) -> list[bytes] | None:
    """Return the events of a vcrpy response; None if its content type is not a stream."""
    kinds = (values for name, values in response["headers"].items() if name.lower() == "content-type")
    if not any(media_type(kind) in STREAM_TYPES for values in kinds for kind in values):
        return None
    body = response["body"].get("string")
    return event_chunks(body) if isinstance(body, bytes) else None


def httpx_response(plain: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap vcrpy's function that creates an httpx response, so that streams arrive event by event."""

    def deserialize(response: Mapping[str, Any], httpx: ModuleType) -> Any:
        if "headers" not in response or "body" not in response:  # an early httpx form, as cassettes of vcrpy have it
            return plain(response, httpx)
        # httpx takes text as ASCII and fails at "attachment; filename=Pläne.md"; it reads bytes as UTF-8 if they are.
        coded = {_coded(name): [*map(_coded, values)] for name, values in response["headers"].items()}
        made, events = plain({**response, "headers": coded}, httpx), events_of(response)
        if events is not None:
            made.stream = _stream_class(httpx)(events)
        return made

    return deserialize


def _coded(text: str | bytes) -> bytes:
    return text.encode("utf-8", "replace") if isinstance(text, str) else text


@cache
def _stream_class(httpx: ModuleType) -> Callable[[list[bytes]], object]:
    """Return the stream class for httpx or a fork of it."""
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
    """Return a subclass of vcrpy's response for http.client and urllib3 that delivers streams event by event."""

    class EventResponse(plain):  # type: ignore[misc]  # vcr is untyped
        def __init__(self, response: Mapping[str, Any], *args: Any, **kwargs: Any) -> None:
            super().__init__(response, *args, **kwargs)
            self._ends = [*accumulate(map(len, events_of(response) or []))]

        def read1(self, n: int = -1) -> bytes:
            """Read at most the rest of one event, as if one chunk had arrived."""
            piece: bytes = super().read1(self._at_most(n))
            return piece

        def stream(self, amt: int | None = 65536, decode_content: bool | None = None) -> Iterator[bytes]:  # noqa: ARG002
            """Yield events, or parts of events that are `amt` bytes long."""
            while piece := self.read(self._at_most(amt)):  # recorded bodies are already decoded
                yield piece

        def json(self) -> Any:
            """Return the body as data, as urllib3 does; vcrpy before 9 cannot."""
            return json.loads(self.data)

        def _at_most(self, amt: int | None) -> int | None:
            at = self.tell()
            place = bisect_right(self._ends, at)
            if place == len(self._ends):
                return amt
            left: int = self._ends[place] - at
            return left if amt is None or amt < 0 else min(amt, left)

    return EventResponse
