"""Requests outside of marked tests, as the plugin of one session notes them."""

import asyncio
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import httpx2
import pytest

from pytest_planguard import plugin
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
