"""No request leaves a replay: connections are refused at the socket, so a client that is not replayed is noticed.

Allowed by default are sockets of the machine itself without an address (AF_UNIX, socket pairs). Everything else,
loopback included, must be named: a local proxy would silently answer in the place of the recording.
"""

from __future__ import annotations

import inspect
import socket
import sys
import threading
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakSet

from ...errors import CassetteError
from .audit import Listener, listen, unlisten
from .backoff import SDKS, backoff_patches
from .forked import ChildReports
from .sends import RUNNERS, Patch, is_accepted, peer_of, send_patches
from .uvloop_guard import load_before, uvloop_patches

if TYPE_CHECKING:
    from .contacts import Place
    from .reach import Reach

_INTERNET = (socket.AF_INET, socket.AF_INET6)
_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


class NetworkBlocked(CassetteError):  # named for what happened
    """A connection was tried during a replay. Not an OSError: clients would take it for a passing failure and retry."""


class Bypass(NamedTuple):
    """A connection that went around the recording."""

    host: str
    port: int | None
    client: str
    """Top-level package that opened it, "python" when only the standard library was involved."""

    def __str__(self) -> str:
        where = self.host if self.port is None else f"{self.host}:{self.port}"
        return f"{self.client} opened a connection to {where} that no recording can answer"


class NetworkGuard:
    """Watches every connection of the process while it is installed, and refuses them while `blocking`."""

    def __init__(self, allowed_hosts: Iterable[str] = (), *, blocking: bool = True) -> None:
        self.blocking = blocking
        self.bypasses: list[Bypass] = []
        """Refused connections, each place once."""
        self.reached: dict[str, None] = {}
        """Allowed places that were connected to or looked up: "127.0.0.1:5432", each once, in their order."""
        self.contacted: set[str] = set()
        """Hosts that were looked up or connected to while not blocking."""
        self.clients: dict[str, str] = {}
        """Who contacted each of them first: a top-level package."""
        self.passed: set[str] = set()
        """Hosts that were reached within a call that is recorded as a whole."""
        self.places: dict[Place, set[str]] = {}
        """The same by host and port, with all packages that contacted each place."""
        self.reports = ChildReports()
        """What forked children report."""
        self._allowed = {host.lower() for host in allowed_hosts}
        self._names: dict[str, set[str]] = {}  # address to the names it was looked up for
        self._lock = threading.Lock()

    @cached_property
    def _trusted(self) -> WeakSet[socket.socket]:
        """Connections to which may be written."""
        return WeakSet()

    @cached_property
    def reach(self) -> Reach:
        """How their connections ended."""
        from .reach import Reach

        return Reach()

    def check(self, host: str, port: int | None) -> None:
        """Raise NetworkBlocked for a host that is not allowed."""
        if self._allows(host, port):
            self.reached.setdefault(host if port is None else f"{host}:{port}")
            return
        if not self.blocking:
            self._note(host, port)
            return
        bypass = Bypass(host, port, _caller())
        with self._lock:
            if bypass not in self.bypasses:
                self.bypasses.append(bypass)
                self.reports.send("bypass", *bypass)
        raise NetworkBlocked(
            f"{bypass}. Replay it through a client that vcrpy knows (httpx, httpx2, requests, aiohttp, urllib3, …), "
            f'or allow the host: allowed_hosts = ["{host}"]'
        )

    def check_peer(self, connection: socket.socket) -> None:
        """Raise NetworkBlocked for a write to a host that is not allowed, on a connection that was open before."""
        if not self.blocking or connection in self._trusted:
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

    @property
    def all_bypasses(self) -> tuple[Bypass, ...]:
        """Refused connections of this process and of forked children, each place once."""
        return tuple(dict.fromkeys([*self.bypasses, *(Bypass(*fields) for fields in self.reports.received("bypass"))]))

    def allows(self, host: str, port: int) -> bool:
        """Return whether an address is allowed by itself or by a name, which is looked up: it was known before."""
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
        from .callers import passes

        client = _caller()
        names = self.names(host)
        if passes():
            self.passed |= names
            return
        for name in names if host not in self._names else ():  # the name of an address was noted at the look-up
            self.contacted.add(name)
            self.clients.setdefault(name, client)
        if port:
            for name in names:
                self.places.setdefault((name, port), set()).add(client)

    def names(self, host: str) -> set[str]:
        """Return a host, and for an address the names that it was looked up for."""
        return {host.lower().rstrip("."), *self._names.get(host, ())}

    def resolved(self, host: str, addresses: Iterable[Any]) -> None:
        """Connections are made to addresses: remember whose they are."""
        name = host.lower().rstrip(".")
        for address in addresses:
            self._names.setdefault(str(address[4][0]), set()).add(name)


