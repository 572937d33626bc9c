"""How long a recorded answer took."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard.wire.decode import decode
from pytest_planguard.wire.exchange import LATENCY_HEADER, Message, all_together, latency_of, latency_text


@given(st.floats(0, 999_999))
def test_what_is_written_is_read_to_the_millisecond(seconds: float) -> None:
    """Seconds survive the cassette; reading and writing them again gives the same text."""
    text = latency_text(seconds)
    read = latency_of(Message({LATENCY_HEADER: text}))
    assert read == pytest.approx(seconds, abs=0.0005)
    assert latency_text(read) == text


@pytest.mark.parametrize("text", ["", "-1", "nan", "inf", "1e9", "1,5", "0x1", "٣", "9" * 50, "1.5 s", "1.5\n"])
def test_what_is_no_number_of_seconds_is_not_known(text: str) -> None:
    """A cassette is somebody's file: only plain seconds count, and a strange text is never 0."""
    assert latency_of(Message({LATENCY_HEADER: text})) is None


def test_an_exchange_has_it_in_any_dialect() -> None:
    """Also one that nobody reads; None where the cassette does not tell."""
    chat = Message(
        body=b'{"model": "m", "messages": [{"role": "user", "content": "x"}]}', url="http://a/v1/chat/completions"
    )
    answer = b'{"choices": [{"message": {"role": "assistant", "content": "y"}}]}'
    told = {LATENCY_HEADER: "1.500"}
    assert decode(1, chat, Message(told, answer)).latency_s == 1.5
    assert decode(1, chat, Message(told, b"{}", status=500)).latency_s == 1.5
    assert decode(1, Message(body=b"?"), Message(told, b"?")).latency_s == 1.5
    assert decode(1, chat, Message({}, answer)).latency_s is None


def test_a_sum_with_an_unknown_part_is_unknown() -> None:
    """A part would pass for the whole, and nothing is not 0."""
    assert all_together([1.5, 0.5]) == 2.0
    assert all_together([1.5, None]) is None
    assert all_together([]) is None
