"""Senders without any Python code: C functions, clients in other languages, and what began before a test.

Linux lists the sockets of a process and counts the segments with data that each has sent. It counts the time of each
process, such as a worker of a pool or a server that a fixture started.
"""

from __future__ import annotations

import os
import socket
import stat
import struct
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from .hooks import Patch

_SENDING = frozenset({
    "connect", "getaddrinfo", "gethostbyname", "send", "sendmsg", "sendto", "sendmmsg",
    "dlsym", "dlvsym", "syscall", "system", "popen", "fork", "vfork", "posix_spawn", "posix_spawnp", "execve", "execvp",
})  # fmt: skip
"""Functions of the C library that send, open a connection to send on, start a child that may, or look others up."""
_CLIENT = "curl_"
"""The beginning of the names in libcurl."""
_DECLARED = "function "
"""cffi's key of a declared function begins with it: "function connect"."""


def sends(name: object) -> bool:
    """Return True if a C function of this name sends, or may start a child that does."""
    return name in _SENDING or str(name).startswith(_CLIENT)


def cffi_patches(note: Callable[[str], None]) -> Iterator[Patch]:
    """Yield replacements for the methods of cffi that declare functions, and open or compile libraries.

    `note` gets each declared function that sends. A compiled function may do so under any name. Empty without cffi.
    """
    kind = getattr(sys.modules.get("cffi"), "FFI", None)
    for name in ("cdef", "dlopen", "compile", "verify"):
        if real := getattr(kind, name, None):
            yield kind, name, real, _noting(real, note)


def _noting(real: Any, note: Callable[[str], None]) -> object:
    def ours(self: Any, *args: Any, **how: Any) -> Any:
        found = real(self, *args, **how)
        declared = getattr(getattr(self, "_parser", None), "_declarations", ())
        for name in [str(key).removeprefix(_DECLARED) for key in declared if str(key).startswith(_DECLARED)]:
            if sends(name) or real.__name__ in ("compile", "verify"):
                note(name)
        return found

    return ours


BEYOND_PYTHON = {
    "grpc": "gRPC, a core in C",
    "pycurl": "libcurl",
    "curl_cffi": "libcurl",
    "tls_client": "a client in Go",
    "primp": "a client in Rust",
    "rnet": "a client in Rust",
    "baml_py": "a client in Rust",
    "tensorzero": "a client in Rust",
    "pyreqwest": "a client in Rust",
    "httpr": "a client in Rust",
    "wreq": "a client in Rust",
    "obstore": "a client in Rust",
    "av": "FFmpeg",
    "pygit2": "libgit2",
    "polars": "a client in Rust",
    "pyarrow._s3fs": "a client in C++",
    "_tkinter": "Tcl",
}
"""Maps a module to the library that opens its connections. Its requests can't be answered, so messages name
it."""


class ClientsBeyondPython:
    """The clients that send below Python and that a test may have used: from its begin on."""

    def __init__(self) -> None:
        self._before = _loaded()
        self._begun = connections_begun() if self._before else None

    def used(self) -> tuple[str, ...]:
        """Return those that were loaded since, and the others unless no connection was begun: 'grpc (gRPC, …)'."""
        loaded = _loaded()
        idle = self._begun is not None and loaded and self._begun == connections_begun()
        return tuple(name for name in loaded if not idle or name not in self._before)


def _loaded() -> tuple[str, ...]:
    if sys.modules.keys().isdisjoint(BEYOND_PYTHON):
        return ()  # nearly always, and called for each test
    return tuple(f"{name} ({what})" for name, what in BEYOND_PYTHON.items() if name in sys.modules)


_COUNTED = {"Tcp:": "ActiveOpens", "Udp:": "OutDatagrams"}
"""Linux counts these for all processes of a container."""


def connections_begun() -> int | None:
    """Return how many TCP connections and datagrams this system has sent out so far; None except on Linux."""
    try:
        lines = [line.split() for line in Path("/proc/net/snmp").read_text(encoding="ascii").splitlines()]
    except OSError:
        return None
    total = 0
    for names, counts in pairwise(lines):  # "Tcp: RtoAlgorithm … ActiveOpens …" and then "Tcp: 1 … 5301 …"
        count = dict(zip(names, counts, strict=False)).get(_COUNTED.get("".join(names[:1]), ""), "")
        total += int(count) if count.isdigit() else 0
    return total


# What began before a test: open connections, and child processes.


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
                # "::ffff:10.0.0.1" is an IPv4 address on a socket of both families.
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


_PROC = Path("/proc")
_FORKSERVER = "multiprocessing.forkserver"
"""A word in the command of the process that forks multiprocessing's workers. That process sends nothing itself."""


def cpu_times() -> Mapping[int, int]:
    """Return the time in ns that each living descendant of this process has run; {} except on Linux."""
    return {pid: time for pid in _descendants(os.getpid()) if (time := _cpu_time(pid)) is not None}


def active_since(before: Mapping[int, int]) -> Iterator[list[str]]:
    """Yield the commands of the processes that have run since `cpu_times` returned `before`."""
    for pid, time in before.items():
        if _cpu_time(pid) not in (time, None):
            yield _read(_PROC / str(pid) / "cmdline").rstrip("\0").split("\0")


def _descendants(pid: int, command: str = "") -> Iterator[int]:
    for thread in (_PROC / str(pid) / "task").glob("*/children"):
        for child in map(int, _read(thread).split()):
            own = _read(_PROC / str(child) / "cmdline")
            if _FORKSERVER not in own or _FORKSERVER in command:  # its workers have the same command
                yield child
            yield from _descendants(child, own)


def _cpu_time(pid: int) -> int | None:
    """Return the time of all threads of a process; None if it is gone."""
    # "193245671 2410 35": ns on the CPU, ns waiting for it, turns.
    times = [_read(file).split()[:1] for file in (_PROC / str(pid) / "task").glob("*/schedstat")]
    return sum(int(time) for (time,) in filter(None, times)) if any(times) else None


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:  # the process has ended
        return ""
