"""Server-sent events: the parsing rules of the WHATWG HTML standard, section 9.2.6."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_planguard.wire.streams.sse import Event, parse_events

LINES = st.lists(
    st.sampled_from(
        ["data: a", "data:b", "data", "data:  two", "event: x", "event", ": note", "id: 1", "junk", "", "", "é😀"]
    )
)


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
