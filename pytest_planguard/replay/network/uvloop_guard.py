"""Patch uvloop's loop once it is loaded, because it opens connections and starts children below Python."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any

from .sends import Patch

Check = Callable[[object, object], None]
"""Called with host and port; raises if they are refused."""


def uvloop_patches(check: Check) -> Iterator[Patch]:
    """Yield replacements for the connecting methods of uvloop's loop: each asks `check` first. Empty without uvloop."""
    loop = getattr(sys.modules.get("uvloop"), "Loop", None)
    if loop is None:
        return
    yield loop, "create_connection", loop.create_connection, _connection(loop.create_connection, check)
    yield loop, "getaddrinfo", loop.getaddrinfo, _lookup(loop.getaddrinfo, check)
    yield loop, "create_datagram_endpoint", loop.create_datagram_endpoint, _datagrams(loop, check)


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
    if name not in ("uvloop", "cffi"):
        return False
    try:
        import_module(str(name))
    except ImportError:
        return False
    return True


def _connection(real: Any, check: Check) -> object:
    async def create_connection(self: Any, factory: Any, host: Any = None, port: Any = None, **how: Any) -> Any:
        check(host, port)
        return await real(self, factory, host, port, **how)

    return create_connection


def _lookup(real: Any, check: Check) -> Any:
    async def getaddrinfo(self: Any, host: Any, port: Any, **how: Any) -> Any:
        check(host, port)
        return await real(self, host, port, **how)

    return getaddrinfo


def _datagrams(loop: Any, check: Check) -> object:
    real = loop.create_datagram_endpoint

    async def create_datagram_endpoint(
        self: object, factory: object, local_addr: object = None, remote_addr: object = None, **how: object
    ) -> Any:
        if isinstance(remote_addr, tuple):
            check(*remote_addr[:2])
        return await real(self, factory, local_addr, remote_addr, **how)

    return create_datagram_endpoint
