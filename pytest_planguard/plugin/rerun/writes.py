"""Lasting writes of a test: databases, files, connections. Uses audit events, for tests that share something.

Python audits a connection to a database, but not the queries on it. So its file is checked before and after.
"""

from __future__ import annotations

import gc
import os
import socket
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from stat import S_ISSOCK
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from ...replay.network.hooks import listen, unlisten

if TYPE_CHECKING:
    from ...replay.network.hooks import Listener


WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
"""The flags with which a file is opened for writing."""
BY_THE_WAY = frozenset({"__pycache__", ".pytest_cache", ".planguard", ".hypothesis"})
"""Folders of Python and tools."""
_DEVICES = ("/dev/", "/proc/")
_LOG = "-wal"
"""The suffix of an SQLite write-ahead log, which a commit may write to."""
Print = tuple[tuple[int, int] | None, ...]


class Opened:
    """Resources opened since the first test that shares fixtures. They stay open between tests."""

    def __init__(self) -> None:
        self.databases: dict[str, str | None] = {}
        """Files of SQLite databases, each with the shared fixture that opened it first."""
        self.in_memory: set[str] = set()
        """Shared fixtures with a database in memory, which has no file."""
        self.servers: dict[str | None, WeakSet[socket.socket]] = {}
        """Bound sockets of this process, by the shared fixture that bound them; None for others."""
        self.own_ports: set[int] = set()
        """Ports of this process's servers to which it connected since the test began. They may be closed before the
        check."""
        self.connections: dict[str, set[tuple[int, int]]] = {}
        """Connections that shared fixtures or their libraries have opened: descriptor and inode."""
        self.setting_up: str | None = None
        """The shared fixture that is being set up."""
        self.watched: Writes | None = None
        """Receives the events of the current test, if the test shares anything."""
        self._listeners: dict[str, Listener] = {}

    def begin(self, *, shared: bool) -> None:
        """Listen from now on: to servers of this process and, if tests share anything, to all writes."""
        events = (*_NOTED, *_OWN_NOTES) if shared else _OF_SERVERS
        self._listeners = {name: self._told(name) for name in events}
        listen(self._listeners)

    def end(self) -> None:
        """Stop listening."""
        unlisten(self._listeners)

    @contextmanager
    def by(self, fixture: str) -> Iterator[None]:
        """Wrap the set-up of a shared fixture."""
        before, outer = open_connections(), self.setting_up
        self.setting_up = fixture
        try:
            yield
        finally:
            self.setting_up = outer
            self.connections.setdefault(fixture, set()).update(open_connections() - before)

    def connected(self, fixture: str) -> bool:
        """Return True if a connection that a shared fixture has opened is still open."""
        opened = self.connections.get(fixture)
        return bool(opened and opened & open_connections())

    def serving(self, port: int) -> str | None:
        """Return the shared fixture whose server listens at a port of this process."""
        return next((f for f, bound in self.servers.items() if f is not None and _is_bound(bound, port)), None)

    def _told(self, event: str) -> Listener:
        ours, theirs = _OWN_NOTES.get(event), _NOTED.get(event)

        def tell(*args: object) -> None:
            watched = self.watched
            if theirs is not None and watched is not None:
                theirs(watched, *args)
            if ours is not None:
                ours(self, *args)

        return tell

    def note_database(self, database: object, *_: object) -> None:
        """Note a connection to a database."""
        path = database_file(database)
        if path is not None:
            self.databases.setdefault(path, self.setting_up)
        elif self.setting_up is not None:
            self.in_memory.add(self.setting_up)

    def note_server(self, bound: socket.socket, _address: object) -> None:
        """Note that a socket is bound to an address."""
        self.servers.setdefault(self.setting_up, WeakSet()).add(bound)

    def note_connection(self, _connection: object, address: object) -> None:
        """Note that a socket connects.

        The port is looked up now, because a server of this process may be closed later.
        """
        port = address[1] if isinstance(address, tuple) else None
        if isinstance(port, int) and any(_is_bound(bound, port) for bound in self.servers.values()):
            self.own_ports.add(port)


