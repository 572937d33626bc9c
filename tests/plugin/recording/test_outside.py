"""Requests outside of marked tests, as the plugin of one session notes them."""

import asyncio
import socket
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import httpx2
import pytest

from pytest_planguard import plugin
from pytest_planguard.plugin.options import SETTINGS, Settings
from pytest_planguard.plugin.recording.outside import Outside
from pytest_planguard.replay.network import hooks

URL = "http://127.0.0.1:9/v1"
"""No server listens here."""


@contextmanager
def session(config: pytest.Config, monkeypatch: pytest.MonkeyPatch) -> Iterator[Outside]:
    """Note requests as in the only session of a process, which has run a marked test."""
    outside = Outside(config)
    yield outside
    outside._after_marked = True
    monkeypatch.setattr(plugin, "_RUNNING", [])
    outside._end()


def test_an_async_client_is_seen(pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its connection is opened in another task than its request."""

    async def ask() -> None:
        async with httpx2.AsyncClient() as client:
            await client.get(URL)

    with session(pytestconfig, monkeypatch) as outside, suppress(httpx2.ConnectError):
        asyncio.run(ask())
    (said,) = outside.asked
    assert " asked " in said
    assert ":9 at import (" in said


def test_a_later_session_is_not_after_the_tests(
    pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    """A program may call `pytest.main` repeatedly. Only the last session keeps its listeners."""
    for _ in range(2):
        with session(pytestconfig, monkeypatch):
            pass
    before = len(hooks._LISTENING[0])
    with session(pytestconfig, monkeypatch):
        pass
    with suppress(OSError):
        urllib.request.urlopen(URL, timeout=5)
    assert (len(hooks._LISTENING[0]), list(recwarn)) == (before, [])


def test_only_the_first_requests_are_named(pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight of them, each once, and the number of others."""
    with session(pytestconfig, monkeypatch) as outside:
        ports = range(9101, 9111)
        more = {}
        for count, port in enumerate(ports, 1):
            for _ in range(2):
                with suppress(OSError):
                    urllib.request.urlopen(f"http://127.0.0.1:{port}/v1", timeout=5)
            more[count] = outside.asked[8:]
        assert [one.split()[2] for one in outside.asked[:8]] == [f"127.0.0.1:{port}" for port in ports[:8]]
        assert (more[8], more[9]) == ((), ("1 more request of this kind",))
        assert more[10] == ("2 more requests of this kind",)


def test_the_name_of_a_host_is_shown(pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that was looked up, and the package that asked."""
    with session(pytestconfig, monkeypatch) as outside, suppress(OSError):
        urllib.request.urlopen("http://localhost:9/v1", timeout=5)
    assert {one.partition(" at import")[0] for one in outside.asked} == {"python asked localhost:9"}


def test_a_host_that_may_be_asked_is_not_noted(pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its name or its address, with or without the port; nor is a server of this process."""
    for allowed in ("LOCALHOST", "localhost:9", "127.0.0.1", "127.0.0.1:9"):
        monkeypatch.setitem(pytestconfig.stash, SETTINGS, Settings(allowed_hosts=(allowed, "::1")))
        with session(pytestconfig, monkeypatch) as outside, suppress(OSError):
            urllib.request.urlopen("http://localhost:9/v1", timeout=5)
        assert outside.asked == ()
    monkeypatch.setitem(pytestconfig.stash, SETTINGS, Settings(allowed_hosts=("localhost:8",)))
    with session(pytestconfig, monkeypatch) as outside, socket.create_server(("127.0.0.1", 0)) as server:
        with suppress(OSError):
            urllib.request.urlopen(f"http://127.0.0.1:{server.getsockname()[1]}/v1", timeout=0.01)
        assert outside.asked == ()
        with suppress(OSError):
            urllib.request.urlopen(URL, timeout=5)
    assert len(outside.asked) == 1
