"""Threads that outlive the test that began them: what they send later is no fault of the test that runs then."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from weakref import WeakKeyDictionary

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
