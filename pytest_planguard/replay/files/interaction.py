"""One request and its answer as they are in a cassette: plain HTTP, not interpreted."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from email.utils import formatdate
from typing import Any

from ...wire.body import codings_left, unpack
from ...wire.exchange import LATENCY_HEADER, Message, latency_text

Headers = tuple[tuple[str, tuple[str, ...]], ...]
"""Header names as sent, each with its values, in the order of the message."""

_CODING = "content-encoding"
_REFRAMED = frozenset({_CODING, "transfer-encoding", "content-length"})


@dataclass(frozen=True, slots=True)
class Interaction:
    """A recorded request and response. Bodies are unpacked: no compression, no chunks."""

    method: str
    url: str
    request_headers: Headers
    request_body: bytes
    status: int
    reason: str
    response_headers: Headers
    response_body: bytes

    @property
    def request(self) -> Message:
        """The request in the form that the wire layer reads."""
        return Message(flat(self.request_headers), self.request_body, self.method, self.url)

    @property
    def response(self) -> Message:
        """The response in the form that the wire layer reads."""
        return Message(flat(self.response_headers), self.response_body, self.method, self.url, self.status)


_JSON: Headers = (("Content-Type", ("application/json",)),)


def as_data(content: bytes | bytearray) -> Any:
    """Return UTF-8 as text, anything else as {"base64": "…"}."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode()}


def local_request(url: str, body: bytes) -> Message:
    """Return a request that is not sent over HTTP, in the form that the gate reads."""
    return Message(flat(_JSON), body, "POST", url)


def local_exchange(url: str, request: bytes, response: bytes, latency_s: float) -> Interaction:
    """Return an exchange that was not sent over HTTP, and that has just ended. Its bodies are JSON."""
    headers = with_latency((*_JSON, ("Date", (formatdate(usegmt=True),))), latency_s)
    return Interaction("POST", url, _JSON, request, 200, "OK", headers, response)


def with_latency(headers: Headers, latency_s: float | None) -> Headers:
    """Add the measured latency to a response's headers. It replaces any latency that the server sent."""
    own = tuple(header for header in headers if header[0].lower() != LATENCY_HEADER)
    return own if latency_s is None else (*own, (LATENCY_HEADER, (latency_text(latency_s),)))


def flat(headers: Headers) -> Mapping[str, str]:
    """Return headers by lower-case name, with several values of one name joined by a comma."""
    return {name.lower(): ", ".join(values) for name, values in headers}


def collect(pairs: Iterable[tuple[str, object]]) -> Headers:
    """Return headers from (name, value or list of values) pairs. A repeated name keeps all its values."""
    merged: dict[str, list[str]] = {}
    for name, value in pairs:
        values = value if isinstance(value, list | tuple) else [value]
        merged.setdefault(_text(name), []).extend([_text(v) for v in values])
    return tuple((name, tuple(values)) for name, values in merged.items())


def request_message(method: str, url: str, headers: Headers, body: bytes) -> Message:
    """Return a request in the form that the wire layer reads, with its body in plain bytes."""
    still_true, plain = unpacked(headers, body)
    return Message(flat(still_true), plain, method, url)


def unpacked(headers: Headers, body: bytes) -> tuple[Headers, bytes]:
    """Return the body in plain bytes, and the headers that still apply to it.

    A body that cannot be unpacked (a broken stream) keeps its bytes and its headers; one in an unknown coding keeps its
    Content-Encoding.
    """
    if not any(name.lower() in _REFRAMED for name, _ in headers):
        return headers, body
    plain = unpack(flat(headers), body)
    if plain.problem:
        return headers, body
    return tuple(_still_true(headers)), plain.body


def _still_true(headers: Headers) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the headers that apply to an unpacked body."""
    for name, values in headers:
        left = codings_left(", ".join(values)) if name.lower() == _CODING else ""
        if left:
            yield name, (left,)
        elif name.lower() not in _REFRAMED:
            yield name, values


def _text(value: object) -> str:
    if type(value) is str:  # nearly always
        return value
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)
