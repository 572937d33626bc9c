"""Put a guard in front of the process's connections, with functions that stay in place for a session.

Below them are audit events, for callers of `_socket` and of saved originals.
"""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable
from functools import update_wrapper
from typing import Any

from .guard import NetworkGuard
from .hooks import Listener, Patch, listen, load_before, send_patches, tls_patches, unlisten, uvloop_patches
from .retry_waits import backoff_patches, load_sdk, sdk_modules

_INTERNET = (socket.AF_INET, socket.AF_INET6)
_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


class installed:  # noqa: N801  # reads as what it does: `with installed(guard):`
    """Ask a guard before every connection of the process. Guards nest: each installed one is asked.

    Another tool may patch the same functions while the guard is installed, and stay longer. They are then left to it,
    and the guard, which is asked no more, lets everything through.
    """

    __slots__ = ("_front", "_guard")

    def __init__(self, guard: NetworkGuard) -> None:
        self._guard = guard

    def __enter__(self) -> NetworkGuard:
        front = self._front = _free_front()
        try:
            listen(front.listeners)
        except BaseException:  # another tool's audit hook may refuse ours
            _give_back(front)
            raise
        front.asked.guard = self._guard
        return self._guard

    def __exit__(self, *_: object) -> None:
        front = self._front
        front.asked.guard = None
        unlisten(front.listeners)
        _give_back(front)


def keep_in_place() -> Callable[[], None]:
    """Replace the functions of the process now, and leave them replaced until the returned function is called.

    Without an installed guard they pass everything on. Each marked test installs two guards: one assignment with the
    functions in place, more than forty without. If a session around this one already keeps them, nothing changes.
    """
    if _KEPT:
        return lambda: None
    front = _Front()
    _KEPT.append(front)

    def give_back() -> None:
        _KEPT.remove(front)
        front.take_down()

    return give_back


class _Front:
    """The functions that replace those of the process, and the listeners beside them. They ask one guard at a time."""

    def __init__(self) -> None:
        asked = self.asked = _Asked()
        kind = self._kind = socket.socket  # other tools replace it with another class
        connect, connect_ex, lookup = kind.connect, kind.connect_ex, socket.getaddrinfo
        self._patches: list[Patch] = []
        self._add(
            (kind, "connect", connect, _guarded(asked, connect)),
            (kind, "connect_ex", connect_ex, _guarded(asked, connect_ex)),
            (socket, "getaddrinfo", lookup, _guarded_lookup(asked, lookup)),
            *send_patches(asked.check_peer),
        )
        self._loaded: tuple[object, ...] = ()
        self.listeners = {**_audited(asked), "import": self._imported}
        self.put_up()

    def put_up(self) -> bool:
        """Install every function that is not installed yet: all of them, or none if an error occurs.

        Return False if another tool has put its own there.
        """
        if self._kind is not socket.socket:
            return False
        if self._loaded != _loaded_modules():
            self._add_loaded()
        replaced: list[Patch] = []
        try:
            return len(self._patches) == sum(_is_put(patch, replaced) for patch in self._patches)
        except BaseException:
            for owner, name, real, _ in replaced:
                setattr(owner, name, real)
            raise

    def take_down(self) -> None:
        """Restore the functions of the process, unless another tool has replaced them in the meantime."""
        for owner, name, real, ours in self._patches:
            if getattr(owner, name) is ours:
                setattr(owner, name, real)

    def _add(self, *patches: Patch) -> None:
        """Replace these functions as well, with functions that look like them."""
        known = {patch[:2] for patch in self._patches}
        self._patches += [patch for patch in patches if patch[:2] not in known]
        for _, _, real, ours in patches:
            update_wrapper(ours, real)

    def _add_loaded(self) -> None:
        """Replace functions in modules that were loaded after the guard was installed."""
        loaded, asked = _loaded_modules(), self.asked
        self._add(*tls_patches(asked.check_peer), *backoff_patches(asked.replays), *uvloop_patches(asked.check))
        self._loaded = loaded

    def _imported(self, name: object, *_: object) -> None:
        """Handle a test that loads uvloop or an SDK in its body."""
        if load_before(name) or load_sdk(name):
            self.put_up()


