"""Read AWS event streams: binary frames with two checksums, sent by Bedrock's streaming endpoints.

Source: https://docs.aws.amazon.com/transcribe/latest/dg/streaming-setting-up.html#streaming-event-stream
"""

from __future__ import annotations

import base64
import json
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from .untrusted_json import JsonObject, mapping, parsed_or_none, words

CONTENT_TYPE = "application/vnd.amazon.eventstream"

_PRELUDE = struct.Struct(">III")
"""The size of the frame, the size of its headers, and the CRC-32 of these two numbers."""
_CHECKSUM = 4
"""Size of the CRC-32 at the end of a frame, in bytes."""
_SMALLEST = _PRELUDE.size + _CHECKSUM
_FIXED_SIZES = {0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16}
"""Maps the type of a header value to its size in bytes: booleans, integers, a timestamp, a UUID."""
_BYTES, _TEXT = 6, 7
"""Types of header values that begin with their length."""


class Frame(NamedTuple):
    """One message of an event stream. Its own checksum is not verified: redaction by hand does not update it."""

    whole: bytes
    header_bytes: bytes
    payload: bytes

    @property
    def headers(self) -> Mapping[str, str]:
        """Text headers such as `:event-type`; headers of other types are left out."""
        return dict(_headers(self.header_bytes))


def starts_frame(body: bytes) -> bool:
    """Return True if a body starts with the prelude of an event stream. Its checksum makes a coincidence unlikely."""
    if len(body) < _SMALLEST:
        return False
    total, headers, checksum = _PRELUDE.unpack_from(body)
    return bool(total >= headers + _SMALLEST and checksum == zlib.crc32(body[:8]))


def read_frames(body: bytes) -> tuple[list[Frame], int]:
    """Return the frames of a stream, and 1 if it ends with bytes that are not a frame, else 0.

    Reading stops at a frame with impossible lengths, since the start of the next one is unknown.
    """
    found: list[Frame] = []
    at = 0
    while at < len(body):
        if len(body) - at < _SMALLEST:
            return found, 1
        total, headers, _ = _PRELUDE.unpack_from(body, at)
        if total < headers + _SMALLEST or at + total > len(body):
            return found, 1
        whole, start = body[at : at + total], _PRELUDE.size + headers
        found.append(Frame(whole, whole[_PRELUDE.size : start], whole[start:-_CHECKSUM]))
        at += total
    return found, 0


def written_frame(headers: bytes, payload: bytes) -> bytes:
    """Return a frame with both checksums."""
    lengths = struct.pack(">II", len(headers) + len(payload) + _SMALLEST, len(headers))
    message = lengths + struct.pack(">I", zlib.crc32(lengths)) + headers + payload
    return message + struct.pack(">I", zlib.crc32(message))


def frame_objects(frames: list[Frame]) -> Iterator[JsonObject | None]:
    """Yield the JSON object of each frame, with the event's name as its `type`; None for a frame without one.

    The model's object in a `chunk` is decoded from its base64. An exception or error frame becomes `{"type": "error",
    "error": {"type", "message"}}`.
    """
    for frame in frames:
        yield _failure(frame) or _event(frame)


def _headers(data: bytes) -> Iterator[tuple[str, str]]:
    """Yield the names and values of text headers, up to the first invalid byte."""
    at = 0
    while at < len(data):
        name_end = at + 1 + data[at]
        kind = data[name_end] if name_end < len(data) else -1
        start = name_end + 1
        if kind in (_BYTES, _TEXT):
            size = int.from_bytes(data[start : start + 2], "big")
            start += 2
        elif kind in _FIXED_SIZES:
            size = _FIXED_SIZES[kind]
        else:
            return
        if kind == _TEXT:
            yield _decode(data[at + 1 : name_end]), _decode(data[start : start + size])
        at = start + size


def _failure(frame: Frame) -> JsonObject | None:
    kind = frame.headers.get(":message-type")
    if kind not in ("exception", "error"):
        return None
    said = mapping(parsed_or_none(_decode(frame.payload)))
    name = frame.headers.get(":exception-type") or frame.headers.get(":error-code") or kind
    message = said.get("message") or said.get("Message") or frame.headers.get(":error-message") or name
    return {"type": "error", "error": {"type": name, "message": message}}


def _event(frame: Frame) -> JsonObject | None:
    found = _object_in(frame.payload)
    if found is None:
        return None
    value, chunk = found
    return value if chunk is not None else {"type": frame.headers.get(":event-type", ""), **value}


def _object_in(payload: bytes) -> tuple[JsonObject, JsonObject | None] | None:
    """Return the object of a frame, and the chunk that wraps it, if any; None for a frame without an object."""
    value = parsed_or_none(_decode(payload))
    if not isinstance(value, dict):
        return None
    if "bytes" not in value:
        return value, None
    try:
        inner = parsed_or_none(_decode(base64.b64decode(words(value["bytes"]))))
    except ValueError:  # includes binascii.Error
        return None
    return (inner, value) if isinstance(inner, dict) else None


def _decode(data: bytes) -> str:
    return data.decode("utf-8", errors="replace")


# Replace the JSON objects in the frames of an AWS event stream.

Objects = list[JsonObject]


def with_objects(body: bytes, change: Callable[[Objects], Objects | None]) -> bytes | None:
    """Return the stream with the objects in its frames replaced by `change`; None if `change` returns None.

    `change` sees the model's object inside a `chunk`, not its base64. Headers, and frames without an object, are not
    changed.
    """
    frames, cut = read_frames(body)
    read = [_object_in(frame.payload) for frame in frames if not cut]
    changed = change([inner for inner, _ in filter(None, read)])
    if changed is None:
        return None
    others = iter(changed)
    return b"".join(
        written_frame(frame.header_bytes, frame.payload if found is None else _write_payload(next(others), found[1]))
        for frame, found in zip(frames, read, strict=True)
    )


def _write_payload(value: JsonObject, chunk: JsonObject | None) -> bytes:
    text = json.dumps(value).encode()
    return text if chunk is None else json.dumps({**chunk, "bytes": base64.b64encode(text).decode()}).encode()
