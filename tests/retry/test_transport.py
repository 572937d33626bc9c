"""Which exceptions are transport failures."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from pytest_planguard.contract.verdict import SchemaValidationError
from pytest_planguard.errors import CassetteError
from pytest_planguard.retry.budget import CHAIN_LIMIT, is_transient


class Status(Exception):
    def __init__(self, status: object, *, nested: bool = False) -> None:
        super().__init__("x")
        if nested:
            self.response = SimpleNamespace(status_code=status)
        else:
            self.status_code = status


class APIConnectionError(Exception):
    pass


class APITimeoutError(APIConnectionError):
    pass


@pytest.mark.parametrize(
    "error",
    [
        ConnectionError("x"),
        TimeoutError(),
        ConnectionResetError(),
        Status(429),
        Status(500),
        Status(503),
        Status(599),
        Status(529, nested=True),
        APITimeoutError(),
    ],
)
def test_transport_failures(error: Exception) -> None:
    """Source row 1: 429, 5xx, timeouts and lost connections, by type and status."""
    assert is_transient(error)


@pytest.mark.parametrize(
    "error",
    [
        ValueError("500 connection capacity"),
        Status(400),
        Status(401),
        Status(499),
        Status(600),
        Status("503"),
        SchemaValidationError("timeout 503"),
    ],
)
def test_others(error: Exception) -> None:
    """Source rows 1, 2: words in a message make no transport failure."""
    assert not is_transient(error)


def test_our_own_error_below_an_sdks() -> None:
    """An SDK wraps a cassette miss as a lost connection; sending it again cures nothing."""
    error = APIConnectionError("Connection error.")
    error.__cause__ = CassetteError("no cassette")
    assert not is_transient(error)
    error.__cause__ = ConnectionError("x")
    assert is_transient(error)


def test_each_status() -> None:
    """Timeout, conflict, too early, too many requests, and every server error; in the error or in its response."""
    passing = {408, 409, 425, 429, *range(500, 600)}
    for nested in (False, True):
        assert {n for n in range(100, 700) if is_transient(Status(n, nested=nested))} == passing


@pytest.mark.parametrize(
    "name", ["APIConnectionError", "APITimeoutError", "ConnectError", "ReadError", "RemoteProtocolError"]
)
def test_lost_connections_of_clients(name: str) -> None:
    """By the name of the error's class, or of one that it is derived from."""
    error = type(name, (Exception,), {})
    assert is_transient(error())
    assert is_transient(type("Other", (error,), {})())
    assert not is_transient(type(f"{name}s", (Exception,), {})())


def test_causes_are_followed_up_to_a_bound() -> None:
    """An exception may be among its own causes; what was being handled counts as a cause, too."""

    def chain(length: int) -> Exception:
        error: Exception = CassetteError("no cassette")
        for _ in range(length):
            wrapped = TimeoutError()
            wrapped.__context__ = error
            error = wrapped
        return error

    assert CHAIN_LIMIT == 10
    assert not is_transient(chain(CHAIN_LIMIT - 1))
    assert is_transient(chain(CHAIN_LIMIT))
    circle = TimeoutError()
    circle.__cause__ = circle
    assert is_transient(circle)
