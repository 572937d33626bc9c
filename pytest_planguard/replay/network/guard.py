"""Let no request leave a replay: refuse connections at the socket, so that clients that are not replayed are noticed.

By default only sockets of the machine itself without an address are allowed (AF_UNIX, socket pairs). Everything else,
even loopback, must be named: a local proxy would silently answer instead of the cassette.
"""

from __future__ import annotations

import inspect
import mmap
import os
import pickle
import socket
import tempfile
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakSet, finalize

from ...errors import CassetteError
from .hooks import RUNNERS, is_accepted, peer_of

if TYPE_CHECKING:
    from .contacts import Place


class NetworkBlocked(CassetteError):  # named after what happened
    """A connection was attempted during a replay. Not an OSError, which clients would treat as a temporary failure."""


class Bypass(NamedTuple):
    """A connection that bypassed the cassette."""

    host: str
    port: int | None
    client: str
    """Top-level package that opened it, "python" if only the standard library was involved."""

    def __str__(self) -> str:
        where = self.host if self.port is None else f"{self.host}:{self.port}"
        return f"{self.client} opened a connection to {where} that no cassette can answer"


class NetworkGuard:
    """Watches every connection of the process while it is installed, and refuses them while `blocking`."""

    def __init__(self, allowed_hosts: Iterable[str] = (), *, blocking: bool = True) -> None:
        self.blocking = blocking
        self.bypasses: list[Bypass] = []
        """Refused connections, without duplicate places."""
        self.reached: dict[str, None] = {}
        """Allowed places that were contacted or looked up: "127.0.0.1:5432", without duplicates, in order."""
        self.contacted: set[str] = set()
        """Hosts that were looked up or connected to while not blocking."""
        self.clients: dict[str, str] = {}
        """The top-level package that first contacted each place."""
        self.places: dict[Place, set[str]] = {}
        """The places that were contacted, with all packages that contacted each."""
        self.unrecorded: dict[Place, str] = {}
        """Places to which a sender other than the cassette's clients sent while not blocking, with the first sender."""
        self.passed: set[str] = set()
        """Hosts that were contacted by a call that is recorded as a whole."""
        self.reports = ChildReports()
        """Reports of forked children."""
        self._allowed = set(map(str.lower, allowed_hosts))
        self._names: dict[str, set[str]] = {}  # address to the names it was looked up for
        self._lock = threading.Lock()
        self._trusted: WeakSet[socket.socket] = WeakSet()  # connections that may be written to

    def check(self, host: str, port: int | None) -> None:
        """Raise NetworkBlocked for a host that is not allowed."""
        if self._allows(host, port):
            self.reached.setdefault(host if port is None else f"{host}:{port}")
            return
        if not self.blocking:
            self._note(host, port)
            return
        from .earlier_threads import blames_earlier
        from .senders import passes

        bypass = Bypass(host, port, _caller())
        if blames_earlier(host if port is None else f"{host}:{port}"):
            raise NetworkBlocked(str(bypass))
        with self._lock:
            if bypass not in self.bypasses and not passes():  # a mock whose answer is recorded is asked as well
                self.bypasses.append(bypass)
                self.reports.send("bypass", *bypass)
        raise NetworkBlocked(
            f"{bypass}. Replay it through a client that vcrpy knows (httpx, httpx2, requests, aiohttp, urllib3, …), "
            f"or allow the host: planguard_allowed_hosts = {host}"
        )

    def check_peer(self, connection: socket.socket) -> None:
        """Raise NetworkBlocked for a write to a host that is not allowed, on a connection that was open before."""
        if connection in self._trusted:
            return
        if not self.blocking:
            self.note_sender(connection)
            return
        peer = peer_of(connection)
        if peer is None:
            return
        if not self.allows(*peer) and not is_accepted(connection):
            if _caller() in RUNNERS:
                return
            self.check(*peer)
        elif not is_accepted(connection):
            self.reached.setdefault("{}:{}".format(*peer))
        self._trusted.add(connection)

    def note_sender(self, connection: socket.socket, peer: Place | None = None) -> None:
        """While not blocking, note who opened a connection or wrote to it first, except for clients of the cassette."""
        from .senders import is_recorded, passes

        if self.blocking or connection in self._trusted:
            return
        if isinstance(connection, socket.socket):  # sockets from `_socket` have no weak references
            with self._lock:
                self._trusted.add(connection)
        peer = peer or peer_of(connection)
        if peer is not None and not is_recorded() and not passes() and not self._allows(*peer):
            self.note_unrecorded(*peer)

    def note_unrecorded(self, host: str, port: int) -> None:
        """Note the current sender to a place. It is not one of the clients that the cassette records."""
        from .senders import caller_and_thread

        client = caller_and_thread(inspect.currentframe())
        for name in self.names(host):
            self.unrecorded.setdefault((name, port), client)
            self.reports.send("unrecorded", name, port, client)

    @property
    def all_unrecorded(self) -> dict[Place, str]:
        """`unrecorded` of this process and of forked children."""
        return {(host, port): client for host, port, client in self.reports.received("unrecorded")} | self.unrecorded

    @property
    def all_bypasses(self) -> tuple[Bypass, ...]:
        """Refused connections of this process and of forked children, without duplicate places."""
        return tuple(dict.fromkeys([*self.bypasses, *(Bypass(*fields) for fields in self.reports.received("bypass"))]))

    def allows(self, host: str, port: int) -> bool:
        """Return True if an address is allowed by itself or by a name. Names are looked up, for cached addresses."""
        if not self._allows(host, port):
            for allowed in self._allowed:
                name, _, number = allowed.partition(":") if allowed.count(":") == 1 else (allowed, "", "")
                if not number or number == str(port):
                    self._look_up(name, port)
        return self._allows(host, port)

    def _allows(self, host: str, port: int | None) -> bool:
        names = self.names(host)
        return bool(self._allowed & (names | {f"{name}:{port}" for name in names}))

    def _look_up(self, name: str, port: int) -> None:
        try:
            self.resolved(name, socket.getaddrinfo(name, port))
        except OSError:
            return

    def _note(self, host: str, port: int | None) -> None:
        from .senders import passes

        client = _caller()
        names = self.names(host)
        if passes():
            self.passed |= names
            return
        for name in names if host not in self._names else ():  # the name of an address was noted at the lookup
            self.contacted.add(name)
            self.clients.setdefault(name, client)
        for name in names:
            if self.clients.get(name) == "python":  # asyncio looks names up in a thread
                self.clients[name] = client
            if port:
                self.places.setdefault((name, port), set()).add(client)

    def names(self, host: str) -> set[str]:
        """Return a host, and for an address the names that it was looked up for."""
        return {host.lower().rstrip("."), *self._names.get(host, ())}

    def resolved(self, host: str, addresses: Iterable[Any]) -> None:
        """Remember which names addresses belong to, since connections are made to addresses."""
        name = host.lower().rstrip(".")
        for address in addresses:
            self._names.setdefault(str(address[4][0]), set()).add(name)


