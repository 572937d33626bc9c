"""Who opens a connection, as the stack shows it: the innermost package that is not plumbing; or a recorded call."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType

_PLUMBING = frozenset(sys.stdlib_module_names) | {"anyio", "sniffio", "uvloop", "pytest_planguard"}


def caller(frame: FrameType | None) -> str:
    """Return the innermost package on the stack that is no plumbing; "python" where there is none."""
    last = callers(frame)[-1:]
    return last[0] if last and last[0] not in _PLUMBING else "python"


def callers(frame: FrameType | None) -> list[str]:
    """Return the packages on the stack, the innermost first, down to the first that is no plumbing."""
    packages: list[str] = []
    while frame is not None:
        package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if package:
            packages.append(package)
            if package not in _PLUMBING:
                break
        frame = frame.f_back
    return packages


_PASSING: ContextVar[bool] = ContextVar("planguard_passing", default=False)


def passes() -> bool:
    """Return whether the caller is within a call that is recorded as a whole: what it sends is not recorded again."""
    return _PASSING.get()


@contextmanager
def passing() -> Iterator[None]:
    """Let what this task or thread sends pass by the cassette for the length of a `with` block."""
    token = _PASSING.set(True)
    try:
        yield
    finally:
        _PASSING.reset(token)
