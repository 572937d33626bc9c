"""The timer of pytest-timeout: each further run has the time that the first one had."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

SETTINGS: pytest.StashKey[Any] = pytest.StashKey()
"""With what pytest-timeout has set the timer of a test, as its hook tells; absent where it has none."""


class Timer:
    """Stops and starts the timer of a test by the hooks that pytest-timeout documents."""

    @staticmethod
    def stop(item: pytest.Item) -> None:
        """Stop it, where there is one."""
        if SETTINGS in item.stash:
            item.config.hook.pytest_timeout_cancel_timer(item=item)

    @staticmethod
    def start(item: pytest.Item) -> None:
        """Start it again, where there was one."""
        if SETTINGS in item.stash:
            item.config.hook.pytest_timeout_set_timer(item=item, settings=item.stash[SETTINGS])

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
    item.stash[SETTINGS] = settings
