"""Who answers the requests of the running test now: a cassette, a rerun of it, or what refuses everything."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .responder import Responder

_ACTIVE: list[Responder] = []
"""The innermost last."""


def active_responder() -> Responder | None:
    """Return the innermost of those that answer; None where nothing is open."""
    return _ACTIVE[-1] if _ACTIVE else None


def start_answering(responder: Responder) -> None:
    """Let `responder` answer until `stop_answering`, or until another one starts."""
    _ACTIVE.append(responder)


def stop_answering(responder: Responder) -> None:
    """Let `responder` answer no more."""
    _ACTIVE.remove(responder)


@contextmanager
def answering(responder: Responder) -> Iterator[None]:
    """Let `responder` answer for the length of a `with` block."""
    start_answering(responder)
    try:
        yield
    finally:
        stop_answering(responder)