def _caller() -> str:
    """Return the top-level package that asks for a connection now."""
    from .callers import caller

    return caller(inspect.currentframe())


class installed:  # noqa: N801  # reads as what it does: `with installed(guard):`
    """Put a guard in front of the process' sockets. Guards nest: each one in place is asked.

    Another tool may patch the same functions while the guard is in place, and stay longer: then they are left to it,
    and the guard, which is asked no more, lets everything through.
    """

    __slots__ = ("_front", "_guard")

    def __init__(self, guard: NetworkGuard) -> None:
        self._guard = guard

    def __enter__(self) -> NetworkGuard:
        self._front = _unused_front()
        self._front.put_up(self._guard)
        return self._guard

    def __exit__(self, *_: object) -> None:
        if self._front.take_down():
            _UNUSED.append(self._front)


class _Front:
    """The patched functions and the listeners of one guard.

    Making them takes longer than putting them in place, which each marked test does twice, so they are used again.
    """

    def __init__(self) -> None:
        asked = self._asked = _Asked()
        self._loaded = _loaded_modules()
        kind = self._kind = socket.socket  # other tools put a class of their own in its place
        connect, connect_ex, getsockopt = kind.connect, kind.connect_ex, kind.getsockopt
        lookup = socket.getaddrinfo
        self._patches: list[Patch] = [
            (kind, "connect", connect, _guarded(asked, connect)),
            (kind, "connect_ex", connect_ex, _guarded(asked, connect_ex)),
            (kind, "getsockopt", getsockopt, _watched_end(asked, getsockopt)),
            (socket, "getaddrinfo", lookup, _guarded_lookup(asked, lookup)),
            *send_patches(asked.check_peer),
            *backoff_patches(lambda: asked.guard is not None and asked.guard.blocking),
            *uvloop_patches(asked.check),
        ]
        self._listeners = {**_audited(asked), "import": self._imported}

    def fits(self) -> bool:
        """Return whether the functions that it replaces are those of the process now."""
        same = self._kind is socket.socket and self._loaded == _loaded_modules()
        return same and all(getattr(owner, name) is real for owner, name, real, _ in self._patches)

    def put_up(self, guard: NetworkGuard) -> None:
        """Ask a guard from now on."""
        self._asked.guard = guard
        for owner, name, _, ours in self._patches:
            setattr(owner, name, ours)
        listen(self._listeners)

    def take_down(self) -> bool:
        """Ask nobody any more. Return whether nothing stays in place, so that the next guard may use it."""
        self._asked.guard = None
        unlisten(self._listeners)
        all_mine = True
        for owner, name, real, ours in self._patches:
            if getattr(owner, name) is ours:
                setattr(owner, name, real)
            else:
                all_mine = False
        return all_mine

    def _imported(self, name: object, *_: object) -> None:
        """A test may load uvloop in its body."""
        if load_before(name) and not any(patch[0].__name__ == "Loop" for patch in self._patches):
            for patch in uvloop_patches(self._asked.check):
                self._patches.append(patch)
                setattr(patch[0], patch[1], patch[3])


_PATCHED = ("ssl", "uvloop", *SDKS)
_UNUSED: list[_Front] = []
"""Fronts that are not in place; one, or two where guards nest."""


