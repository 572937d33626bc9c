"""Under xdist the workers know the tests and the controller how pytest was started: together they find orphans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from .orphans import ORPHANS, is_started_whole

if TYPE_CHECKING:
    from collections.abc import Sequence

ASKED = "planguard_find_orphans"
"""Key of what the controller gives a worker, and FOUND of what comes back."""
FOUND = "planguard_orphans"


class WorkerOrphans:
    """Hooks of the controller. Every worker looks, since any may die; the first that ends well tells."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Ask for orphans where pytest was started without naming tests."""
        node.workerinput[ASKED] = is_started_whole(self._config)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take what a worker found."""
        found = getattr(node, "workeroutput", None) or {}
        if FOUND in found:
            self._config.stash.setdefault(ORPHANS, list(found[FOUND]))


def is_asked(config: pytest.Config) -> bool:
    """In a worker: whether it is to look for orphans."""
    return bool(getattr(config, "workerinput", {}).get(ASKED, False))


def tell(config: pytest.Config, orphans: Sequence[str]) -> None:
    """In a worker: hand over what was found."""
    config.workeroutput[FOUND] = list(orphans)  # type: ignore[attr-defined]  # xdist's
