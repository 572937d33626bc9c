"""A watch of child processes during a `with` block."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pytest_planguard.replay.network.processes import ProcessWatch


@contextmanager
def watching(watch: ProcessWatch) -> Iterator[None]:
    """Watch during a `with` block, in every thread."""
    watch.begin()
    try:
        yield
    finally:
        watch.end()
