"""The effort for one mutant: few examples of each property at first, then all of them if it is still alive."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings

from .inner_runs import spent_s


@dataclass(frozen=True)
class Effort:
    """The limits for one mutant."""

    name: str
    examples: int
    """The most examples of a property."""
    cpu_s: float
    """CPU seconds of tests, after which no further test begins; a mutant that outlives them counts as alive."""
    tests: int
    """The most tests."""
    files: int
    """The most test files for a mutant that needs a separate process, which loads each of them."""


QUICK = Effort("quick", examples=12, cpu_s=2.0, tests=120, files=5)
FULL = Effort("full", examples=100, cpu_s=25.0, tests=3000, files=80)


def load_profile() -> None:
    """Draw the same examples for every mutant, don't shrink them, and ignore a slow machine."""
    settings.register_profile(
        "mutants",
        deadline=None,
        derandomize=True,
        database=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=[HealthCheck.too_slow],
        report_multiple_bugs=False,
    )
    settings.load_profile("mutants")


def limit_examples(items: Iterable[pytest.Item], most: int) -> None:
    """Limit the examples that each property may draw to `most`."""
    for item in items:
        test = getattr(item, "obj", None)
        test = getattr(test, "__func__", test)
        own = getattr(test, "_hypothesis_internal_use_settings", None)
        if test is not None and isinstance(own, settings) and own.max_examples > most:
            test._hypothesis_internal_use_settings = settings(own, max_examples=most)  # noqa: SLF001


def end_of(effort: Effort) -> float:
    """Return the CPU time of this process after which no further test may begin."""
    return spent_s() + effort.cpu_s


def hang_limit(effort: Effort, longest_s: float) -> int:
    """Return the CPU seconds after which a run hangs: its limit, plus the longest test with all examples."""
    return int(10 + effort.cpu_s + longest_s * max(1.0, effort.examples / 10))


def plugin(effort: Effort, killer: Any, tests: Sequence[str]) -> object:
    """Return the plugin of a separate pytest run: it selects tests, limits examples and time, and names a failed test.

    It selects tests by their ids after collection, and runs them in the given order.
    """

    class Limits:
        def pytest_configure(self) -> None:
            load_profile()

        def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
            known = {item.nodeid: item for item in items}
            items[:] = [known[name] for name in tests if name in known]
            limit_examples(items, effort.examples)
            self.end = end_of(effort)

        @pytest.hookimpl(tryfirst=True)
        def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
            killer.write_text(item.nodeid, "utf-8")
            return True if spent_s() > self.end else None

    return Limits()
