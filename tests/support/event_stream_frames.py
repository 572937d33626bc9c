"""AWS event stream frames, built byte by byte."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from typing import Any


def frame(payload: bytes, headers: dict[str, str]) -> bytes:
    """One frame with text headers and both checksums."""
    packed = b"".join(text_header(name, value) for name, value in headers.items())
    return raw_frame(payload, packed)


def text_header(name: str, value: str) -> bytes:
    """A header of type 7."""
    return bytes([len(name)]) + name.encode() + b"\x07" + struct.pack(">H", len(value.encode())) + value.encode()


def raw_frame(payload: bytes, headers: bytes) -> bytes:
    """One frame with these header bytes."""
    prelude = struct.pack(">II", len(headers) + len(payload) + 16, len(headers))
    message = prelude + struct.pack(">I", zlib.crc32(prelude)) + headers + payload
    return message + struct.pack(">I", zlib.crc32(message))


def event(name: str, data: Any) -> bytes:
    """One event with a JSON payload."""
    head = {":event-type": name, ":content-type": "application/json", ":message-type": "event"}
    return frame(json.dumps(data).encode(), head)


def chunk(data: Any) -> bytes:
    """One chunk of InvokeModelWithResponseStream."""
    return event("chunk", {"bytes": base64.b64encode(json.dumps(data).encode()).decode(), "p": "abc"})


def exception(name: str, message: str) -> bytes:
    """One exception of a stream."""
    return frame(json.dumps({"message": message}).encode(), {":exception-type": name, ":message-type": "exception"})
