"""What a further run asks of other plugins: the timer of pytest-timeout, snapshots, the seeds of pytest-randomly."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator


TIMER: pytest.StashKey[Any] = pytest.StashKey()
"""With what pytest-timeout has set the timer of a test, as its hook tells; absent where it has none."""


class Timer:
    """Stops and starts the timer of a test by the hooks that pytest-timeout documents."""

    @staticmethod
    def stop(item: pytest.Item) -> None:
        """Stop it, where there is one."""
        if TIMER in item.stash:
            item.config.hook.pytest_timeout_cancel_timer(item=item)

    @staticmethod
    def start(item: pytest.Item) -> None:
        """Start it again, where there was one."""
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
    """Keep with what the timer of a test is set."""
    item.stash[TIMER] = settings


def reseed(item: pytest.Item, hook: str) -> None:
    """Let pytest-randomly seed all that it knows, as its own hook does before each set-up and each body."""
    randomly = item.config.pluginmanager.getplugin("randomly")
    if randomly is not None:
        getattr(randomly, hook)(item)


_REWRITING = frozenset({"create", "fix", "trim", "update", "review"})
"""Flags with which inline-snapshot takes over what it sees, or asks about it."""


def updates_snapshots(config: pytest.Config) -> bool:
    """Return whether snapshots of syrupy or inline-snapshot take over what tests see in this run."""
    flags = str(config.getoption("inline_snapshot", None) or "").split(",")
    return bool(config.getoption("update_snapshots", False)) or not _REWRITING.isdisjoint(flags)


@contextmanager
def uncounted_snapshots(config: pytest.Config) -> Iterator[None]:
    """Forget the comparisons of syrupy that are made within a `with` block: its session lists them for its summary."""
    listed: Any = getattr(getattr(config, "_syrupy", None), "_assertions", None)
    before = None if listed is None else [*listed]
    try:
        yield
    finally:
        if listed is not None:
            listed[:] = before
