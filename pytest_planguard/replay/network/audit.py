"""The only audit hook of the process. It sees operations that bypass Python's patched functions.

`socket.connect` is audited even for `_socket.socket` and for an original that was saved; a child process is audited for
any caller. A hook cannot be removed, so it is added with the first listener and does nothing without listeners.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping

Listener = Callable[..., None]
"""Called with the arguments of an event; an exception from it aborts the operation."""

Listeners = Mapping[str, Listener]
"""Name of an event to its listener."""

_LISTENING: list[tuple[Listeners, ...]] = [()]
"""One entry: the current listeners, the innermost first. It is replaced, never changed, since other threads read it."""
_EVENTS: set[str] = set()
"""Names of all events with a listener, now or earlier. Most audit events are others, about twenty in each test."""
_ADDED: list[bool] = []
"""One entry once the hook is added."""


def _hook(
    event: str,
    args: tuple[object, ...],
    listening: list[tuple[Listeners, ...]] = _LISTENING,
    events: set[str] = _EVENTS,
) -> None:
    # Both are defaults because globals are gone while the interpreter shuts down.
    if event not in events:
        return
    for listeners in listening[0]:
        listener = listeners.get(event)
        if listener is not None:
            listener(*args)


def listen(listeners: Listeners) -> None:
    """Call `listeners` at the events of their names from now on, in every thread; the innermost comes first."""
    if not _ADDED:
        _ADDED.append(True)
        sys.addaudithook(_hook)
    _EVENTS.update(listeners)
    _LISTENING[0] = (listeners, *_LISTENING[0])


def unlisten(listeners: Listeners) -> None:
    """Stop calling `listeners`."""
    now = _LISTENING[0]
    if now and now[0] is listeners:  # the innermost, as nearly always
        _LISTENING[0] = now[1:]
    else:
        _LISTENING[0] = tuple(other for other in now if other is not listeners)
