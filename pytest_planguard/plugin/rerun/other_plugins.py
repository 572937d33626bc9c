"""Other plugins in a rerun: the timer of pytest-timeout, snapshots, the seeds of pytest-randomly."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator


TIMER: pytest.StashKey[Any] = pytest.StashKey()
"""The settings of a test's timer, from the hook of pytest-timeout; absent without a timer."""


class Timer:
    """Stops and starts the timer of a test with the documented hooks of pytest-timeout."""

    @staticmethod
    def stop(item: pytest.Item) -> None:
        """Stop the timer, if any."""
        if TIMER in item.stash:
            item.config.hook.pytest_timeout_cancel_timer(item=item)

    @staticmethod
    def start(item: pytest.Item) -> None:
        """Start the timer again, if any."""
        if TIMER in item.stash:
            item.config.hook.pytest_timeout_set_timer(item=item, settings=item.stash[TIMER])

    @classmethod
    @contextmanager
    def around(cls, item: pytest.Item) -> Iterator[None]:
        """Start it for the length of a `with` block."""
        cls.start(item)
        try:
            yield
        finally:
            cls.stop(item)


def keep_timer(item: pytest.Item, settings: Any) -> None:
    """Keep the settings of a test's timer."""
    item.stash[TIMER] = settings


def reseed(item: pytest.Item, hook: str) -> None:
    """Let pytest-randomly set its seeds, as its own hook does before each set-up and each test function."""
    randomly = item.config.pluginmanager.getplugin("randomly")
    if randomly is not None:
        getattr(randomly, hook)(item)


_REWRITING = frozenset({"create", "fix", "trim", "update", "review"})
"""Flags that make inline-snapshot accept new values, or ask about them."""


def updates_snapshots(config: pytest.Config) -> bool:
    """Return True if syrupy or inline-snapshot accepts new values in this run."""
    flags = str(config.getoption("inline_snapshot", None) or "").split(",")
    return bool(config.getoption("update_snapshots", False)) or not _REWRITING.isdisjoint(flags)


@contextmanager
def uncounted_snapshots(config: pytest.Config) -> Iterator[None]:
    """Discard the comparisons that syrupy makes in a `with` block, which its session lists for its summary."""
    listed: Any = getattr(getattr(config, "_syrupy", None), "_assertions", None)
    before = None if listed is None else [*listed]
    try:
        yield
    finally:
        if listed is not None:
            listed[:] = before
