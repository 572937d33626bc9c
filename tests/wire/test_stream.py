"""Streamed bodies: the objects in them, and server-sent events as the standard parses them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_planguard.wire.body import Event, looks_streamed, parse_events, read_stream

from ..support.one_item import in_one_item


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


# Server-sent events: the parsing rules of the WHATWG HTML standard, section 9.2.6.

LINES = st.lists(
    st.sampled_from(
        ["data: a", "data:b", "data", "data:  two", "event: x", "event", ": note", "id: 1", "junk", "", "", "é😀"]
    )
)


@in_one_item
@pytest.mark.parametrize(
    ("body", "events"),
    [
        (b"data: a\n\n", [Event("a")]),
        (b"data: a\r\n\r\n", [Event("a")]),
        (b"data: a\r\r", [Event("a")]),
        (b"\xef\xbb\xbfdata: a\n\n", [Event("a")]),
        (b"data: a\ndata: b\n\n", [Event("a\nb")]),
        (b"data:a\n\ndata:  b\n\n", [Event("a"), Event(" b")]),
        (b"data\n\n", [Event("")]),
        (b"event: x\ndata: a\n\ndata: b\n\n", [Event("a", "x"), Event("b")]),
        (b"event: x\n\ndata: b\n\n", [Event("b")]),
        (b": ping\n\nid: 7\nretry: 10\nother: x\ndata: a\n\n", [Event("a")]),
        (b'data: {"a": 1}: x\n\n', [Event('{"a": 1}: x')]),
        (b"data: a\xe2\x80\xa8b\x0c\x85\n\n", [Event("a\u2028b\x0c\ufffd")]),
        (b"data: a", [Event("a")]),
        (b"data: a\n\ndata: b\n", [Event("a"), Event("b")]),
        (b"", []),
        (b"\n\n\n", []),
    ],
)
def test_parsing_rules(body: bytes, events: list[Event]) -> None:
    """Line ends, comments, fields and dispatch are as the standard says; the last blank line may be missing."""
    assert list(parse_events(body)) == events


@pytest.mark.parametrize(
    ("body", "events"),
    [
        (b"event: x\r\ndata: a\r\n\r\n", [Event("a", "x")]),
        (b"data: a\r\ndata: b\r\n\r\n", [Event("a\nb")]),
        (b"data: a\r\n\ndata: b\n\n", [Event("a"), Event("b")]),
        (b"data: a\n\rdata: b\r\r", [Event("a"), Event("b")]),
        (b"data: a\r\r\ndata: b\r\n", [Event("a"), Event("b")]),
    ],
    ids=["type and data", "two data lines", "CRLF, LF", "LF, CR", "CR, CRLF"],
)
def test_cr_and_lf_end_one_line_together(body: bytes, events: list[Event]) -> None:
    """CR LF is one line end and no blank line, or the fields of an event would be torn apart; LF CR is two."""
    assert list(parse_events(body)) == events


@given(lines=LINES, ends=st.lists(st.sampled_from(["\n", "\r\n", "\r"]), min_size=1))
@example(lines=["event: x", "data: a", ""], ends=["\r\n"])
@example(lines=["data: a", "data: b", "", "data: c"], ends=["\r", "\n"])
def test_line_ends_make_no_difference(lines: list[str], ends: list[str]) -> None:
    """Law: a stream gives the same events with every style of line end, mixed ones too."""
    ended = "".join(line + _end(ends, number, lines) for number, line in enumerate(lines)).encode()
    assert list(parse_events(ended)) == list(parse_events("".join(line + "\n" for line in lines).encode()))


def _end(ends: list[str], number: int, lines: list[str]) -> str:
    """The style of one line's end. A CR before an empty line that ends in LF would be one CRLF, so that pair is LF."""
    style = ends[number % len(ends)]
    following = ends[(number + 1) % len(ends)]
    empty_next = number + 1 < len(lines) and lines[number + 1] == ""
    return "\r\n" if style == "\r" and empty_next and following == "\n" else style
