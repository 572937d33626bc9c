"""Children get variables that this process does not have, whoever starts them, an explicit `env=` included."""

from __future__ import annotations

import functools
import os
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any

Given = Mapping[str, str]
Equip = Callable[[Sequence[Any], Mapping[Any, Any]], AbstractContextManager[Given]]
"""Called with a command and the environment that the child would get; around its start, with what is added to it."""

_ENV = 10
"""Position of `env` among the arguments of Popen after the command."""


@contextmanager
def equipped_children(equip: Equip) -> Iterator[None]:
    """Give what `equip` says to each child that starts within a `with` block, in every thread.

    Children by `subprocess`, `asyncio`, `os.popen`, `os.posix_spawn`, `os.system` and the spawn method of
    multiprocessing. Not those of `os.exec` in a forked child.
    """
    with ExitStack() as stack:
        for owner, name, wrap in (
            (subprocess.Popen, "__init__", _popen),
            (os, "posix_spawn", _posix_spawn),
            (os, "posix_spawnp", _posix_spawn),
            (os, "system", _system),
            (_posix(), "fork_exec", _fork_exec),
        ):
            real = getattr(owner, name, None)
            if real is not None:
                stack.enter_context(_replaced(owner, name, real, functools.wraps(real)(wrap(real, equip))))
        yield


@contextmanager
def _replaced(owner: Any, name: str, real: Any, ours: Any) -> Iterator[None]:
    setattr(owner, name, ours)
    try:
        yield
    finally:
        if getattr(owner, name) is ours:  # else another tool stays on top of it
            setattr(owner, name, real)


def _posix() -> Any:
    """Return where multiprocessing finds what starts its children; None on Windows."""
    try:
        import _posixsubprocess
    except ImportError:
        return None
    return _posixsubprocess


def _popen(real: Any, equip: Equip) -> Any:
    def __init__(self: Any, args: Any, *more: Any, **how: Any) -> None:  # noqa: N807  # takes the place of it
        own = more[_ENV - 1] if len(more) >= _ENV else how.get("env")
        command = [args] if isinstance(args, str | bytes | os.PathLike) else list(args)
        if how.get("shell"):
            command = ["sh", "-c", *command]
        with equip(command, os.environ if own is None else own) as given:
            if given and len(more) >= _ENV:
                more = (*more[: _ENV - 1], _merged(own, given), *more[_ENV:])
            elif given:
                how["env"] = _merged(own, given)
            real(self, args, *more, **how)

    return __init__


def _merged(own: Mapping[Any, Any] | None, given: Given) -> dict[Any, Any]:
    """Return an environment with what is given; its keys stay texts or bytes, as they are."""
    base = dict(os.environ if own is None else own)
    if any(isinstance(key, bytes) for key in base):
        return {**base, **{os.fsencode(name): os.fsencode(value) for name, value in given.items()}}
    return {**base, **given}


def _posix_spawn(real: Any, equip: Equip) -> Any:
    def posix_spawn(path: Any, argv: Any, env: Any, *more: Any, **how: Any) -> int:
        with equip(list(argv), env) as given:
            pid: int = real(path, argv, _merged(env, given), *more, **how)
            return pid

    return posix_spawn


def _system(real: Any, equip: Equip) -> Any:
    def system(command: Any) -> int:
        with equip(["sh", "-c", command], os.environ) as given, _put(given):
            code: int = real(command)
            return code

    return system


def _fork_exec(real: Any, equip: Equip) -> Any:
    def fork_exec(args: Any, *more: Any) -> int:
        with equip(list(args), os.environ) as given, _put(given):
            pid: int = real(args, *more)
            return pid

    return fork_exec


@contextmanager
def _put(given: Given) -> Iterator[None]:
    """Put variables into the environment that the system copies for a child, but not into `os.environ`."""
    for name, value in given.items():
        os.putenv(name, value)
    try:
        yield
    finally:
        for name in given:
            if name in os.environ:
                os.putenv(name, os.environ[name])
            else:
                os.unsetenv(name)
