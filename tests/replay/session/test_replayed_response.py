"""What a client gets of a recorded answer: no wait before it asks again, and bodies in every form that clients send."""

from __future__ import annotations

import asyncio
import http.client
import io
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest

from pytest_planguard.replay.files.interaction import Interaction, with_latency
from pytest_planguard.replay.files.reader import RawInteraction
from pytest_planguard.replay.matching.cassette_index import RecordedEntry
from pytest_planguard.replay.matching.semantic import SemanticRequest
from pytest_planguard.replay.session.cassette import open_cassette
from pytest_planguard.replay.session.replayed_response import as_interaction, as_message, served
from pytest_planguard.wire.exchange import Message

from ...support.exchanges import URL, write


def answered(status: int, headers: Any = None, message: Any = "OK") -> dict[str, Any]:
    """What is served of a recorded answer."""
    raw = {"response": {"headers": headers or {}, "status": {"code": status, "message": message}}}
    recorded = RawInteraction(Message({}, b""), Message({}, b"body", status=status), raw)
    return served(RecordedEntry(1, recorded, SemanticRequest("GET", "/", "", ""), None))


def test_no_sdk_waits_before_it_asks_again() -> None:
    """After the statuses that SDKs send a request again for, and after every error of a server."""
    hurried = [status for status in range(200, 600) if answered(status)["headers"]]
    assert hurried == [408, 409, 425, 429, *range(500, 600)]
    assert answered(429)["headers"] == {"retry-after-ms": ["1"]}
    headers = {"Retry-After": ["60"], "Retry-After-Ms": ["60000"], "X": "y"}
    assert answered(200, headers)["headers"] == {"X": ["y"], "retry-after": ["0"], "retry-after-ms": ["1"]}


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("Retry-After", {"retry-after": ["0"], "retry-after-ms": ["1"]}),
        ("Retry-After-Ms", {}),
        ("X-Retry-After", {}),
        ("X-Should-Retry-After", {}),
        ("X-Planguard-Latency-S", {}),
        ("X-Should-Retry", {"X-Should-Retry": ["7"]}),
    ],
)
def test_headers_that_make_a_client_wait_are_not_served(name: str, left: dict[str, list[str]]) -> None:
    """Nor is what planguard measured."""
    assert answered(200, {name: ["7"]})["headers"] == left


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"A": "1", "B": ["1", "2"]}, {"A": ["1"], "B": ["1", "2"]}),
        ([["A", "1"], ["B"], ["A", "2"]], {"A": ["1", "2"]}),
        ([5, None, "AB", ["A", "1"]], {"A": ["1"]}),
        (None, {}),
        (5, {}),
    ],
)
def test_headers_in_every_form(headers: Any, expected: dict[str, list[str]]) -> None:
    """A mapping or pairs; anything else is none."""
    assert answered(200, headers)["headers"] == expected


@pytest.mark.parametrize(("message", "reason"), [("Made", "Made"), (None, ""), ("für", ""), (5, "")])
def test_a_reason_is_text_that_http_can_carry(message: Any, reason: str) -> None:
    """Any other is left out."""
    assert answered(201, None, message)["status"] == {"code": 201, "message": reason}


@pytest.mark.parametrize(
    ("body", "read"),
    [
        (None, b""),
        ("für", "für".encode()),
        (b"\xff", b"\xff"),
        (bytearray(b"ab"), b"ab"),
        ({"a": "ü"}, '{"a": "ü"}'.encode()),
        ([1], b"[1]"),
        (io.BytesIO(b"file"), b"file"),
        (io.StringIO("text"), b"text"),
        (iter([b"a", "b"]), b"ab"),
        (5, b"5"),
    ],
)
def test_bodies_in_every_form(body: Any, read: bytes) -> None:
    """Texts, bytes, data, files and pieces."""
    request = SimpleNamespace(headers={"A": "1"}, body=body, method="PUT", uri="https://a.test")
    message = as_message(request)
    assert (message.method, message.url, dict(message.headers), message.body) == (
        "PUT",
        "https://a.test",
        {"a": "1"},
        read,
    )


def test_a_live_exchange_is_kept_with_what_was_measured() -> None:
    """In place of whatever a server claims; a body that is not there is empty."""
    request = SimpleNamespace(headers={"A": "1"}, body=b"asked", method="PUT", uri="https://a.test")
    claimed = {"X-Planguard-Latency-S": ["9"], "B": ["2"]}
    response = {"headers": claimed, "body": {"string": b"said"}, "status": {"code": 201, "message": "Made"}}
    one = as_interaction(request, response, 1.5)
    assert (one.method, one.url, one.request_headers, one.request_body) == (
        *("PUT", "https://a.test"),
        *((("A", ("1",)),), b"asked"),
    )
    assert (one.status, one.reason, one.response_body) == (201, "Made", b"said")
    assert one.response_headers == (("B", ("2",)), ("x-planguard-latency-s", ("1.500",)))
    empty = as_interaction(request, {**response, "body": None, "status": {"code": 200, "message": None}})
    assert (empty.response_body, empty.reason, empty.response_headers) == (b"", "", (("B", ("2",)),))
    assert with_latency((("A", ("1",)),), None) == (("A", ("1",)),)


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


@pytest.mark.parametrize(("text", "shown"), [("Pläne.md", "Pläne.md"), ("☃", "☃"), ("\udc80", "?")])
def test_a_header_outside_ascii_is_served(tmp_path: Path, text: str, shown: str) -> None:
    """From a server, clients read such a header, so they must get the recorded one as well."""
    interaction = {
        "request": {"method": "POST", "uri": URL, "headers": {}, "body": json.dumps(REQUEST)},
        "response": {"status": {"code": 200}, "headers": {"X-File": [text]}, "body": {"string": "{}"}},
    }
    (tmp_path / "a.json").write_text(json.dumps({"version": 1, "interactions": [interaction]}), encoding="utf-8")
    with open_cassette(tmp_path / "a.json"):
        assert httpx2.post(URL, json=REQUEST).headers["x-file"] == shown


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
