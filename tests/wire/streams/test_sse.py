"""Server-sent events: the parsing rules of the WHATWG HTML standard, section 9.2.6."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pytest_planguard.wire.streams.sse import Event, EventParser, parse_events

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
    assert parse_events(body) == events


@settings(deadline=None)  # machines that run tests may be busy
@given(lines=LINES, ends=st.lists(st.sampled_from(["\n", "\r\n", "\r"]), min_size=1), cuts=st.sets(st.integers(0, 300)))
@example(lines=["data: a", ""], ends=["\r\n"], cuts={8})
@example(lines=["data: a", "", "data: b", ""], ends=["\r", "\n"], cuts={8, 9})
def test_cuts_and_line_ends_make_no_difference(lines: list[str], ends: list[str], cuts: set[int]) -> None:
    """Law: a stream gives the same events wherever it is cut into pieces, and with every style of line end."""
    ended = "".join(line + _end(ends, number, lines) for number, line in enumerate(lines)).encode()
    at = sorted(cut for cut in cuts if cut < len(ended))
    pieces = [ended[a:b] for a, b in zip([0, *at], [*at, len(ended)], strict=True)]

    parser = EventParser()
    in_pieces = [event for piece in pieces for event in parser.feed(piece)] + list(parser.close())

    assert in_pieces == parse_events("".join(line + "\n" for line in lines).encode())


def _end(ends: list[str], number: int, lines: list[str]) -> str:
    """The style of one line's end. A CR before an empty line that ends in LF would be one CRLF, so that pair is LF."""
    style = ends[number % len(ends)]
    following = ends[(number + 1) % len(ends)]
    empty_next = number + 1 < len(lines) and lines[number + 1] == ""
    return "\r\n" if style == "\r" and empty_next and following == "\n" else style


def test_events_come_as_soon_as_their_blank_line() -> None:
    """An event is yielded with the piece that completes it, not at the end."""
    parser = EventParser()
    assert list(parser.feed(b"data: a\n")) == []
    assert list(parser.feed(b"\nda")) == [Event("a")]
    assert list(parser.feed(b"ta: b")) == []
    assert list(parser.close()) == [Event("b")]
