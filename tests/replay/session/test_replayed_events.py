"""Streams that are replayed come in their events; whoever reads the whole body gets the same bytes."""

from __future__ import annotations

import asyncio
import http.client
import json
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest

from pytest_planguard.replay.files.interaction import Interaction
from pytest_planguard.replay.session.cassette import open_cassette

from ...support.exchanges import URL, write

EVENTS = [b'data: {"choices": [{"delta": {"content": "caf\xc3\xa9"}}]}\n\n', b": ping\n\n", b"data: [DONE]\n\n"]
LINES = [b'{"message": {"content": "a"}}\n', b'{"message": {"content": "b"}}\n', b'{"done": true}']
REQUEST = {"model": "m", "messages": [{"role": "user", "content": "say"}], "stream": True}
STREAMS = [("text/event-stream; charset=utf-8", EVENTS), ("application/x-ndjson", LINES)]


def recorded(path: Path, content_type: str, body: bytes) -> Path:
    """A cassette of one answer."""
    asked = (("content-type", ("application/json",)),)
    answered = (("Content-Type", (content_type,)), ("content-length", (str(len(body)),)))
    return write(path, Interaction("POST", URL, asked, json.dumps(REQUEST).encode(), 200, "OK", answered, body))


def connected() -> http.client.HTTPConnection | http.client.HTTPSConnection:
    """A connection of http.client on which the recorded request was sent."""
    url = urlsplit(URL)
    made = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
    connection = made(url.netloc)
    connection.request("POST", url.path, json.dumps(REQUEST), {"content-type": "application/json"})
    return connection


@pytest.mark.parametrize(("content_type", "events"), STREAMS)
def test_httpx_gets_each_event_by_itself(tmp_path: Path, content_type: str, events: list[bytes]) -> None:
    """Raw bytes, sync and async; the whole body is what was recorded."""
    path = recorded(tmp_path / "a.yaml", content_type, b"".join(events))

    async def pieces() -> list[bytes]:
        async with httpx2.AsyncClient() as client, client.stream("POST", URL, json=REQUEST) as answer:
            return [piece async for piece in answer.aiter_raw()]

    with open_cassette(path), httpx2.stream("POST", URL, json=REQUEST) as answer:
        assert list(answer.iter_raw()) == events
    with open_cassette(path):
        assert asyncio.run(pieces()) == events
    with open_cassette(path):
        assert httpx2.post(URL, json=REQUEST).content == b"".join(events)


@pytest.mark.parametrize(("content_type", "events"), STREAMS)
def test_http_client_reads_what_has_come(tmp_path: Path, content_type: str, events: list[bytes]) -> None:
    """`read1` and urllib3's `stream` end with an event or before; `read` gives all."""
    path = recorded(tmp_path / "a.yaml", content_type, b"".join(events))
    with open_cassette(path):
        answer = connected().getresponse()
        assert [answer.read1(), answer.read1(3), answer.read1(-1)] == [events[0], events[1][:3], events[1][3:]]
        assert [answer.read(), answer.read1()] == [events[2], b""]
    for amount in (None, 10_000):
        with open_cassette(path):
            assert list(connected().getresponse().stream(amount)) == events  # type: ignore[attr-defined]  # urllib3's
    with open_cassette(path):
        small = list(connected().getresponse().stream(7))  # type: ignore[attr-defined]  # urllib3's
    assert (b"".join(small), max(map(len, small))) == (b"".join(events), 7)
    with open_cassette(path):
        assert connected().getresponse().read() == b"".join(events)


def test_an_answer_that_is_no_stream_comes_in_one_piece(tmp_path: Path) -> None:
    """Also where it has empty lines."""
    body = b"data: a\n\ndata: b\n\n"
    path = recorded(tmp_path / "a.yaml", "text/plain", body)
    with open_cassette(path), httpx2.stream("POST", URL, json=REQUEST) as answer:
        assert list(answer.iter_raw()) == [body]
    with open_cassette(path):
        assert connected().getresponse().read1() == body


def test_a_body_without_events_comes_in_pieces_of_the_size_that_is_asked_for(tmp_path: Path) -> None:
    """As from vcrpy."""
    body = b"0123456789abcde"
    path = recorded(tmp_path / "a.yaml", "text/plain", body)
    for size in (1, 4, 99):
        with open_cassette(path):
            answer = connected().getresponse()
            pieces = []
            while piece := answer.read1(size):
                pieces.append(piece)
            assert pieces == [body[at : at + size] for at in range(0, len(body), size)]
