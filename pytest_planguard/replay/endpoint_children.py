"""Give child processes variables that this process does not have, even if they get an explicit `env=`."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache, partial, wraps
from typing import Any
from weakref import WeakSet

from .network.hooks import Patch, posix_module

Given = Mapping[str, str]
Equip = Callable[[Sequence[Any], Mapping[Any, Any]], AbstractContextManager[Given]]
"""Called with a command and the child's environment; wraps its start, and gives the variables to add."""

Target = tuple[Any, str, Callable[[Any], Any]]
"""Owner and name of a function that starts children, and the function that makes its replacement."""
_ENV = 10
"""Position of `env` among the arguments of Popen after the command."""


_EQUIPPING: list[Equip] = []
"""The innermost one is last. The replaced functions ask it."""
_OURS: WeakSet[Any] = WeakSet()
"""Our replacement functions. A nested block leaves them in place. A watch makes a new function for each test, so weak.
"""
_STARTING = threading.local()
"""Per thread: `is_asked` is true while a replacement function starts a child.

From Python 3.13 on, `Popen` starts most children by `os.posix_spawn`, so that both would ask for one child.
"""


class equipped_children:  # noqa: N801  # reads as what it does: `with equipped_children(equip):`
    """Give the variables of `equip` to each child that starts within a `with` block, in every thread.

    This covers children of `subprocess`, `asyncio`, `os.popen`, `os.posix_spawn`, `os.system` and the spawn method of
    multiprocessing, but not those of `os.exec` in a forked child.
    """

    __slots__ = ("_equip", "_replaced")

    def __init__(self, equip: Equip) -> None:
        self._equip = equip
        self._replaced: list[Patch] = []

    def __enter__(self) -> None:
        self._replaced = _replace(*_targets(), *_lower_targets())
        _EQUIPPING.append(self._equip)

    def __exit__(self, *_: object) -> None:
        _EQUIPPING.remove(self._equip)
        _put_back(self._replaced)


def keep_in_place() -> Callable[[], None]:
    """Replace the functions now, and leave them replaced until the returned function is called.

    Without an `equipped_children` block they pass everything on. With them in place, each marked test replaces only
    one.
    """
    return partial(_put_back, _replace(*_targets()))


def _replace(*targets: Target) -> list[Patch]:
    """Replace the targets that are not replaced yet, and return them. An error leaves everything as it was."""
    replaced: list[Patch] = []
    try:
        for owner, name, wrap in targets:
            real = getattr(owner, name)
            if real not in _OURS:
                ours = _replacement(real, wrap)
                setattr(owner, name, ours)
                replaced.append((owner, name, real, ours))
    except BaseException:
        _put_back(replaced)
        raise
    return replaced


def _put_back(replaced: Iterable[Patch]) -> None:
    for owner, name, real, ours in replaced:
        if getattr(owner, name) is ours:  # else another tool stays on top of it
            setattr(owner, name, real)


@lru_cache(maxsize=1)
def _targets() -> tuple[Target, ...]:
    """Return the functions that start children."""
    return _existing(
        (subprocess.Popen, "__init__", _popen),
        (os, "posix_spawn", _posix_spawn),
        (os, "posix_spawnp", _posix_spawn),
        (os, "system", _system),
    )


@lru_cache(maxsize=1)
def _lower_targets() -> tuple[Target, ...]:
    """Return the lower function that multiprocessing calls. A watch replaces it too; ours must be the outer one."""
    return _existing((posix_module(), "fork_exec", _fork_exec))


def _existing(*targets: Target) -> tuple[Target, ...]:
    return tuple(target for target in targets if hasattr(target[0], target[1]))  # Windows does not have all of them


@lru_cache(maxsize=16)
def _replacement(real: Any, wrap: Callable[[Any], Any]) -> object:
    """Return the replacement of a function. It is made once, since tests install it again and again."""
    equipping = wrap(real)

    @wraps(real)
    def ours(*args: Any, **how: Any) -> Any:
        if not _EQUIPPING or getattr(_STARTING, "is_asked", False):
            return real(*args, **how)
        _STARTING.is_asked = True
        try:
            return equipping(*args, **how)
        finally:
            _STARTING.is_asked = False

    _OURS.add(ours)
    return ours


def _equipped(command: Sequence[Any], own: Mapping[Any, Any]) -> AbstractContextManager[Given]:
    """Ask the innermost block. Return no variables if another tool kept a replacement beyond its block."""
    return _EQUIPPING[-1](command, own) if _EQUIPPING else nullcontext({})


def _popen(real: Any) -> object:
    def __init__(self: Any, args: Any, *more: Any, **how: Any) -> None:  # noqa: N807  # replaces it
        own = more[_ENV - 1] if len(more) >= _ENV else how.get("env")
        command = [args] if isinstance(args, str | bytes | os.PathLike) else list(args)
        if how.get("shell"):
            command = ["sh", "-c", *command]
        with _equipped(command, os.environ if own is None else own) as given:
            if given and len(more) >= _ENV:
                more = (*more[: _ENV - 1], _merged(own, given), *more[_ENV:])
            elif given:
                how["env"] = _merged(own, given)
            real(self, args, *more, **how)

    return __init__


def _merged(own: Mapping[Any, Any] | None, given: Given) -> dict[Any, Any]:
    """Return an environment with the given variables; its keys stay texts or bytes."""
    base = dict(os.environ if own is None else own)
    if any(isinstance(key, bytes) for key in base):
        return {**base, **{os.fsencode(name): os.fsencode(value) for name, value in given.items()}}
    return {**base, **given}


def _posix_spawn(real: Any) -> object:
    def posix_spawn(path: Any, argv: Any, env: Any, *more: Any, **how: Any) -> int:
        with _equipped(list(argv), env) as given:
            pid: int = real(path, argv, _merged(env, given), *more, **how)
            return pid

    return posix_spawn


def _system(real: Any) -> object:
    def system(command: Any) -> int:
        with _equipped(["sh", "-c", command], os.environ) as given, _put(given):
            code: int = real(command)
            return code

    return system


def _fork_exec(real: Any) -> object:
    def fork_exec(args: Any, *more: Any) -> int:
        with _equipped(list(args), os.environ) as given, _put(given):
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
