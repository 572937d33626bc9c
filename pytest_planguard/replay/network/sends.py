"""Writes to connections that were opened before a replay: no new connection is made, so each write is checked.

Sockets that this process accepted are the other end of a request: a server in the test's process answers on them.
Debuggers and test runners have their own connections.
"""

from __future__ import annotations

import gc
import socket
import sys
from collections.abc import Callable, Iterator
from typing import Any

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
