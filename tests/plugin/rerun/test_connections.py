"""Which connections and servers of this process a session knows, and which of them a test has written to."""

from __future__ import annotations

import os
import socket
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from pytest_planguard.plugin.rerun.writes import Opened, Writes


def serve(family: int, address: object) -> socket.socket:
    """A socket that listens."""
    server = socket.socket(family)
    server.bind(address)  # type: ignore[arg-type]
    server.listen()
    return server


def test_a_server_on_this_machine_is_named(watched: Writes, places: Path) -> None:
    """A connection to a socket in the file system, as to a database, is a write."""
    with serve(socket.AF_UNIX, "s.sock"), socket.socket(socket.AF_UNIX) as client:
        client.connect("s.sock")
    assert watched.found == f"a connection to {places}/project/s.sock"


def test_a_server_without_a_file_is_named(watched: Writes) -> None:
    """Its name begins with a zero byte, and is shown so that it can be read."""
    name = f"\0planguard-{os.getpid()}"
    with serve(socket.AF_UNIX, name), socket.socket(socket.AF_UNIX) as client:
        client.connect(name)
    assert watched.found == f"a connection to '\\x00planguard-{os.getpid()}'"


def test_a_connection_before_the_function_is_none_of_its_writes(opened: Opened, places: Path) -> None:
    """It belongs to the set-up."""
    writes = opened.watched = Writes(opened, lambda _: False)
    with serve(socket.AF_UNIX, str(places / "s.sock")), socket.socket(socket.AF_UNIX) as client:
        client.connect(str(places / "s.sock"))
        writes.begin_body()
        assert writes.found is None


def test_a_connection_below_python_is_found(watched: Writes) -> None:
    """A driver in C has no socket of Python's."""
    with serve(socket.AF_INET, ("127.0.0.1", 0)) as server, socket.socket() as client:
        client.connect(server.getsockname())
        assert watched.found is None
        below = os.dup(client.fileno())
        try:
            assert watched.found == f"a connection to 127.0.0.1:{server.getsockname()[1]}"
        finally:
            os.close(below)


def test_the_servers_of_a_session_are_known_by_their_ports(opened: Opened) -> None:
    """By the fixture that serves, as long as it does; a test's own server has no fixture."""
    with opened.by("server"):
        shared = serve(socket.AF_INET, ("127.0.0.1", 0))
    own = serve(socket.AF_INET, ("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in (shared, own)]
    with own, shared:
        assert [opened.serving(port) for port in ports] == ["server", None]
        assert opened.own_ports == set()
        for port in ports:
            with socket.create_connection(("127.0.0.1", port)):
                pass
        assert opened.own_ports == set(ports)
    assert opened.serving(ports[0]) is None
    with socket.socket() as client, suppress(OSError):
        client.settimeout(1)
        client.connect(("127.0.0.1", 9))
    assert opened.own_ports == set(ports)


def test_the_connections_of_a_fixture_are_known_until_they_are_closed(opened: Opened) -> None:
    """One inside another is that of both, and of no third."""
    with serve(socket.AF_INET, ("127.0.0.1", 0)) as server:
        with opened.by("outer"):
            with opened.by("inner"):
                client = socket.create_connection(server.getsockname())
            assert opened.setting_up == "outer"
        with opened.by("later"):
            pass
        assert [opened.connected(name) for name in ("inner", "outer", "later", "none")] == [True, True, False, False]
        client.close()
        assert not opened.connected("inner")


def test_a_session_that_shares_nothing_knows_its_servers_only() -> None:
    """To listen to every opened file takes time."""
    session = Opened()
    session.begin(shared=False)
    try:
        with session.by("server"):
            server = serve(socket.AF_INET, ("127.0.0.1", 0))
        with server, session.by("store"), closing(sqlite3.connect(":memory:")):
            assert session.serving(server.getsockname()[1]) == "server"
            assert session.in_memory == set()
    finally:
        session.end()
    with session.by("late"):
        late = serve(socket.AF_INET, ("127.0.0.1", 0))
    with late:
        assert session.serving(late.getsockname()[1]) is None
