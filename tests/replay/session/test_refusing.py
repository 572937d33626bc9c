"""Guards that follow each other share their patches: each request is refused by the innermost guard that is active."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

import httpx2
import pytest
from vcr.patch import CassettePatcherBuilder

from pytest_planguard.replay.session import cassette
from pytest_planguard.replay.session.cassette import refusing_loaded
from pytest_planguard.replay.session.responder import ClosedCassette

URL = "http://127.0.0.1:9/v1/chat/completions"


class Refused(Exception):
    """The error of one guard."""


@contextmanager
def guard(name: str) -> Iterator[None]:
    """Refuse all requests with the guard's name."""

    def refuse(_: object) -> None:
        raise Refused(name)

    with refusing_loaded(ClosedCassette(refuse), lambda _: False):  # type: ignore[arg-type]  # it never returns
        yield


def refused_by(client: httpx2.Client | None = None) -> str:
    """Return the name of the guard that refuses a request now."""
    with pytest.raises(Refused) as error:
        (client or httpx2).post(URL)
    return str(error.value)


def test_the_innermost_active_guard_refuses() -> None:
    """The name of a guard that has ended never appears again, in whatever order they were nested."""
    with httpx2.Client() as client:
        with guard("a"):
            with guard("b"):
                assert refused_by(client) == "b"
                with guard("c"):
                    assert refused_by() == "c"
                assert refused_by(client) == "b"
            assert refused_by(client) == "a"
        with guard("d"), guard("e"):
            assert refused_by(client) == "e"
        with pytest.raises(httpx2.ConnectError):
            client.post(URL)


def test_a_guard_that_fails_refuses_no_longer() -> None:
    """An error in its block takes the patches back, and the next guard still refuses."""
    with pytest.raises(ZeroDivisionError), guard("a"):
        raise ZeroDivisionError
    with pytest.raises(httpx2.ConnectError):
        httpx2.post(URL)
    with guard("b"):
        assert refused_by() == "b"


def test_a_guard_that_a_mock_puts_back_refuses_nothing() -> None:
    """A fixture's mock, set up in a guard, outlives it, and its end puts the guard's patch back for a while."""
    real = httpx2.HTTPTransport.handle_request
    with pytest.MonkeyPatch.context() as fixture:
        with guard("a"):
            fixture.setattr(httpx2.HTTPTransport, "handle_request", lambda *_: httpx2.Response(204))
        assert httpx2.post(URL).status_code == 204
    with pytest.raises(httpx2.ConnectError):
        httpx2.post(URL)
    with guard("b"):
        assert refused_by() == "b"
    assert httpx2.HTTPTransport.handle_request is real


def test_patches_are_built_once_for_each_level() -> None:
    """Ten fixtures in turn, each with another guard inside: two sets of patches."""
    with mock.patch.object(
        CassettePatcherBuilder, "build", autospec=True, side_effect=CassettePatcherBuilder.build
    ) as build:
        for _ in range(10):
            with guard("outer"), guard("inner"):
                assert refused_by() == "inner"
    assert build.call_count <= 2


def test_a_client_that_is_loaded_later_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The patches that are kept are those of other clients, and are built again."""
    monkeypatch.setattr(cassette, "_kept", [])
    with monkeypatch.context() as without:
        without.delitem(sys.modules, "httpx2")
        with guard("a"):
            pass
    with guard("b"):
        assert refused_by() == "b"
