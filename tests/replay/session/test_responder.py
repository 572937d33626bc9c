"""A cassette that is closed answers nothing."""

from __future__ import annotations

from typing import Never

import pytest

from pytest_planguard.replay.files.interaction import Interaction
from pytest_planguard.replay.session.rerun import Rerun
from pytest_planguard.replay.session.responder import ClosedCassette, Responder
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
    assert [closed.replays(lambda: request) for request in requests] == [True, True]  # noqa: B023 - called at once
    for request in requests:
        with pytest.raises(ConnectionError, match=request.url):
            closed.answer(request)
    assert asked == ["http://api.example/0", "http://api.example/1"]


def refused(message: Message) -> Never:
    """Refuse a request."""
    raise ConnectionError(message.url)


@pytest.mark.parametrize("responder", [ClosedCassette(refused), Rerun(())])
def test_what_has_no_live_endpoint_never_records(responder: Responder) -> None:
    """Every request is answered or refused there, so who records is wrong himself."""
    states = responder.recording, responder.capped, responder.replays(Message), responder.urls
    assert states == (False, False, True, ())
    exchange = Interaction("GET", "http://a.test", (), b"", 200, "OK", (), b"")
    for ask in (lambda: responder.expect(Message()), lambda: responder.record(exchange)):
        with pytest.raises(NotImplementedError):
            ask()
