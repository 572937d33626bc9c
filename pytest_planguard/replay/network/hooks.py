"""Hooks into the process: its only audit hook, and replacements of functions that write, connect or start children.

`socket.connect` is audited even for `_socket.socket` and for an original that was saved; a child process is audited for
any caller. A hook cannot be removed, so it is added with the first listener and does nothing without listeners.
"""

from __future__ import annotations

import gc
import socket
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

Listener = Callable[..., None]
"""Called with the arguments of an event; an exception from it aborts the operation."""

Listeners = Mapping[str, Listener]
"""Name of an event to its listener."""

_LISTENING: list[tuple[Listeners, ...]] = [()]
"""One entry: the current listeners, the innermost first. It is replaced, never changed, since other threads read it."""
_EVENTS: set[str] = set()
"""Names of all events with a listener, now or earlier. Most audit events are others, about twenty in each test."""
_ADDED: list[bool] = []
"""One entry once the hook is added."""


def _hook(
    event: str,
    args: tuple[object, ...],
    listening: list[tuple[Listeners, ...]] = _LISTENING,
    events: set[str] = _EVENTS,
) -> None:
    # Both are defaults because globals are gone while the interpreter shuts down.
    if event not in events:
        return
    for listeners in listening[0]:
        listener = listeners.get(event)
        if listener is not None:
            listener(*args)


def listen(listeners: Listeners) -> None:
    """Call `listeners` at the events of their names from now on, in every thread; the innermost comes first."""
    if not _ADDED:
        _ADDED.append(True)
        sys.addaudithook(_hook)
    _EVENTS.update(listeners)
    _LISTENING[0] = (listeners, *_LISTENING[0])


def unlisten(listeners: Listeners) -> None:
    """Stop calling `listeners`."""
    now = _LISTENING[0]
    if now and now[0] is listeners:  # the innermost, as nearly always
        _LISTENING[0] = now[1:]
    else:
        _LISTENING[0] = tuple(other for other in now if other is not listeners)


# Writes to connections that were opened before a replay: no new connection is made, so each write is checked. Sockets
# that this process accepted are the other end of a request: a server in the test's process answers on them. Debuggers
# and test runners have their own connections.

RUNNERS = frozenset({"pydevd", "_pydevd_bundle", "debugpy", "execnet", "xdist"})
"""Top-level packages of debuggers and test runners, which may write at any time."""
OWN_PORTS: set[int] = set()
"""Ports on which planguard itself listens."""

Patch = tuple[Any, str, Any, Any]
"""A class, the name of its method, the method, and ours."""


def send_patches(check: Callable[[socket.socket], None]) -> Iterator[Patch]:
    """Yield replacements for the writing methods of sockets: each asks `check` first."""
    for name in ("send", "sendall", "sendmsg", "sendfile"):
        if hasattr(socket.socket, name):  # no sendmsg on Windows
            yield _patch(socket.socket, name, check)


def tls_patches(check: Callable[[socket.socket], None]) -> Iterator[Patch]:
    """Yield the same for TLS sockets, if `ssl` is loaded: OpenSSL writes to the descriptor with different methods."""
    tls = sys.modules.get("ssl")
    if tls is not None:
        yield _patch(tls.SSLSocket, "send", check)
        yield _patch(tls.SSLSocket, "write", check)


def _patch(kind: object, name: str, check: Callable[[socket.socket], None]) -> Patch:
    real = getattr(kind, name)

    def send(self: socket.socket, *args: Any, **kwargs: Any) -> Any:
        check(self)
        return real(self, *args, **kwargs)

    return kind, name, real, send


def posix_module() -> Any:
    """Return the module in which multiprocessing looks up the function that starts its children.

    None on Windows, which audits that as well.
    """
    try:
        import _posixsubprocess
    except ImportError:
        return None
    return _posixsubprocess


def peer_of(connection: socket.socket) -> tuple[str, int] | None:
    """Return host and port of the other end; None if it has no address."""
    try:
        peer = connection.getpeername()
    except OSError:
        return None
    return str(peer[0]), int(peer[1])