def _unused_front() -> _Front:
    """Return a front whose functions replace those of the process now."""
    front = _UNUSED.pop() if _UNUSED else None
    return front if front is not None and front.fits() else _Front()


def _loaded_modules() -> tuple[bool, ...]:
    """Return which of the modules are loaded that have functions of their own to patch."""
    return tuple(map(sys.modules.__contains__, _PATCHED))


class _Asked:
    """The guard that the patched functions ask; None while they are not in place, or were left to another tool."""

    __slots__ = ("guard",)

    def __init__(self) -> None:
        self.guard: NetworkGuard | None = None

    def check(self, host: object, port: object) -> None:
        """Ask about a place as an audit event tells it; None, and the machine itself, need no look-up."""
        name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
        if self.guard is not None and isinstance(name, str) and not _is_own_loop(name):
            self.guard.check(name, port if isinstance(port, int) else None)

    def check_peer(self, connection: socket.socket) -> None:
        """Ask about a write to a connection that is open."""
        if self.guard is not None:
            self.guard.check_peer(connection)

    def before_fork(self, *_: object) -> None:
        """Let the child that is forked next report to this process."""
        if self.guard is not None:
            self.guard.reports.open()


def _audited(asked: _Asked) -> dict[str, Listener]:
    """Return what is asked beneath the patches: by `_socket`, by originals that were kept, and for datagrams."""

    def connect(connection: Any, address: Any) -> None:
        if connection.family in _INTERNET and isinstance(address, tuple):
            asked.check(*address[:2])

    def look_up_old(host: object) -> None:
        own = isinstance(host, str) and (host in _LOOPBACK or host in ("", socket.gethostname()))
        if asked.guard is not None and asked.guard.blocking and not own:
            asked.check(host, None)

    return {
        "socket.connect": connect,
        "socket.sendto": connect,
        "socket.sendmsg": connect,
        "socket.getaddrinfo": lambda host, port, *_: asked.check(host, port),
        "socket.gethostbyname": look_up_old,
        "os.fork": asked.before_fork,
        "os.forkpty": asked.before_fork,
    }


def _guarded(asked: _Asked, real: Callable[[socket.socket, Any], Any]) -> Any:
    def connect(self: socket.socket, address: Any) -> Any:
        guard = asked.guard
        if guard and self.family in _INTERNET and isinstance(address, tuple):
            host = str(address[0])
            if not _is_own_loop(host):
                guard.check(host, address[1])
            names = guard.names(host)
            with guard.reach.trying(names, address[1], self):
                code = real(self, address)  # an errno from `connect_ex`, None from `connect`
            guard.reach.ended(names, address[1], code or 0, self)
            return code
        return real(self, address)

    return connect


def _watched_end(asked: _Asked, real: Callable[..., Any]) -> Any:
    """Asyncio and trio begin a connection without waiting, and ask the socket later what came of it."""

    def getsockopt(self: socket.socket, *args: Any) -> Any:
        found = real(self, *args)
        if asked.guard and args == (socket.SOL_SOCKET, socket.SO_ERROR):
            asked.guard.reach.ended_later(self, found)
        return found

    return getsockopt


def _guarded_lookup(asked: _Asked, real: Callable[..., Any]) -> Any:
    def lookup(host: Any, port: Any, *args: Any, **kwargs: Any) -> Any:
        guard = asked.guard
        name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
        if guard and isinstance(name, str) and not _is_own_loop(name):
            guard.check(name, port if isinstance(port, int) else None)
        if not guard or not isinstance(name, str):
            return real(host, port, *args, **kwargs)
        with guard.reach.trying(guard.names(name), port):
            found = real(host, port, *args, **kwargs)
        guard.resolved(name, found)
        return found

    return lookup


def _is_own_loop(host: str) -> bool:
    """Windows has no socket pairs: asyncio connects to itself over loopback there."""
    return sys.platform == "win32" and host in _LOOPBACK