class Writes:
    """The writes of one test from its set-up on. Writes of the set-up are part of each run."""

    def __init__(self, opened: Opened, ours: Callable[[str], bool], temporary: Sequence[str] = ()) -> None:
        """`ours` returns True for the paths of planguard's own writes: a cassette.

        `temporary` are folders, besides the system's, in which new files belong to the run.
        """
        system = tempfile.gettempdir()
        self._opened, self._ours = opened, ours
        self._temporary = (system, os.path.realpath(system), *temporary)
        self._found: str | None = None
        self._in_body = False
        self._fresh: list[str] = []
        self._prints: dict[str, Print] = {}
        self._connections: frozenset[tuple[int, int]] = frozenset()

    def begin_body(self) -> None:
        """Note writes from now on."""
        self._in_body = True
        self._connections = open_connections()
        for path in self._opened.databases:
            self._prints[path] = _first_print(path)

    def end_body(self) -> None:
        """Note no more files. Fixtures may still commit to databases during their teardown."""
        self._found = self.found
        self._in_body = False

    @property
    def databases(self) -> list[str]:
        """Files of databases with commits so far."""
        return [path for path, before in self._prints.items() if _print(path) != before]

    @property
    def found(self) -> str | None:
        """The first other write so far, for messages: 'out.txt', 'a connection to 10.0.0.1:5432'; else None."""
        return self._found or self._connected()

    def _connected(self) -> str | None:
        """Return a connection that the test function opened below Python, such as from a driver in C."""
        new = open_connections() - self._connections if self._in_body else frozenset()
        return next(
            (f"a connection to {peer(descriptor)}" for descriptor, _ in new if is_below_python(descriptor)), None
        )

    def note_open(self, path: Any, _mode: object, flags: object) -> None:
        """Note that a file is opened. `tempfile` audits the folder's name first, and then opens the file."""
        if isinstance(flags, int) and flags & WRITING and self._in_body and not os.path.isdir(path):  # noqa: PTH112
            self.note_change(path)

    def note_change(self, path: object, folder: object = -1) -> None:
        """Note a write, rename or removal. `folder` is the descriptor that the path is relative to."""
        if not self._in_body or self._found is not None:
            return
        text = absolute(path, folder)
        if text is not None and not self._is_own(text):
            shown = os.path.relpath(text)
            self._found = text if shown.startswith(os.pardir) else shown

    def note_rename(self, old: object, new: object, old_folder: object = -1, new_folder: object = -1) -> None:
        """Note that a file or folder is renamed."""
        self.note_change(old, old_folder)
        self.note_change(new, new_folder)

    def _is_own(self, path: str) -> bool:
        """Return True if a path does not outlive the test, or no one reads it."""
        if path.startswith(_DEVICES) or self._ours(path) or path in self._prints:
            return True
        parts = Path(path).parts
        return not BY_THE_WAY.isdisjoint(parts) or any(
            path == f or path.startswith(f"{f}{os.sep}") for f in self._fresh
        )

    def note_folder(self, path: object, *_: object) -> None:
        """Note a new temporary folder as the run's own, unless a shared fixture is being set up."""
        text = absolute(path)
        if text is not None and self._opened.setting_up is None and text.startswith(self._temporary):
            self._fresh.append(text)

    def note_database(self, database: object, *_: object) -> None:
        """Note a connection to a database."""
        path = database_file(database)
        if self._in_body and path is not None and not self._is_own(path):
            self._prints.setdefault(path, _first_print(path))

    def note_connection(self, connection: socket.socket, address: object) -> None:
        """Note a socket connection. A guard handles internet connections."""
        if self._in_body and connection.family == getattr(socket, "AF_UNIX", None):
            name = os.fsdecode(address) if isinstance(address, str | bytes | os.PathLike) else str(address)
            has_file = not name.startswith("\0")
            self._found = f"a connection to {absolute(name) if has_file else repr(name)}"


_NOTED: dict[str, Callable[..., None]] = {
    "open": Writes.note_open,
    "os.rename": Writes.note_rename,
    "os.remove": Writes.note_change,
    "os.rmdir": Writes.note_change,
    "os.link": lambda watched, _, new, *__: watched.note_change(new),
    "os.symlink": lambda watched, _, new, *__: watched.note_change(new),
    "os.truncate": lambda watched, path, *_: watched.note_change(path),
    "os.mkdir": Writes.note_folder,
    "tempfile.mkdtemp": Writes.note_folder,
    "tempfile.mkstemp": Writes.note_folder,
    "sqlite3.connect": Writes.note_database,
    "socket.connect": Writes.note_connection,
}
"""Audit events that go to the current test."""
_OWN_NOTES: dict[str, Callable[..., None]] = {
    "sqlite3.connect": Opened.note_database,
    "socket.bind": Opened.note_server,
    "socket.connect": Opened.note_connection,
}
"""Audit events that go to the session."""
_OF_SERVERS = ("socket.bind", "socket.connect")


