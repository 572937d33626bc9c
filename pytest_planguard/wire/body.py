"""HTTP bodies as text: de-chunked, decompressed within a bound, decoded as UTF-8; and the objects of streamed ones."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module

from .aws_event_stream import CONTENT_TYPE, frame_objects, read_frames, starts_frame
from .untrusted_json import JsonObject, parsed_or_none

MAX_BODY = 32 * 1024 * 1024
"""Maximum number of bytes of an unpacked body. A larger body is kept as it is, and never parsed."""

_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_KNOWN_CODINGS = frozenset({"", "identity", "gzip", "x-gzip", "deflate", "br", "zstd"})
_CHUNK_SIZE = re.compile(rb"([0-9A-Fa-f]{1,8})(?:;[^\r\n]*)?\r\n")
"""`1a` or `1a;name=value`, up to the end of the line: the size of a chunk in hexadecimal, less than 4 GiB."""


@dataclass(frozen=True, slots=True)
class Unpacked:
    """A body after de-chunking and decompression."""

    body: bytes
    problem: str | None = None
    """The reason why the body is packed or only partly unpacked; None if it was completely unpacked."""


def unpack(headers: Mapping[str, str], body: bytes, *, limit: int = MAX_BODY) -> Unpacked:
    """Undo chunked transfer encoding and compression, if the bytes still have them.

    Recorders often unpack the body but keep the headers, so the bytes decide. A body that is already plain is returned
    unchanged. `headers` have lower-case names. Idempotent; never raises.
    """
    if "chunked" in headers.get("transfer-encoding", "").lower():
        body = _dechunked(body)
    codings = [name.strip().lower() for name in headers.get("content-encoding", "").split(",")]
    for coding in reversed(codings):
        unpacked = _decompressed(coding, body, limit)
        if unpacked.problem:
            return unpacked
        body = unpacked.body
    if len(body) > limit:
        return Unpacked(body, f"the body has {len(body):,} bytes, more than the {limit:,} that are read")
    return Unpacked(body)


def codings_left(codings: str) -> str:
    """Return the codings of a Content-Encoding that `unpack` does not undo: all up to the last unknown one, or "".

    The last coding is undone first, so "foo, gzip" leaves "foo", and "gzip, foo" stays whole.
    """
    names = [name.strip() for name in codings.split(",")]
    unknown = [at for at, name in enumerate(names, 1) if name.lower() not in _KNOWN_CODINGS]
    return ", ".join(names[: max(unknown, default=0)])


def to_text(body: bytes) -> str:
    """Decode a body as UTF-8, without a byte order mark, and with undecodable bytes replaced."""
    return body.decode("utf-8-sig", errors="replace")


def _dechunked(body: bytes) -> bytes:
    """Return the joined chunks, or the body itself if it is not completely chunked."""
    parts: list[bytes] = []
    at = 0
    while head := _CHUNK_SIZE.match(body, at):
        size = int(head[1], 16)
        if size == 0:
            return b"".join(parts)
        at = head.end() + size
        parts.append(body[head.end() : at])
        if body[at : at + 2] != b"\r\n":
            return body
        at += 2
    return body


def _decompressed(coding: str, body: bytes, limit: int) -> Unpacked:
    if body.startswith(_GZIP):
        # 31 is 15, the largest window, and 16 for the head and the checksum of gzip.
        return _inflated(body, 31, limit)
    if body.startswith(_ZSTD):
        return _by_module("compression.zstd", "ZstdDecompressor", "decompress", body, limit)
    if coding == "deflate" and not _is_text(body):
        # "deflate" means a zlib stream, which begins with 8 and a checksum. Some servers send it without that head.
        wrapped = len(body) > 1 and body[0] & 0x0F == 8 and (body[0] << 8 | body[1]) % 31 == 0
        return _inflated(body, 15 if wrapped else -15, limit)
    if coding == "br" and not _is_text(body):
        return _by_module("brotli", "Decompressor", "process", body, limit)
    return Unpacked(body)


_PIECE = 4_096
"""Compressed bytes to pass to zlib at once: it copies what is left of them after each member of a gzip file, and 40,000
empty members in one piece took six seconds."""


def _inflated(body: bytes, window: int, limit: int) -> Unpacked:
    """Inflate a zlib stream, or each member of a gzip file in turn; bytes after the last member are left out."""
    done: list[bytes] = []
    size = at = 0
    while at == 0 or body.startswith(_GZIP, at):
        inflate, member = zlib.decompressobj(window), []
        while not inflate.eof and at < len(body):
            piece = body[at : at + _PIECE]
            try:
                # One byte more than allowed shows that there is too much; 0 would mean no limit.
                member.append(inflate.decompress(piece, limit + 1 - size))
            except zlib.error as error:
                return Unpacked(b"".join(done) or body, f"the compressed body is broken ({error})")
            size += len(member[-1])
            if size > limit:
                return Unpacked(body, f"the compressed body unpacks to more than the {limit:,} bytes that are read")
            at += len(piece) - len(inflate.unused_data)
        done += member
        if not inflate.eof:
            return Unpacked(b"".join(done), "the compressed body is cut off")
    return Unpacked(b"".join(done))


def _by_module(module: str, decompressor: str, method: str, body: bytes, limit: int) -> Unpacked:
    """Decompress with a module that may not be installed. If that fails, return the bytes and the reason."""
    name = module.rpartition(".")[2]
    try:
        unpacker = getattr(import_module(module), decompressor)()
    except ImportError:
        return Unpacked(body, f"the body is compressed with {name}, and no module to unpack it is installed")
    try:
        bound = "output_buffer_limit" if name == "brotli" else "max_length"
        plain: bytes = getattr(unpacker, method)(body, **{bound: limit + 1})
    except Exception as error:  # each module has a different error class, unknown here
        return Unpacked(body, f"the compressed body is broken ({error})")
    if len(plain) > limit:
        return Unpacked(body, f"the compressed body unpacks to more than the {limit:,} bytes that are read")
    return Unpacked(plain)


def _is_text(body: bytes) -> bool:
    """Return True if the first bytes are text, as in a body that the recorder has already unpacked."""
    start = body[:256]
    return not any(byte < 9 or 13 < byte < 32 for byte in start) and _decodes(start)


def _decodes(start: bytes) -> bool:
    try:
        start.decode()
    except UnicodeDecodeError as error:
        return error.start > len(start) - 4  # a character cut by the slice
    return True


# Streamed bodies.


# CR LF comes first, so that it counts as one line end: "data: a\r\n" is not a line and a blank line after it.
# `str.splitlines` would also split at U+2028 and form feeds, which are data here.
_LINE_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Event:
    """One server-sent event."""

    data: str
    """The data lines, joined by LF."""
    type: str = "message"
    """The event field; "message" by default."""


def parse_events(body: bytes) -> Iterator[Event]:
    """Yield the events of a whole stream.

    The standard drops a last event without a blank line after it. It is kept here, because cassettes often lose the
    last blank line, and the end of the answer would be lost with it.
    """
    data: list[str] = []
    event_type = ""
    for line in [*_LINE_END.split(body.decode("utf-8-sig", errors="replace")), ""]:
        name, _, value = line.partition(":")
        if name == "data":
            data.append(value.removeprefix(" "))
        elif name == "event":
            event_type = value.removeprefix(" ")
        elif not line:
            if data:
                yield Event("\n".join(data), event_type or "message")
            data, event_type = [], ""


# The JSON objects of a streamed body: server-sent events, one JSON object per line (NDJSON), or AWS event frames.

_SSE_START = re.compile(rb"(?:\xef\xbb\xbf)?[\r\n]*(?:data|event|id|retry)?:")
"""`data: {`, `event: ping` or the comment `: keep-alive`, also after a byte order mark or blank lines."""
_NDJSON_START = re.compile(rb"(?:\xef\xbb\xbf)?\s*\{")
"""`{"model": …`: the first object of NDJSON."""
_DONE = "[DONE]"
STREAM_TYPES = frozenset({
    "text/event-stream", "application/x-ndjson", "application/jsonl", "application/x-jsonlines",
    "application/stream+json", CONTENT_TYPE,
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Stream:
    """The content of a streamed body."""

    objects: tuple[JsonObject, ...]
    """The JSON objects in order. An object without a `type` gets the name of its event as `type`, if there is one."""
    skipped_lines: int = 0
    """Number of data lines or frames that are not a JSON object."""


def media_type(content_type: str) -> str:
    """Return "text/event-stream" for "text/event-stream; charset=utf-8"."""
    return content_type.partition(";")[0].strip().lower()


def looks_streamed(content_type: str, body: bytes) -> bool:
    """Return True if a body that is not a single JSON document is a stream, judging by its type or first bytes."""
    kind = media_type(content_type)
    return kind in STREAM_TYPES or bool(_SSE_START.match(body) or _NDJSON_START.match(body) or starts_frame(body))


def read_stream(body: bytes) -> Stream:
    """Return the JSON objects of a stream. Malformed lines are skipped and counted; reading stops at [DONE]."""
    if starts_frame(body):
        return _read_frames(body)
    if _NDJSON_START.match(body):
        return _read_lines(body)
    found: list[JsonObject] = []
    skipped = 0
    for event in parse_events(body):
        if event.data.strip() == _DONE:
            break
        values, bad = _values(event)
        found += values
        skipped += bad
    return Stream(tuple(found), skipped)


def _values(event: Event) -> tuple[list[JsonObject], int]:
    """Return the objects in one event: its whole data, or each data line if the server omitted blank lines."""
    whole = parsed_or_none(event.data)
    if isinstance(whole, dict):
        return [_typed(whole, event.type)], 0
    lines = [line for line in event.data.split("\n") if line.strip() not in ("", _DONE)]
    values = [value for value in map(parsed_or_none, lines) if isinstance(value, dict)] if len(lines) > 1 else []
    return values, len(lines) - len(values)


def _typed(value: JsonObject, event_type: str) -> JsonObject:
    return value if "type" in value or event_type == "message" else {"type": event_type, **value}


def _read_lines(body: bytes) -> Stream:
    lines = [line for line in body.decode("utf-8-sig", errors="replace").split("\n") if line.strip()]
    values = [value for value in map(parsed_or_none, lines) if isinstance(value, dict)]
    return Stream(tuple(values), len(lines) - len(values))


def _read_frames(body: bytes) -> Stream:
    frames, cut = read_frames(body)
    values = list(frame_objects(frames))
    return Stream(tuple(value for value in values if value is not None), values.count(None) + cut)


# Split a complete streamed body into its original events.

_ENDING = re.compile(rb"\n\n|\r\n\r\n|\r\r")
"""The end of a server-sent event."""
_LF = re.compile(rb"\n")


def event_chunks(body: bytes) -> list[bytes]:
    """Split a streamed body into its events: server-sent events, lines of JSON, or AWS frames.

    A cassette holds the body in one piece. Joining the chunks gives exactly the body. Takes linear time.
    """
    if starts_frame(body):
        frames, cut = read_frames(body)
        return [body] if cut else [frame.whole for frame in frames]
    if body.lstrip()[:1] == b"{":
        return _cut(body, _LF)
    return _cut(body, _ENDING)


def _cut(body: bytes, ending: re.Pattern[bytes]) -> list[bytes]:
    """Split a body after each ending. Anything after the last ending is a part, too."""
    chunks, at = [], 0
    for match in ending.finditer(body):
        chunks.append(body[at : match.end()])
        at = match.end()
    return [*chunks, body[at:]] if at < len(body) else chunks
