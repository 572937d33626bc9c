"""Connections of this process that no Python code writes through: compare what each has sent before and after a test.

Linux lists the sockets of a process, and counts the segments with data that each has sent.
"""

from __future__ import annotations

import os
import socket
import stat
import struct
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

_FOLDER = "/proc/self/fd"
_FAMILIES = (socket.AF_INET, socket.AF_INET6)
_DATA_SEGMENTS = struct.Struct("=156xI")
"""The place of `tcpi_data_segs_out` in Linux's `struct tcp_info`."""


class Connection(NamedTuple):
    """A TCP connection."""

    own_port: int
    host: str
    port: int
    sent: int
    """Number of segments with data that it has sent."""


def connections() -> Mapping[int, Connection]:
    """Return the open TCP connections by the numbers of their sockets. Empty except on Linux."""
    return {number: found for number, file in _sockets() if (found := _connection(file))}


def sent_since(before: Mapping[int, Connection], allowed: Iterable[str]) -> Iterator[str]:
    """Yield the places to which data was sent since `connections` returned `before`, in words.

    Connections to allowed hosts and those that a server in this process accepted are left out.
    """
    found = [(before.get(name), now) for name, now in connections().items()]
    found = [(old, now) for old, now in found if now.sent > (old.sent if old else 0)]
    if not found:
        return
    known = {*_listening(), *_places(allowed)}
    for old, now in found:
        if known.isdisjoint({now.own_port, now.host, f"{now.host}:{now.port}"}):
            when = "from before the test" if old else "opened below Python"
            yield f"connection {when}: {now.host}:{now.port}"


def _sockets() -> Iterator[tuple[int, int]]:
    """Yield the number of each socket of this process, and its descriptor."""
    try:
        files = os.listdir(_FOLDER)  # noqa: PTH208  # called for each test: a path for each would take twice the time
    except OSError:
        return
    for file in map(int, files):
        with suppress(OSError):  # the folder's own descriptor is closed
            status = os.fstat(file)
            if stat.S_ISSOCK(status.st_mode):
                yield status.st_ino, file


def _connection(file: int) -> Connection | None:
    with suppress(OSError, struct.error):
        opened = socket.socket(fileno=file)
        try:
            if opened.family in _FAMILIES and opened.type == socket.SOCK_STREAM:
                host, port = opened.getpeername()[:2]
                (sent,) = _DATA_SEGMENTS.unpack(opened.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 160))
                return Connection(opened.getsockname()[1], host.removeprefix("::ffff:"), port, sent)
        finally:
            opened.detach()
    return None


def _listening() -> Iterator[int]:
    """Yield the ports on which this process listens."""
    for _, file in _sockets():
        with suppress(OSError):
            opened = socket.socket(fileno=file)
            try:
                if opened.family in _FAMILIES and opened.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                    yield opened.getsockname()[1]
            finally:
                opened.detach()


def _places(allowed: Iterable[str]) -> Iterator[str]:
    """Yield the addresses of allowed hosts: '127.0.0.1' for 'localhost', '127.0.0.1:5432' for 'localhost:5432'."""
    for place in allowed:
        name, _, port = place.partition(":") if place.count(":") == 1 else (place, "", "")
        with suppress(OSError, ValueError):  # also UnicodeError; with its port, because guards allow only that
            for *_, address in socket.getaddrinfo(name, int(port) if port else None, type=socket.SOCK_STREAM):
                yield f"{address[0]}:{port}" if port else str(address[0])
