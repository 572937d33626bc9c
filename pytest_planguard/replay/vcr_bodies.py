"""Requests and answers of vcrpy in our form. The objects are taken as they come; vcr itself is not imported."""

from __future__ import annotations

import json
from typing import Any

from ..wire.exchange import Message
from .interaction import Interaction, collect, flat, unpacked


def as_message(request: Any) -> Message:
    """A request of vcrpy as the wire layer reads it."""
    headers, body = unpacked(collect(request.headers.items()), _bytes(request.body))
    return Message(flat(headers), body, request.method, request.uri)


def as_interaction(request: Any, response: dict[str, Any]) -> Interaction:
    """A live exchange as it goes into the recording."""
    request_headers, asked = unpacked(collect(request.headers.items()), _bytes(request.body))
    body = _bytes((response.get("body") or {}).get("string"))
    response_headers, answered = unpacked(collect(response["headers"].items()), body)
    code, reason = response["status"]["code"], response["status"]["message"]
    return Interaction(
        request.method, request.uri, request_headers, asked, code, reason or "", response_headers, answered
    )


def _bytes(body: Any) -> bytes:
    """A body in any form that the patched clients hand over."""
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
