"""Data that leaves over connections which no guard sees is noticed by what each connection has sent."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator

import pytest

from pytest_planguard.replay.network import below_python, processes
from pytest_planguard.replay.network.below_python import connections, sent_since
from pytest_planguard.replay.network.processes import ProcessWatch

from .watches import watching

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux lists sockets and what they sent")


@pytest.fixture
def server() -> Iterator[socket.socket]:
    """A server that accepts connections."""
    with socket.create_server(("127.0.0.1", 0)) as opened:
        yield opened


def test_writes_to_an_earlier_connection_are_noticed(server: socket.socket) -> None:
    """By the descriptor alone; not if the host is allowed, or nothing is written, or a server here answers."""
    place = server.getsockname()
    with socket.create_connection(place) as client, server.accept()[0] as accepted:
        before = connections()
        assert list(sent_since(before, [])) == []
        os.write(accepted.fileno(), b"answer")
        assert list(sent_since(before, [])) == []
        os.write(client.fileno(), b"question")
        there = f"127.0.0.1:{place[1]}"
        assert list(sent_since(before, ["127.0.0.1:1", "nowhere.invalid"])) == [
            f"connection from before the test: {there}"
        ]
        for allowed in ("127.0.0.1", "localhost", there, f"localhost:{place[1]}"):
            assert list(sent_since(before, [allowed])) == []
        assert client.getpeername() == place  # still open


def test_a_connection_that_was_opened_below_python_is_noticed(server: socket.socket) -> None:
    """It is open at the end, as those of clients that keep it for the next request."""
    before = connections()
    with socket.create_connection(server.getsockname()) as client:
        assert list(sent_since(before, [])) == []
        client.sendall(b"question")
        assert [line.partition(":")[0] for line in sent_since(before, [])] == ["connection opened below Python"]


def test_a_watch_notes_them_only_offline(server: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a test is recorded, its clients keep their connections; debuggers write to theirs."""
    with socket.create_connection(server.getsockname()) as client:

        def noted(*, offline: bool) -> int:
            watch = ProcessWatch(offline=offline)
            with watching(watch):
                os.write(client.fileno(), b"x")
            return len(watch.senders)

        assert [noted(offline=True), noted(offline=False)] == [1, 0]
        monkeypatch.setattr(processes, "_DEBUGGERS", frozenset({"sys"}))
        assert noted(offline=True) == 0


def test_a_system_without_such_a_list_has_no_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is noticed there."""
    monkeypatch.setattr(below_python, "_FOLDER", "/nowhere")
    assert connections() == {}
