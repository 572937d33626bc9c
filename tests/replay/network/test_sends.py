"""A connection that was open before a replay is refused at its next write, unless it is allowed or was accepted."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from pytest_planguard.replay.network.guard import NetworkBlocked, NetworkGuard
from pytest_planguard.replay.network.installed_guard import installed


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    """A connection that is open already: the client's end, and the end that a server of this process accepted."""
    with ExitStack() as stack:
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        client = stack.enter_context(socket.create_connection(listener.getsockname()))
        accepted = stack.enter_context(listener.accept()[0])
        yield client, accepted


def test_a_write_to_an_open_connection_is_refused(pair: tuple[socket.socket, socket.socket]) -> None:
    """Whichever method writes; nothing arrives."""
    client, accepted = pair
    guard = NetworkGuard()
    with installed(guard):
        for write in (client.send, client.sendall, lambda data: client.sendmsg([data])):
            with pytest.raises(NetworkBlocked):
                write(b"x")
    accepted.setblocking(False)
    with pytest.raises(BlockingIOError):
        accepted.recv(1)
    assert [(bypass.host, bypass.port) for bypass in guard.bypasses] == [client.getpeername()]


def test_an_accepted_socket_answers(pair: tuple[socket.socket, socket.socket]) -> None:
    """A server in the test's own process, or a debugger that somebody attached."""
    client, accepted = pair
    with installed(NetworkGuard()):
        accepted.sendall(b"x")
    assert client.recv(1) == b"x"


@pytest.mark.slow
@pytest.mark.parametrize("allowed", ["127.0.0.1", "localhost", "127.0.0.1:{port}", "localhost:{port}"])
def test_an_allowed_peer_is_written_to(pair: tuple[socket.socket, socket.socket], allowed: str) -> None:
    """By address or by name: the name is looked up, since the guard was not there when the connection was made."""
    client, accepted = pair
    guard = NetworkGuard([allowed.format(port=client.getpeername()[1])])
    with installed(guard):
        client.sendall(b"x")
    assert accepted.recv(1) == b"x"
    assert guard.bypasses == []


def test_another_port_of_an_allowed_host_is_refused(pair: tuple[socket.socket, socket.socket]) -> None:
    """The port counts where it is named."""
    client, _ = pair
    with installed(NetworkGuard(["localhost:1"])), pytest.raises(NetworkBlocked):
        client.sendall(b"x")


def test_everything_is_as_before_once_the_guard_is_gone(pair: tuple[socket.socket, socket.socket]) -> None:
    """Writes pass again."""
    client, accepted = pair
    with installed(NetworkGuard()):
        pass
    client.sendall(b"x")
    assert accepted.recv(1) == b"x"
