"""A plugin that prints the CPU seconds of the dearest tests: `pytest -n 2 -p tests.support.cpu_of_tests`.

They include the processes that a test starts and the warm runs that are forked for it, and no time that it waits. The
cases of a parametrized test are one line.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Generator
from typing import Any

import pytest

from .warm.parent import parent

SHOWN = int(os.environ.get("CPU_SHOWN", "40"))
"""Lines that are printed; the sum is that of all tests."""
spent: dict[str, float] = defaultdict(float)


def _so_far() -> float:
    """Return the CPU seconds of this process, of its children that ended, and of its warm runs."""
    forked = parent().spent_s if parent.cache_info().currsize else 0.0
    return sum(os.times()[:4]) + forked


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Add the CPU seconds of a test, with its fixtures."""
    before = _so_far()
    done = yield
    spent[item.nodeid.partition("[")[0]] += _so_far() - before
    return done


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Give the figures of a worker to the controller."""
    output: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["cpu_of_tests"] = dict(spent)


class FromWorkers:
    """Takes the figures of each worker; only with pytest-xdist."""

    def pytest_testnodedown(self, node: Any) -> None:
        """Add the figures of one worker."""
        for test, seconds in getattr(node, "workeroutput", {}).get("cpu_of_tests", {}).items():
            spent[test] += seconds


def pytest_configure(config: pytest.Config) -> None:
    """Take figures of workers, if there are workers."""
    if config.pluginmanager.hasplugin("xdist"):
        config.pluginmanager.register(FromWorkers())


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the sum, and the dearest tests."""
    terminalreporter.section(f"{sum(spent.values()):.1f} CPU seconds")
    for test, seconds in sorted(spent.items(), key=lambda one: -one[1])[:SHOWN]:
        terminalreporter.write_line(f"{seconds:7.2f} {test}")
