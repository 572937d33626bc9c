"""The one audit hook of the process: what Python's patched functions do not see is seen here.

`socket.connect` is audited for `_socket.socket` too, and for an original that somebody kept; a child process is
audited whoever starts it. A hook cannot be taken away, so it is added with the first listener and asks nobody
while there is none.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

Listener = Callable[..., None]
"""Called with the arguments of an event; what it raises ends the operation."""

_LISTENERS: dict[str, tuple[Listener, ...]] = {}
"""Name of an event to who listens; no entry where nobody does."""
_ADDED: list[bool] = []
"""One entry once the hook was added."""


def _hook(event: str, args: tuple[Any, ...], listeners: dict[str, tuple[Listener, ...]] = _LISTENERS) -> None:
    # The table is a default since globals are gone while the interpreter shuts down.
    for listener in listeners.get(event, ()):
        listener(*args)


@contextmanager
def listening(listeners: Mapping[str, Listener]) -> Iterator[None]:
    """Call `listeners` at the events of their names for the length of a `with` block, in every thread."""
    if not _ADDED:
        _ADDED.append(True)
        sys.addaudithook(_hook)
    for event, listener in listeners.items():
        _LISTENERS[event] = (listener, *_LISTENERS.get(event, ()))  # the innermost is asked first
    try:
        yield
    finally:
        for event, listener in listeners.items():
            left = tuple(other for other in _LISTENERS.get(event, ()) if other is not listener)
            if left:
                _LISTENERS[event] = left
            else:
                _LISTENERS.pop(event, None)
