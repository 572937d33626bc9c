"""Under xdist the workers know the tests and the controller how pytest was started: together they find orphans."""

from __future__ import annotations

from typing import Any

import pytest

from .orphans import ASKED, FOUND, ORPHANS, is_started_whole


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
