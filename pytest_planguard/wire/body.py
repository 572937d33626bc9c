"""HTTP bodies as text: de-chunked, decompressed within a bound, decoded as UTF-8."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module

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
        return _inflated(body, 31, limit)
    if body.startswith(_ZSTD):
        return _by_module("compression.zstd", "ZstdDecompressor", "decompress", body, limit)
    if coding == "deflate" and not _is_text(body):
        wrapped = len(body) > 1 and body[0] & 0x0F == 8 and (body[0] << 8 | body[1]) % 31 == 0
        return _inflated(body, 15 if wrapped else -15, limit)
    if coding == "br" and not _is_text(body):
        return _by_module("brotli", "Decompressor", "process", body, limit)
    return Unpacked(body)


def _inflated(body: bytes, window: int, limit: int) -> Unpacked:
    parts: list[bytes] = []
    size, rest = 0, body
    while rest:
        inflate = zlib.decompressobj(window)
        try:
            part = inflate.decompress(rest, limit + 1 - size)
        except zlib.error as error:
            return Unpacked(b"".join(parts) or body, f"the compressed body is broken ({error})")
        parts.append(part)
        size += len(part)
        if size > limit:
            return Unpacked(body, f"the compressed body unpacks to more than the {limit:,} bytes that are read")
        if not inflate.eof:
            return Unpacked(b"".join(parts), "the compressed body is cut off")
        rest = inflate.unused_data if inflate.unused_data.startswith(_GZIP) else b""
    return Unpacked(b"".join(parts))


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
