"""A recording that is closed answers nothing."""

from __future__ import annotations

from typing import Never

import pytest

from pytest_planguard.replay.session.responder import ClosedRecording
from pytest_planguard.wire.exchange import Message


def test_whatever_is_asked_is_refused() -> None:
    """Each request is handed to the one who refuses; none is found among recordings, for there are none."""
    asked = []

    def refuse(message: Message) -> Never:
        asked.append(message.url)
        raise ConnectionError(message.url)

    closed = ClosedRecording(refuse)
    requests = [Message(url=f"http://api.example/{n}", body=b'{"model": "m", "messages": []}') for n in range(2)]
    assert (closed.size, [closed.fits(request) for request in requests]) == (0, [False, False])
    for request in requests:
        with pytest.raises(ConnectionError, match=request.url):
            closed.answer(request)
    assert asked == ["http://api.example/0", "http://api.example/1"]
