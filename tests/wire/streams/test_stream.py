"""Streamed bodies: the JSON objects in them, and what counts as a stream."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_planguard.wire.streams.stream import looks_streamed, read_stream


@pytest.mark.parametrize(
    ("body", "objects", "skipped"),
    [
        (b'data: {"a": 1}\n\ndata: {"b": 2}\n\ndata: [DONE]\n\ndata: {"c": 3}\n\n', [{"a": 1}, {"b": 2}], 0),
        (b'data: {"a":\ndata: 1}\n\n', [{"a": 1}], 0),
        (b'data: {"a": 1}\ndata: {"b": 2}\ndata: [DONE]\n', [{"a": 1}, {"b": 2}], 0),
        (b'data: {"a": 1}\n\ndata: {"b": \n\n', [{"a": 1}], 1),
        (b'data: {"a": 1}\ndata: oops\n\n', [{"a": 1}], 1),
        (b"data: 7\n\ndata: [1]\n\n", [], 2),
        (b'event: ping\ndata: {}\n\nevent: x\ndata: {"type": "y"}\n\n', [{"type": "ping"}, {"type": "y"}], 0),
        (b": keep-alive\n\n", [], 0),
        (b'{"a": 1}\n\n{"b": 2}\r\nnot json\n[]\n', [{"a": 1}, {"b": 2}], 2),
        (b'\xef\xbb\xbf{"a": 1}', [{"a": 1}], 0),
        (b"data: " + b"[" * 10_000 + b"\n\n", [], 1),
    ],
)
def test_objects(body: bytes, objects: list[dict[str, Any]], skipped: int) -> None:
    """Objects come in order, bad lines are skipped and counted, nothing after [DONE] is read (source row 18)."""
    stream = read_stream(body)
    assert (list(stream.objects), stream.skipped_lines) == (objects, skipped)


@pytest.mark.parametrize(
    ("content_type", "body", "streamed"),
    [
        ("text/event-stream; charset=utf-8", b"anything", True),
        ("application/x-ndjson", b"", True),
        ("", b"data: x", True),
        ("", b"\xef\xbb\xbf\r\n: comment", True),
        ("text/plain", b"event: x", True),
        ("", b' {"a": 1}\n{"b": 2}', True),
        ("text/html", b"<html>data: x", False),
        ("", b"database", False),
    ],
)
def test_what_looks_streamed(content_type: str, body: bytes, *, streamed: bool) -> None:
    """The content type or the first bytes say that a body is a stream."""
    assert looks_streamed(content_type, body) is streamed
