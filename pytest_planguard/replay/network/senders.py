"""Who sends: the package on the stack, a call that is recorded as a whole, a thread of an earlier test."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType
from weakref import WeakKeyDictionary

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


_BEGUN: WeakKeyDictionary[threading.Thread, str] = WeakKeyDictionary()
"""Thread to the test that began it."""


def remember(threads: Iterable[threading.Thread], test: str) -> None:
    """Keep which test began some threads that still run at its end."""
    for thread in threads:
        if thread.is_alive():
            _BEGUN.setdefault(thread, test)


def straggler() -> str | None:
    """Return who sends now: "thread 'worker', which test_app.py::test_a began"; None for a thread of this test."""
    thread = threading.current_thread()
    test = _BEGUN.get(thread)
    return None if test is None else f"thread {thread.name!r}, which {test} began and which still runs"


def with_sender(explanation: str) -> str:
    """Return why a request was refused, with its sender where that is a thread of an earlier test."""
    sender = straggler()
    if sender is None:
        return explanation
    return f"{explanation}\n  sent by:   {sender}; end it in that test"
