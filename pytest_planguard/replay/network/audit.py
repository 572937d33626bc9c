"""The one audit hook of the process: what Python's patched functions do not see is seen here.

`socket.connect` is audited for `_socket.socket` too, and for an original that somebody kept; a child process is
audited whoever starts it. A hook cannot be taken away, so it is added with the first listener and asks nobody
while there is none.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

Listener = Callable[..., None]
"""Called with the arguments of an event; what it raises ends the operation."""

Listeners = Mapping[str, Listener]
"""Name of an event to who listens."""

_LISTENING: list[tuple[Listeners, ...]] = [()]
"""One entry: those who listen, the innermost first. It is replaced and never changed, since other threads read it."""
_EVENTS: set[str] = set()
"""Names of all events that anybody has listened to: most that happen are others, some twenty in each test."""
_ADDED: list[bool] = []
"""One entry once the hook was added."""


def _hook(
    event: str,
    args: tuple[Any, ...],
    listening: list[tuple[Listeners, ...]] = _LISTENING,
    events: set[str] = _EVENTS,
) -> None:
    # Both are defaults since globals are gone while the interpreter shuts down.
    if event not in events:
        return
    for listeners in listening[0]:
        listener = listeners.get(event)
        if listener is not None:
            listener(*args)


def listen(listeners: Listeners) -> None:
    """Call `listeners` at the events of their names from now on, in every thread; the innermost is asked first."""
    if not _ADDED:
        _ADDED.append(True)
        sys.addaudithook(_hook)
    _EVENTS.update(listeners)
    _LISTENING[0] = (listeners, *_LISTENING[0])


def unlisten(listeners: Listeners) -> None:
    """Call `listeners` no more."""
    now = _LISTENING[0]
    if now and now[0] is listeners:  # the innermost, as nearly always
        _LISTENING[0] = now[1:]
    else:
        _LISTENING[0] = tuple(other for other in now if other is not listeners)
