"""Clients and C functions that send below Python, and the calls by which Python code looks such functions up.

`ctypes` audits them, `cffi` does not.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

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
