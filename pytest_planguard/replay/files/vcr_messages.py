"""One interaction of a vcrpy file to raw messages, whichever of the forms in use its bodies have."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from typing import Any

from ...wire.body import MAX_BODY, unpack
from ...wire.exchange import Message
from ...wire.untrusted_json import MAX_DEPTH, children, mapping, whole, words


def request_message(request: Mapping[str, Any]) -> Message:
    """Return the recorded request, de-chunked and decompressed."""
    headers = plain_headers(request.get("headers"))
    method = words(request.get("method")) or "GET"
    return Message(headers, _plain(headers, request), method, words(request.get("uri") or request.get("url")))


def response_message(response: Mapping[str, Any]) -> Message:
    """Return the recorded response, de-chunked and decompressed. Status 0 where the cassette has none."""
    headers = plain_headers(response.get("headers"))
    return Message(headers, _plain(headers, response), status=_status(response))


def plain_headers(headers: Any) -> dict[str, str]:
    """Headers with lower-case names; several values of one name are joined by a comma, as HTTP does."""
    if isinstance(headers, list):  # pairs, as an early form wrote them
        headers = {
            pair[0]: pair[1] for pair in headers if isinstance(pair, list) and len(pair) == 2 and _is_text(pair[0])
        }
    return {_text(name).lower(): _header_value(value) for name, value in mapping(headers).items()}


def body_bytes(message: Mapping[str, Any]) -> bytes:
    """Return the body as recorded, from any of the forms in use.

    `body` is a string, bytes, or a mapping with `string` or `base64_string`; a list holds its pieces. `parsed_body`
    holds the JSON value itself, or the text of a stream. Early httpx cassettes have `content`. Raises ValueError
    or TypeError for a parsed body that is no JSON value: one that is too deep, endless, or has a date as key.
    """
    if "parsed_body" in message:
        return _dumped(message["parsed_body"])
    body = message.get("body", message.get("content"))
    return _from_form(body)


def _from_form(body: Any) -> bytes:
    if isinstance(body, list):
        return b"".join(_scalar_bytes(piece) for piece in body)
    if not isinstance(body, dict):
        return _scalar_bytes(body)
    if "base64_string" in body:
        return _from_base64(body["base64_string"])
    if "encoding" in body and words(body["encoding"]).lower() == "base64":
        return _from_base64(body.get("string"))
    value = body.get("string", body.get("text"))
    return _from_form(value) if isinstance(value, list) else _scalar_bytes(value)


def _scalar_bytes(value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    return b"" if value is None or isinstance(value, dict | list) else str(value).encode("utf-8", "surrogatepass")


def _from_base64(value: Any) -> bytes:
    try:
        return base64.b64decode(_scalar_bytes(value))
    except (binascii.Error, ValueError):
        return _scalar_bytes(value)


def _dumped(value: Any) -> bytes:
    """Return a parsed body as JSON bytes again; a string stays itself."""
    if isinstance(value, str | bytes):
        return _scalar_bytes(value)
    _refuse_huge(value)
    return json.dumps(value, ensure_ascii=False, default=str).encode("utf-8", "surrogatepass")


def _refuse_huge(value: Any) -> None:
    """Raise ValueError for what cannot be written out: aliases let a small file stand for huge or endless data.

    Each level of nesting is weighed with every value once, times how often it stands there.
    """
    level = {id(value): (value, 1)}
    weight = 0
    for _ in range(MAX_DEPTH):
        weight += sum(times * _weight(node) for node, times in level.values())
        if weight > MAX_BODY:
            raise ValueError(f"its aliases stand for more than the {MAX_BODY:,} bytes that are read")
        level = _next_level(level)
        if not level:
            return
    raise ValueError(f"nested deeper than {MAX_DEPTH} levels")


def _next_level(level: dict[int, tuple[Any, int]]) -> dict[int, tuple[Any, int]]:
    following: dict[int, tuple[Any, int]] = {}
    for node, times in level.values():
        for child in children(node):
            following[id(child)] = (child, times + following.get(id(child), (child, 0))[1])
    return following


def _weight(node: Any) -> int:
    """Bytes that a value takes at least, its children apart."""
    return len(node) + 2 if isinstance(node, str | bytes) else 1


def _plain(headers: Mapping[str, str], message: Mapping[str, Any]) -> bytes:
    return unpack(headers, body_bytes(message)).body


def _status(response: Mapping[str, Any]) -> int:
    status = response.get("status")
    status = response.get("status_code") if status is None else status
    code = status.get("code") if isinstance(status, dict) else status
    if isinstance(code, str) and code.isdecimal() and len(code) == 3:
        return int(code)
    return whole(code) or 0


def _header_value(value: Any) -> str:
    return ", ".join([_text(part) for part in value]) if isinstance(value, list) else _text(value)


def _text(value: Any) -> str:
    if type(value) is str:  # nearly always
        return value
    if isinstance(value, bytes):
        return value.decode("latin-1")
    return "" if value is None or isinstance(value, dict | list) else str(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str | bytes)
