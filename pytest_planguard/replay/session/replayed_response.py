"""Requests and answers in vcrpy's form and in ours. vcr itself is not imported."""

from __future__ import annotations

import json
from typing import Any

from ...contract.failure_kinds import FailureKind, kind_of_status
from ...wire.exchange import LATENCY_HEADER, Message, latency_text
from ...wire.untrusted_json import mapping
from ..files.interaction import Headers, Interaction, collect, flat, unpacked
from ..matching.cassette_index import RecordedEntry

_WAIT = frozenset({"retry-after", "retry-after-ms", "x-retry-after", "x-should-retry-after"})
_LEFT_OUT = _WAIT | {LATENCY_HEADER}


def served(entry: RecordedEntry) -> dict[str, Any]:
    """Return a fresh answer each time: clients change what they are given."""
    response = mapping(entry.raw.raw.get("response"))
    headers, body = unpacked(_headers(response.get("headers")), entry.raw.response.body)
    status = entry.raw.response.status
    kept = [(name, list(values)) for name, values in headers if name.lower() not in _LEFT_OUT]
    return {
        "status": {"code": status, "message": _reason(response)},
        "headers": dict([*kept, *_no_wait(headers, status)]),
        "body": {"string": body},
    }


def _headers(headers: Any) -> Headers:
    pairs = headers if isinstance(headers, list) else mapping(headers).items()
    return collect((pair[0], pair[1]) for pair in pairs if len(pair) == 2)


def _no_wait(headers: Headers, status: int) -> list[tuple[str, list[str]]]:
    """1 ms where an SDK reads milliseconds; 0 s where it reads whole seconds, as urllib3 does."""
    names = {name.lower() for name, _ in headers}
    told = [("retry-after", ["0"])] if "retry-after" in names else []
    return [*told, ("retry-after-ms", ["1"])] if told or kind_of_status(status) is FailureKind.TRANSPORT else []


def _reason(response: dict[str, Any]) -> str:
    reason = mapping(response.get("status")).get("message")
    return reason if isinstance(reason, str) and reason.isascii() else ""


# Requests and answers of vcrpy in our form. The objects are taken as they come; vcr itself is not imported.


def as_message(request: Any) -> Message:
    """Return a request of vcrpy as the wire layer reads it."""
    headers, body = unpacked(collect(request.headers.items()), _bytes(request.body))
    return Message(flat(headers), body, request.method, request.uri)


def as_interaction(request: Any, response: dict[str, Any], latency_s: float | None = None) -> Interaction:
    """A live exchange as it goes into the cassette; `latency_s` is how long its answer took, where that is known."""
    request_headers, asked = unpacked(collect(request.headers.items()), _bytes(request.body))
    body = _bytes((response.get("body") or {}).get("string"))
    response_headers, answered = unpacked(collect(response["headers"].items()), body)
    code, reason = response["status"]["code"], response["status"]["message"]
    told = with_latency(response_headers, latency_s)
    return Interaction(request.method, request.uri, request_headers, asked, code, reason or "", told, answered)


def with_latency(headers: Headers, latency_s: float | None) -> Headers:
    """Return the headers of an answer with what was measured in place of whatever a server may claim."""
    own = tuple(header for header in headers if header[0].lower() != LATENCY_HEADER)
    return own if latency_s is None else (*own, (LATENCY_HEADER, (latency_text(latency_s),)))


def _bytes(body: Any) -> bytes:
    """Return a body in any form that the patched clients hand over."""
    if body is None:
        return b""
    if isinstance(body, str):
        return body.encode()
    if isinstance(body, bytes | bytearray):
        return bytes(body)
    if isinstance(body, dict | list):  # aiohttp hands over what it was given as json=
        return json.dumps(body, ensure_ascii=False).encode()
    if hasattr(body, "read"):
        return _bytes(body.read())
    try:
        return b"".join(_bytes(part) for part in body)
    except TypeError:
        return str(body).encode()
