"""What a client gets of a recorded answer: no wait before it asks again, and bodies in every form that clients send."""

from __future__ import annotations

import io
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_planguard.replay.files.reader import RawInteraction
from pytest_planguard.replay.matching.cassette_index import RecordedEntry
from pytest_planguard.replay.matching.semantic import SemanticRequest
from pytest_planguard.replay.session.replayed_response import as_interaction, as_message, served, with_latency
from pytest_planguard.wire.exchange import Message


def answered(status: int, headers: Any = None, message: Any = "OK") -> dict[str, Any]:
    """What is served of a recorded answer."""
    raw = {"response": {"headers": headers or {}, "status": {"code": status, "message": message}}}
    recorded = RawInteraction(Message({}, b""), Message({}, b"body", status=status), raw)
    return served(RecordedEntry(1, recorded, SemanticRequest("GET", "/", "", ""), "", None))


def test_no_sdk_waits_before_it_asks_again() -> None:
    """After the statuses that SDKs send a request again for, and after every error of a server."""
    hurried = [status for status in range(200, 600) if answered(status)["headers"]]
    assert hurried == [408, 409, 425, 429, *range(500, 600)]
    assert answered(429)["headers"] == {"retry-after-ms": ["1"]}
    headers = {"Retry-After": ["60"], "Retry-After-Ms": ["60000"], "X": "y"}
    assert answered(200, headers)["headers"] == {"X": ["y"], "retry-after": ["0"], "retry-after-ms": ["1"]}


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"A": "1", "B": ["1", "2"]}, {"A": ["1"], "B": ["1", "2"]}),
        ([["A", "1"], ["B"], ["A", "2"]], {"A": ["1", "2"]}),
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
