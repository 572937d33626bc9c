"""Threads that an earlier test began and that still run. Their requests are blamed on that test."""

from __future__ import annotations

import sys
import threading
import warnings
from collections.abc import Iterable
from weakref import WeakKeyDictionary, WeakSet

from ...errors import PlanguardWarning
from .senders import packages_on

_BEGUN: WeakKeyDictionary[threading.Thread, str] = WeakKeyDictionary()
"""Maps each thread to the test that started it."""
_AT_WORK: WeakSet[threading.Thread] = WeakSet()
"""Those that were not waiting for work when that test ended."""
_GIVES_WORK = frozenset({"asyncio", "concurrent", "multiprocessing", "queue", "selectors"})
"""Packages in which a thread waits for work, which a later test may give it: idle workers of pools, event loops."""


def remember(threads: Iterable[threading.Thread], test: str) -> None:
    """Remember which test started the threads that are still running at its end."""
    new = [thread for thread in threads if thread.is_alive() and thread not in _BEGUN]
    _BEGUN.update((thread, test) for thread in new)
    _AT_WORK.update(new)
    forget_idle()


def forget_idle() -> None:
    """Forget the threads that now wait for work: what the earlier test began is done."""
    frames = sys._current_frames() if _AT_WORK else {}  # noqa: SLF001  # the only way to see what other threads do
    frames.pop(threading.get_ident(), None)  # a frame that refers to itself keeps what its callers hold
    for thread in [*_AT_WORK]:
        above = (name for name in packages_on(frames.get(thread.ident or 0)) if name != "threading")  # locks
        if next(above, "") in _GIVES_WORK:
            _AT_WORK.discard(thread)


def straggler() -> str | None:
    """Return the sender: "thread 'worker', which test_app.py::test_a began"; None for a thread of the current test."""
    thread = threading.current_thread()
    test = _BEGUN.get(thread)
    return None if test is None else f"thread {thread.name!r}, which {test} began and which still runs"


def blames_earlier(place: str) -> bool:
    """Return True, with a warning, if a thread was refused that goes on with what an earlier test began."""
    if threading.current_thread() not in _AT_WORK:
        return False
    said = f"{straggler()}, asked {place} and was refused; let it end in the test that began it"
    warnings.warn(said, PlanguardWarning, stacklevel=1)  # one place for all callers, so that it is shown once
    return True


def with_sender(explanation: str) -> str:
    """Return why a request was refused, with its sender if that is a thread of an earlier test."""
    sender = straggler()
    if sender is None:
        return explanation
    return f"{explanation}\n  sent by:   {sender}; end it in that test"
