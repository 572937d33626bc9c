"""AWS event streams: frames, checksums, and what becomes of broken ones."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.wire.aws_event_stream import frame_objects, read_frames, starts_frame, with_objects
from pytest_planguard.wire.body import looks_streamed, read_stream

from ..support.event_stream_frames import chunk, event, exception, frame, raw_frame, text_header

ONE = event("messageStart", {"role": "assistant"})
NAMES = st.dictionaries(st.text("ab:-", min_size=1, max_size=9), st.text(max_size=20), max_size=4)


@pytest.mark.slow
@given(st.lists(st.tuples(NAMES, st.binary(max_size=40)), max_size=5))
def test_frames_come_back_as_written(messages: list[tuple[dict[str, str], bytes]]) -> None:
    """Law: what was framed is read, header by header and byte by byte."""
    frames, cut = read_frames(b"".join(frame(payload, headers) for headers, payload in messages))
    assert [(f.headers, f.payload) for f in frames] == messages
    assert cut == 0


@given(st.binary(max_size=200) | st.binary(max_size=40).map(lambda tail: ONE + tail))
def test_any_bytes_are_read(body: bytes) -> None:
    """Law: no bytes raise, and what is no frame is counted once."""
    frames, cut = read_frames(body)
    list(frame_objects(frames))
    assert cut in (0, 1)


@given(st.binary(max_size=60))
def test_any_header_bytes_are_read(headers: bytes) -> None:
    """Law: headers of any bytes raise nothing and leave the payload alone."""
    ((only,), cut) = read_frames(raw_frame(b"{}", headers))
    assert (only.payload, cut) == (b"{}", 0)


def test_the_smallest_frame_is_one() -> None:
    """A frame without headers and payload is its prelude and its checksum, also as the last of a stream."""
    smallest = raw_frame(b"", b"")
    assert (len(smallest), starts_frame(smallest), starts_frame(smallest[:-1])) == (16, True, False)
    frames, cut = read_frames(smallest * 2)
    assert ([f[1:] for f in frames], cut) == ([(b"", b"")] * 2, 0)
    assert [f.whole for f in frames] == [smallest] * 2
    assert with_objects(smallest * 2, lambda objects: objects) == smallest * 2


def test_headers_of_other_types_are_passed_over() -> None:
    """Booleans, numbers, bytes and a timestamp stand between the text headers."""
    headers = (
        b"\x01a\x00" + b"\x01b\x01" + b"\x01c\x02\x07" + b"\x01d\x03\x00\x07" + b"\x01e\x04\x00\x00\x00\x07"
        + b"\x01f\x05" + bytes(8) + b"\x01g\x06\x00\x02hi" + b"\x01h\x08" + bytes(8) + b"\x01i\x09" + bytes(16)
        + text_header(":event-type", "end")
    )  # fmt: skip
    ((only,), _) = read_frames(raw_frame(b"{}", headers))
    assert only.headers == {":event-type": "end"}


def test_an_unknown_header_type_ends_the_headers() -> None:
    """What stands behind a header of unknown size cannot be found."""
    ((only,), _) = read_frames(raw_frame(b"{}", text_header("a", "x") + b"\x01b\x63" + text_header("c", "y")))
    assert only.headers == {"a": "x"}


def test_a_wrong_checksum_is_tolerated() -> None:
    """A payload that was redacted by hand is read."""
    redacted = ONE.replace(b"assistant", b"ASSISTANT")
    assert (read_frames(redacted)[1], starts_frame(redacted)) == (0, True)
    assert read_stream(redacted).objects == ({"type": "messageStart", "role": "ASSISTANT"},)


@pytest.mark.parametrize("tail", [ONE[:-1], ONE[:10], b"x", struct.pack(">III", 15, 0, 0) + bytes(20)])
def test_a_cut_stream_is_counted(tail: bytes) -> None:
    """What came whole is kept, and the broken rest counts as one."""
    stream = read_stream(ONE + tail)
    assert (len(stream.objects), stream.skipped_lines) == (1, 1)


def test_chunks_are_unwrapped() -> None:
    """A chunk's own object comes out as it is; one that is none is counted."""
    bad = [event("chunk", {"bytes": "%%%"}), event("chunk", {"bytes": "WzFd"}), event("chunk", {"bytes": "a"}),
           event("chunk", {"bytes": 7}), frame(b"no JSON", {}), frame(b"[1]", {})]  # fmt: skip
    stream = read_stream(b"".join([chunk({"outputText": "hi"}), *bad]))
    assert (stream.objects, stream.skipped_lines) == (({"outputText": "hi"},), len(bad))


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (exception("throttlingException", "slow down"), {"type": "throttlingException", "message": "slow down"}),
        (
            frame(b"", {":message-type": "error", ":error-code": "500", ":error-message": "broken"}),
            {"type": "500", "message": "broken"},
        ),
        (frame(b"", {":message-type": "exception"}), {"type": "exception", "message": "exception"}),
    ],
)
def test_failures_are_error_objects(body: bytes, error: dict[str, Any]) -> None:
    """Exceptions and errors have the shape that other streams give an error."""
    assert read_stream(body).objects == ({"type": "error", "error": error},)


def test_a_stream_is_known_by_its_first_bytes() -> None:
    """Cassettes lose the content type; the prelude's checksum tells, and nothing else is taken for it."""
    assert looks_streamed("", ONE)
    assert looks_streamed("application/vnd.amazon.eventstream", b"?")
    assert not starts_frame(b"\x00\x00\x00\x10" + bytes(12))
    assert not starts_frame(b"")
    assert not looks_streamed("", bytes(20))
