"""Bytes to text: UTF-8 only, with the place of the first byte that is not."""

from __future__ import annotations

import codecs

from .limits import MAX_SIZE
from .line_index import LineIndex
from .problem import Problem

_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
_MAX_BYTES = 4 * MAX_SIZE


def decode(raw: bytes) -> tuple[str, Problem | None]:
    """The text without its byte order mark; bytes that are not UTF-8 become U+FFFD and a problem."""
    raw = raw.removeprefix(codecs.BOM_UTF8)
    if len(raw) > _MAX_BYTES:
        message = f"the answer has {len(raw):,} bytes; more than {_MAX_BYTES:,} are not read"
        return "", Problem("too_large", message, None, f"at most {_MAX_BYTES:,} bytes", f"{len(raw):,} bytes")
    try:
        return raw.decode("utf-8"), None
    except UnicodeDecodeError as error:
        return raw.decode("utf-8", "replace"), _problem(raw, error.start)


def _problem(raw: bytes, offset: int) -> Problem:
    before = raw[:offset].decode("utf-8")
    span = LineIndex(before).span(len(before))
    looks = next((f" (it starts like {name})" for mark, name in _MARKS if raw.startswith(mark)), "")
    message = f"the answer is not UTF-8: byte 0x{raw[offset]:02X} at offset {offset:,}{looks}"
    return Problem("encoding", message, span, "UTF-8", f"0x{raw[offset]:02X}")
