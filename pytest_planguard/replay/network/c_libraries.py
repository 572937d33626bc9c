"""C functions that send, and calls by which Python code looks them up: `ctypes` audits them, `cffi` does not."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

from .sends import Patch

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
