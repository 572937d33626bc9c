"""OTLP in protobuf, read without a library: requests to export spans and logs, and the collector's files of them.

Field numbers: https://github.com/open-telemetry/opentelemetry-proto, files trace.proto, logs.proto and common.proto.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

MAX_DEPTH = 60
"""Maximum depth of nested messages. Only hostile attributes are nested deeper."""

_Message = dict[int, tuple[str, Any]]
_ANY: _Message = {}
_PAIR: _Message = {1: ("key", "text"), 2: ("value", _ANY)}
_ANY.update(
    {
        1: ("stringValue", "text"), 2: ("boolValue", "bool"), 3: ("intValue", "int"), 4: ("doubleValue", "double"),
        5: ("arrayValue", {1: ("values*", _ANY)}), 6: ("kvlistValue", {1: ("values*", _PAIR)}),
        7: ("bytesValue", "hex"),
    }
)  # fmt: skip
_RESOURCE: _Message = {1: ("attributes*", _PAIR)}
_SCOPE: _Message = {1: ("name", "text"), 2: ("version", "text"), 3: ("attributes*", _PAIR)}
_EVENT: _Message = {1: ("timeUnixNano", "fixed"), 2: ("name", "text"), 3: ("attributes*", _PAIR)}
_SPAN: _Message = {
    1: ("traceId", "hex"), 2: ("spanId", "hex"), 4: ("parentSpanId", "hex"), 5: ("name", "text"), 6: ("kind", "int"),
    7: ("startTimeUnixNano", "fixed"), 8: ("endTimeUnixNano", "fixed"), 9: ("attributes*", _PAIR),
    10: ("droppedAttributesCount", "int"), 11: ("events*", _EVENT), 15: ("status", {3: ("code", "int")}),
}  # fmt: skip
_LOG: _Message = {
    1: ("timeUnixNano", "fixed"), 5: ("body", _ANY), 6: ("attributes*", _PAIR), 9: ("traceId", "hex"),
    10: ("spanId", "hex"), 11: ("observedTimeUnixNano", "fixed"), 12: ("eventName", "text"),
    7: ("droppedAttributesCount", "int"),
}  # fmt: skip
_SPANS: _Message = {
    1: (
        "resourceSpans*",
        {1: ("resource", _RESOURCE), 2: ("scopeSpans*", {1: ("scope", _SCOPE), 2: ("spans*", _SPAN)})},
    )
}
_LOGS: _Message = {
    1: (
        "resourceLogs*",
        {1: ("resource", _RESOURCE), 2: ("scopeLogs*", {1: ("scope", _SCOPE), 2: ("logRecords*", _LOG)})},
    )
}


class _NoMessageError(ValueError):
    """The bytes are not such a message."""


def requests_of(content: bytes) -> Iterator[dict[str, Any]]:
    """Yield a request, or each request in a collector's file, in OTLP's JSON form. Never raises."""
    for body in _framed(content) or [content]:
        found = next((value for shape in (_SPANS, _LOGS) if (value := _read(body, shape)) is not None), None)
        if found is not None:
            yield found


def _framed(content: bytes) -> list[bytes]:
    """Return the messages of a file that writes each one's length, in four bytes, before it; [] for any other file."""
    found, at = [], 0
    while at + 4 <= len(content):
        size = int.from_bytes(content[at : at + 4], "big")
        if not 0 < size <= len(content) - at - 4:
            return []
        found.append(content[at + 4 : at + 4 + size])
        at += 4 + size
    return found if at == len(content) else []


def _read(body: bytes, shape: _Message) -> dict[str, Any] | None:
    """Return a message of this shape that contains a span or a log record; None for any other bytes."""
    try:
        value = _message(memoryview(body), shape, 0)
    except (_NoMessageError, UnicodeDecodeError, struct.error):
        return None
    groups = [
        scoped
        for group in next(iter(value.values()), [])
        for scoped in group.get("scopeSpans", group.get("scopeLogs", []))
    ]
    named = [one for scoped in groups for one in scoped.get("spans", scoped.get("logRecords", []))]
    # The two messages use the same numbers: only a span has a name and ids of the right length.
    ids = [(one.get("traceId", ""), one.get("spanId", "")) for one in named]
    return (
        value
        if ids and all(len(trace) in (0, 32) and len(own) in (0, 16) for trace, own in ids) and any(t for t, _ in ids)
        else None
    )


def _message(view: memoryview, shape: _Message, depth: int) -> dict[str, Any]:
    if depth > MAX_DEPTH:
        raise _NoMessageError("nested too deep")
    found: dict[str, Any] = {}
    at = 0
    while at < len(view):
        tag, at = _varint(view, at)
        raw, at = _field(view, at, tag & 7)
        if tag >> 3 in shape:
            name, kind = shape[tag >> 3]
            value = _value(raw, kind, tag & 7, depth)
            if name.endswith("*"):
                found.setdefault(name[:-1], []).append(value)
            else:
                found[name] = value
    return found


def _field(view: memoryview, at: int, wire: int) -> tuple[object, int]:
    """Return one field as it is on the wire, and the start of the next."""
    if wire == 0:
        return _varint(view, at)
    if wire == 2:
        size, at = _varint(view, at)
    elif wire in (1, 5):
        size = 8 if wire == 1 else 4
    else:
        raise _NoMessageError("no wire type")
    if size > len(view) - at:
        raise _NoMessageError("cut")
    return view[at : at + size], at + size


_WIRES = {"text": 2, "hex": 2, "bool": 0, "int": 0, "double": 1, "fixed": 1}


def _value(raw: Any, kind: Any, wire: int, depth: int) -> object:
    if isinstance(kind, dict):
        if wire != 2:
            raise _NoMessageError("no message")
        return _message(raw, kind, depth + 1)
    if wire != _WIRES[kind]:
        raise _NoMessageError("another type")
    if kind == "text":
        return bytes(raw).decode()
    if kind == "hex":
        return bytes(raw).hex()
    if kind == "bool":
        return bool(raw)
    if kind == "int":
        # Two's complement: the int64 -1 is 2**64 - 1 on the wire.
        return raw - (1 << 64) if raw >> 63 else raw
    return struct.unpack("<d" if kind == "double" else "<Q", raw)[0]


def _varint(view: memoryview, at: int) -> tuple[int, int]:
    value = shift = 0
    # Ten bytes of seven bits hold 64 bits. A longer number would grow with a hostile file.
    while at < len(view) and shift < 70:
        byte = view[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at
    raise _NoMessageError("cut")
