"""Snapshots that a further run compares: with answers that no model gave, so that nothing of it may be counted."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest

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