def is_accepted(connection: socket.socket) -> bool:
    """Return True if a server of this process accepted it, because it has the port of one of our listening sockets."""
    return listens_here(connection.getsockname()[1])


def listens_here(port: int) -> bool:
    """Return True if a socket of this process listens at a port."""
    if port in OWN_PORTS:
        return True
    # Slow (some 20 ms in a large process), but called once for each connection that would be refused.
    return any(_listens(other, port) for other in gc.get_objects() if issubclass(type(other), socket.socket))


def _listens(other: socket.socket, port: int) -> bool:
    try:
        listens = other.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
        return bool(listens) and other.getsockname()[1] == port
    except (OSError, IndexError):  # closed, or of a family without ports
        return False


# uvloop opens connections and starts children below Python, so its loop is patched once it is loaded.

Check = Callable[[object, object], None]
"""Called with host and port; raises if they are refused."""


def uvloop_patches(check: Check) -> Iterator[Patch]:
    """Yield replacements for the connecting methods of uvloop's loop: each asks `check` first. Empty without uvloop."""
    loop = getattr(sys.modules.get("uvloop"), "Loop", None)
    if loop is None:
        return
    connect, look_up, open_datagrams = loop.create_connection, loop.getaddrinfo, loop.create_datagram_endpoint

    async def create_connection(self: Any, factory: Any, host: Any = None, port: Any = None, **how: Any) -> Any:
        check(host, port)
        return await connect(self, factory, host, port, **how)

    async def getaddrinfo(self: Any, host: Any, port: Any, **how: Any) -> Any:
        check(host, port)
        return await look_up(self, host, port, **how)

    async def create_datagram_endpoint(
        self: object, factory: object, local_addr: object = None, remote_addr: object = None, **how: object
    ) -> Any:
        if isinstance(remote_addr, tuple):
            check(*remote_addr[:2])
        return await open_datagrams(self, factory, local_addr, remote_addr, **how)

    yield loop, "create_connection", connect, create_connection
    yield loop, "getaddrinfo", look_up, getaddrinfo
    yield loop, "create_datagram_endpoint", open_datagrams, create_datagram_endpoint


def fork_exec_patches(note: Callable[[Any], None]) -> Iterator[Patch]:
    """Yield a replacement for the function that starts children of multiprocessing, below all audited functions."""
    lower = posix_module()
    if lower is None:
        return
    real = lower.fork_exec

    def fork_exec(args: object, *more: object) -> Any:
        note(args)
        return real(args, *more)

    yield lower, "fork_exec", real, fork_exec


def uvloop_child_patches(note: Callable[[Sequence[Any], Any], None]) -> Iterator[Patch]:
    """Yield replacements for the methods of uvloop's loop that start children: `note` gets command and environment."""
    loop = getattr(sys.modules.get("uvloop"), "Loop", None)
    if loop is None:
        return
    run, shell = loop.subprocess_exec, loop.subprocess_shell

    async def subprocess_exec(self: object, factory: object, *command: object, **how: object) -> Any:
        note(command, how.get("env"))
        return await run(self, factory, *command, **how)

    async def subprocess_shell(self: object, factory: object, line: object, **how: object) -> Any:
        note(("sh", "-c", line), how.get("env"))
        return await shell(self, factory, line, **how)

    yield loop, "subprocess_exec", run, subprocess_exec
    yield loop, "subprocess_shell", shell, subprocess_shell


def load_before(name: object) -> bool:
    """Load uvloop or cffi at the audit event that begins its import. Return True if that loaded it.

    The import in progress then finds it loaded, so every loop is a patched one.
    """
    return name in ("uvloop", "cffi") and load_now(str(name))


def load_now(name: str) -> bool:
    """Load a module at the audit event that begins its import. Return False if it fails, as that import will report."""
    try:
        import_module(name)
    except ImportError:
        return False
    return True