def database_file(database: object) -> str | None:
    """Return the file of an SQLite database from the argument of `connect`; None for one in memory."""
    text = os.fsdecode(database) if isinstance(database, bytes | os.PathLike) else str(database)
    if text.startswith("file:"):
        name, _, options = text.removeprefix("file:").partition("?")
        if "mode=memory" in options or name == ":memory:":
            return None
        text = name.removeprefix("//")
    return None if text in (":memory:", "") else absolute(text)


def _is_bound(bound: WeakSet[socket.socket], port: int) -> bool:
    return any(_port(one) == port for one in bound)


def _port(bound: socket.socket) -> int | None:
    try:
        name = bound.getsockname()
    except OSError:  # closed
        return None
    return name[1] if isinstance(name, tuple) else None


_TICK_NS = 10_000_000
"""The coarsest clock step of a file system: Linux stamps files by a timer of 1 to 4 milliseconds."""


def _first_print(path: str) -> Print:
    """Return `_print`, once enough time has passed for any later change to show."""
    while True:
        found = _print(path)
        newest = max((state[0] for state in found if state is not None), default=0)
        left = newest + _TICK_NS - time.time_ns()
        if not 0 < left <= _TICK_NS:
            return found
        time.sleep(left / 1e9)


def _print(path: str) -> Print:
    """Return the sizes and modification times of a database's files. A commit changes one of them, a rollback none.

    The files are not read: to close a file that SQLite has open too would give up its locks.
    """
    return _state(path), _state(f"{path}{_LOG}")


def _state(path: str) -> tuple[int, int] | None:
    try:
        state = os.stat(path)  # noqa: PTH116 - the path is a text
    except OSError:
        return None
    return state.st_mtime_ns, state.st_size


def absolute(path: object, folder: object = -1) -> str | None:
    """Return the absolute path as text; None for a descriptor, or for a path relative to an unknown folder."""
    if not isinstance(path, str | bytes | os.PathLike):
        return None
    text = os.fsdecode(path)
    if isinstance(folder, int) and folder >= 0:
        try:
            text = os.path.join(os.readlink(f"/proc/self/fd/{folder}"), text)  # noqa: PTH115, PTH118
        except OSError:
            return None
    return os.path.abspath(text)  # noqa: PTH100 - keeps links


def open_connections() -> frozenset[tuple[int, int]]:
    """Return the connections of this process by descriptor and inode, without socket pairs."""
    folder = next((f for f in ("/proc/self/fd", "/dev/fd") if os.path.isdir(f)), None)  # noqa: PTH112
    if folder is None:
        return frozenset()
    found = set()
    for name in os.listdir(folder):  # noqa: PTH208 - only names are needed
        try:
            state = os.fstat(int(name))
            if S_ISSOCK(state.st_mode) and peer(int(name)):
                found.add((int(name), state.st_ino))
        except (OSError, ValueError):  # closed in the meantime: the descriptor of this listing itself
            continue
    return frozenset(found)


def peer(descriptor: int) -> str:
    """Return the other end of a connection: '10.0.0.1:5432', '/run/x.sock'; '' without a name, as in a socket pair."""
    try:
        copy = socket.socket(fileno=os.dup(descriptor))
    except OSError:
        return ""
    with copy:
        try:
            peer = copy.getpeername()
        except OSError:
            return ""
    if isinstance(peer, tuple):
        return ":".join(map(str, peer[:2]))
    return os.fsdecode(peer) if isinstance(peer, bytes) else str(peer)


def is_below_python(descriptor: int) -> bool:
    """Return True if no Python socket has this descriptor. Python's own sockets are checked elsewhere."""
    return not any(issubclass(type(one), socket.socket) and one.fileno() == descriptor for one in gc.get_objects())
