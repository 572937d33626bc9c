"""How much is tried for one mutant: few examples of each property at first, all of them for what that leaves alive."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, Verbosity, settings


@dataclass(frozen=True)
class Effort:
    """What is spent on one mutant."""

    name: str
    examples: int
    """The most examples of a property."""
    cpu_s: float
    """CPU seconds of tests, after which no further test begins; a mutant that outlives them counts as alive."""
    tests: int
    """The most tests."""
    files: int
    """The most files of tests of a mutant that needs a process of its own: each is loaded for it."""


QUICK = Effort("quick", examples=12, cpu_s=2.0, tests=120, files=5)
FULL = Effort("full", examples=100, cpu_s=15.0, tests=3000, files=40)


def load_profile() -> None:
    """Draw the same examples for every mutant, do not look for smaller ones, and mind no slow machine."""
    settings.register_profile(
        "mutants",
        deadline=None,
        derandomize=True,
        database=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=[HealthCheck.too_slow],
        verbosity=Verbosity.quiet,
        report_multiple_bugs=False,
    )
    settings.load_profile("mutants")


def limit_examples(items: Iterable[pytest.Item], most: int) -> None:
    """Let no property of some tests draw more examples than `most`."""
    for item in items:
        test = getattr(item, "obj", None)
        test = getattr(test, "__func__", test)
        own = getattr(test, "_hypothesis_internal_use_settings", None)
        if test is not None and isinstance(own, settings) and own.max_examples > most:
            test._hypothesis_internal_use_settings = settings(own, max_examples=most)  # noqa: SLF001


class Spent:
    """Ends a run of tests when its CPU seconds are used up."""

    def __init__(self, effort: Effort) -> None:
        self._end = time.process_time() + effort.cpu_s

    @property
    def over(self) -> bool:
        """Whether no further test begins."""
        return time.process_time() > self._end


def hang_limit(effort: Effort, longest_s: float) -> int:
    """Return the CPU seconds after which a run hangs: its time, and that of the longest test with all examples."""
    return int(10 + effort.cpu_s + longest_s * max(1.0, effort.examples / 10))


def plugin(effort: Effort, killer: Any, tests: Sequence[str]) -> object:
    """Return the plugin of a pytest run of its own: it keeps some tests, limits examples and time, names what failed.

    Tests are kept by their ids after their files are collected, in the order that they are given in.
    """

    class Limits:
        def pytest_configure(self) -> None:
            load_profile()

        def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
            known = {item.nodeid: item for item in items}
            items[:] = [known[name] for name in tests if name in known]
            limit_examples(items, effort.examples)
            self.spent = Spent(effort)

        @pytest.hookimpl(tryfirst=True)
        def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
            killer.write_text(item.nodeid, "utf-8")
            return True if self.spent.over else None

    return Limits()