def _caller() -> str:
    """Return the top-level package that opens the current connection."""
    from .senders import caller

    return caller(inspect.currentframe())


Report = tuple[Any, ...]
"""The kind of a report and its fields."""


class ChildReports:
    """Reports of forked children to the process that made this object, and what all of them tell each other."""

    def __init__(self) -> None:
        self._pid = os.getpid()
        self._descriptor: int | None = None
        self._file: os.stat_result | None = None
        self._lost: mmap.mmap | None = None  # shared with children, even with those that close all files
        self._read = 0

    @property
    def in_child(self) -> bool:
        """True if this process is a forked child of the one that reads the reports."""
        return os.getpid() != self._pid

    def open(self) -> None:
        """Make the file that children inherit. Call it before a fork; the second call does nothing."""
        if self._descriptor is None and not self.in_child:
            self._descriptor = _unnamed_file()
            self._file = os.fstat(self._descriptor)
            self._lost = mmap.mmap(-1, 1)
            finalize(self, os.close, self._descriptor).atexit = False

    def send(self, kind: str, *fields: str | int | None) -> None:
        """Report to the parent; do nothing in the parent itself."""
        if self.in_child:
            self._write(kind, *fields)

    def share(self, kind: str, *fields: object) -> None:
        """Tell all other processes, within an `alone` block of this one."""
        if self._descriptor is not None:
            self._write(kind, *fields)
            self._read = os.fstat(self._descriptor).st_size

    @contextmanager
    def alone(self) -> Iterator[list[Report]]:
        """Keep other processes out of such a block, and yield what they wrote since the last one."""
        if self._descriptor is None:
            yield []
            return
        from fcntl import LOCK_EX, LOCK_UN, lockf  # a lock of this process: `flock` would be shared with its children

        lockf(self._descriptor, LOCK_EX)
        try:
            unread, self._read = _reports(self._descriptor, self._read)
            yield unread
        finally:
            lockf(self._descriptor, LOCK_UN)

    @property
    def expected(self) -> bool:
        """True if a child may have reported, since one was forked after this object was made."""
        return self._descriptor is not None

    def received(self, kind: str) -> tuple[Report, ...]:
        """Return the fields of each report of a kind, each distinct report once."""
        if self._descriptor is None or self.in_child:
            return ()
        reports, _ = _reports(self._descriptor, 0)
        return tuple(dict.fromkeys(report[1:] for report in reports if report[0] == kind))

    @property
    def lost(self) -> bool:
        """True if a child could not report: daemons close the files that they inherit."""
        return self._lost is not None and self._lost[0] > 0

    def _write(self, *report: object) -> None:
        if self._descriptor is None or self._file is None or self._lost is None:
            return
        with suppress(OSError):
            if os.path.samestat(os.fstat(self._descriptor), self._file):  # the number may be another file's by now
                os.write(self._descriptor, pickle.dumps(report))  # one write, so that reports do not mix
                return
        self._lost[0] = 1


def _unnamed_file() -> int:
    """Return a new file without a name: in memory, as requests hold secrets, if the system has such files."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("planguard")
    descriptor, path = tempfile.mkstemp()
    os.unlink(path)  # noqa: PTH108  # the descriptor stays open
    return descriptor


def _reports(descriptor: int, start: int) -> tuple[list[Report], int]:
    """Return the reports in a file from a position on, and the position after them."""
    end = os.fstat(descriptor).st_size
    stream, reports = BytesIO(os.pread(descriptor, end - start, start)), []
    while stream.tell() < end - start:
        reports.append(pickle.load(stream))  # written by this process and its own children
    return reports, end
