"""A cassette that is closed answers nothing."""

from __future__ import annotations

from typing import Never

import pytest

from pytest_planguard.replay.files.interaction import Interaction
from pytest_planguard.replay.session.rerun import Rerun
from pytest_planguard.replay.session.responder import ClosedCassette, Responder, replays
from pytest_planguard.wire.exchange import Message


def test_whatever_is_asked_is_refused() -> None:
    """Each request is handed to the one who refuses; none is found among cassettes, for there are none."""
    asked = []

    def refuse(message: Message) -> Never:
        asked.append(message.url)
        raise ConnectionError(message.url)

    closed = ClosedCassette(refuse)
    requests = [Message(url=f"http://api.example/{n}", body=b'{"model": "m", "messages": []}') for n in range(2)]
    assert [closed.peek(request) for request in requests] == [None, None]
    assert (closed.size, [closed.fits(request) for request in requests]) == (0, [False, False])
    for request in requests:
        with pytest.raises(ConnectionError, match=request.url):
            closed.answer(request)
    assert asked == ["http://api.example/0", "http://api.example/1"]


def refused(message: Message) -> Never:
    """Refuse a request."""
    raise ConnectionError(message.url)


@pytest.mark.parametrize(
    ("responder", "words", "path"),
    [
        (ClosedCassette(refused), "a closed cassette cannot record", "closed"),
        (Rerun(()), "a rerun cannot record", "rerun"),
    ],
)
def test_what_has_no_live_endpoint_never_records(responder: Responder, words: str, path: str) -> None:
    """Every request is answered or refused there, so who records is wrong himself."""
    states = responder.recording, responder.capped, responder.awaits_first, replays(responder, Message)
    assert states == (False, False, False, True)
    assert (responder.size, responder.urls, str(responder.path)) == (0, (), path)
    exchange = Interaction("GET", "http://a.test", (), b"", 200, "OK", (), b"")
    for ask in (responder.start_recording, lambda: responder.expect(Message()), lambda: responder.record(exchange)):
        with pytest.raises(AssertionError) as error:
            ask()
        assert str(error.value) == words