def _is_put(patch: Patch, replaced: list[Patch]) -> bool:
    """Put a function in place and note that it was replaced. Return True if it is in place now or was before."""
    owner, name, real, ours = patch
    now = getattr(owner, name)
    if now is real:
        setattr(owner, name, ours)
        replaced.append(patch)
    return now is real or now is ours


_PATCHED = ("ssl", "uvloop")
_KEPT: list[_Front] = []
"""The front whose functions stay in place for the whole session, if any."""


def _free_front() -> _Front:
    """Return a front that asks no guard yet, with its functions in place.

    The kept one serves unless it already asks a guard, or another tool's functions are in front of it. Those may
    simulate the network, and a guard must come before them.
    """
    if _KEPT and _KEPT[0].asked.guard is None and _KEPT[0].put_up():
        return _KEPT[0]
    return _Front()


def _give_back(front: _Front) -> None:
    """Uninstall a front that no longer asks a guard, unless it stays for the session."""
    if front not in _KEPT:
        front.take_down()


def _loaded_modules() -> tuple[object, ...]:
    """Return the modules that have more functions to patch, with None for each that is not loaded."""
    return tuple(map(sys.modules.get, (*_PATCHED, *sdk_modules())))


class _Asked:
    """The guard that the patched functions ask; None while none is installed."""

    __slots__ = ("guard",)

    def __init__(self) -> None:
        self.guard: NetworkGuard | None = None

    def replays(self) -> bool:
        """Return True if a cassette answers requests now, so that waiting has no effect."""
        return self.guard is not None and self.guard.blocking

    def check(self, host: object, port: object) -> None:
        """Ask about a place; None and the machine itself need no lookup."""
        name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
        # Loopback on Windows: without socket pairs, asyncio connects to itself there.
        is_own_loop = sys.platform == "win32" and name in _LOOPBACK
        if self.guard is not None and isinstance(name, str) and not is_own_loop:
            self.guard.check(name, port if isinstance(port, int) else None)

    def check_peer(self, connection: socket.socket) -> None:
        """Ask about a write to an open connection."""
        if self.guard is not None and connection.family in _INTERNET:
            self.guard.check_peer(connection)

    def note_sender(self, connection: Any, host: str, port: int) -> None:
        """Keep the opener of a connection while a cassette is recorded."""
        if self.guard is not None:
            self.guard.note_sender(connection, (host, port))

    def before_fork(self, *_: object) -> None:
        """Let the next forked child report to this process."""
        if self.guard is not None:
            self.guard.reports.open()


def _audited(asked: _Asked) -> dict[str, Listener]:
    """Return the listeners below the patches: for `_socket`, saved originals, and datagrams."""

    def connect(connection: Any, address: Any) -> None:
        if connection.family in _INTERNET and isinstance(address, tuple):
            asked.check(*address[:2])
            asked.note_sender(connection, *address[:2])

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


def _guarded(asked: _Asked, real: Callable[[socket.socket, Any], Any]) -> object:
    def connect(self: socket.socket, address: Any) -> Any:
        if self.family in _INTERNET and isinstance(address, tuple):
            asked.check(str(address[0]), address[1])
        return real(self, address)

    return connect


def _guarded_lookup(asked: _Asked, real: Callable[..., Any]) -> object:
    def lookup(host: Any, port: Any, *args: Any, **kwargs: Any) -> Any:
        asked.check(host, port)
        guard, found = asked.guard, real(host, port, *args, **kwargs)
        name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
        if guard and isinstance(name, str):
            guard.resolved(name, found)
        return found

    return lookup
