"""Which file a database is in, what a path is, and where a connection leads."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from pytest_planguard.plugin.rerun.writes import absolute, database_file, open_connections, peer


@pytest.mark.parametrize(
    "database",
    [":memory:", "", "file::memory:?cache=shared", "file:name?mode=memory&cache=shared"],
)
def test_a_database_in_memory_has_none(database: str) -> None:
    """Nor has a temporary one."""
    assert database_file(database) is None


@pytest.mark.parametrize("database", ["/x/a.db", b"/x/a.db", Path("/x/a.db"), "file:/x/a.db?mode=ro", "file:///x/a.db"])
def test_a_file_by_any_name(database: str | bytes | Path) -> None:
    """A text, bytes, a path, a URI."""
    assert database_file(database) == "/x/a.db"


def test_the_other_end_of_a_connection(tmp_path: Path) -> None:
    """A host with its port, the name of a socket, or nothing: a pair has no names, and a file is no connection."""
    with socket.socket() as server, socket.socket() as client:
        server.bind(("127.0.0.1", 0))
        server.listen()
        assert peer(client.fileno()) == ""
        client.connect(server.getsockname())
        assert peer(client.fileno()) == f"127.0.0.1:{server.getsockname()[1]}"
        assert client.fileno() in {descriptor for descriptor, _ in open_connections()}
        assert server.fileno() not in {descriptor for descriptor, _ in open_connections()}
    name = str(tmp_path / "s")
    with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as client:
        server.bind(name)
        server.listen()
        client.connect(name)
        assert peer(client.fileno()) == name
    one, other = socket.socketpair()
    with one, other, (tmp_path / "file").open("w") as file:
        assert peer(one.fileno()) == peer(file.fileno()) == ""
        assert one.fileno() not in {descriptor for descriptor, _ in open_connections()}
    assert peer(10**6) == ""


def test_a_path_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the working folder, or by the open folder that it is relative to. A descriptor has no path."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link").symlink_to("target")
    (tmp_path / "inner").mkdir()
    assert absolute("a/../b.txt") == absolute(b"b.txt") == absolute(Path("b.txt")) == f"{tmp_path}/b.txt"
    assert absolute("link") == f"{tmp_path}/link"
    assert absolute(3) is absolute(None) is absolute("b.txt", 10**6) is None
    folder = os.open("inner", os.O_RDONLY)
    try:
        assert absolute("b.txt", folder) == f"{tmp_path}/inner/b.txt"
        assert absolute("/x/b.txt", folder) == "/x/b.txt"
    finally:
        os.close(folder)
