"""Senders in this process that reach nobody by an address: unix sockets, and C functions by ctypes."""

from __future__ import annotations

import inspect
import socket
from collections.abc import Callable
from typing import Any

from .audit import Listener
from .sends import RUNNERS

_SENDING = frozenset({"connect", "getaddrinfo", "gethostbyname", "send", "sendmsg", "sendto", "sendmmsg"})
"""Functions of the C library that send, or open what is sent on."""
_UNIX = getattr(socket, "AF_UNIX", None)
OF_MULTIPROCESSING = "unix socket: of a process that multiprocessing started"


def sender_listeners(note: Callable[[str], None], allows: Callable[[str], bool]) -> dict[str, Listener]:
    """Return listeners that note each sender: 'unix socket: /run/x.sock', 'C library by ctypes: connect'.

    Sockets are not noted where `allows` holds for their paths.
    """

    def connect(connection: Any, address: Any) -> None:
        if connection.family != _UNIX:
            return
        path = address.decode("utf-8", "replace") if isinstance(address, bytes) else str(address)
        from .callers import callers

        packages = callers(inspect.currentframe())
        if not allows(path) and packages[-1] not in RUNNERS:
            note(OF_MULTIPROCESSING if "multiprocessing" in packages else f"unix socket: {path}")

    def look_up(_library: object, name: object) -> None:
        if name in _SENDING:
            note(f"C library by ctypes: {name}")

    return {"socket.connect": connect, "ctypes.dlsym": look_up}
