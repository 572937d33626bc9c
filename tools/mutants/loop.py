"""A pytest plugin that collects the tests once, and forks for each mutant of a function to run its tests.

It cannot put a mutant of load-time code into loaded modules: see `apart`.
"""

from __future__ import annotations

import gc
import os
import pkgutil
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from .choice import Choice
from .effort import Effort, end_of, hang_limit, limit_examples, load_profile
from .forks import KILLED, SURVIVED, fairly, forked
from .functions import LoadedFunctions
from .inner_runs import MUTANT, reaching, serve_inner_runs, spent_s
from .results import note
from .sites import Function, Mutant, function_code, mutated
from .tests_of_lines import TestsOfLines


class Loop:
    """Replaces pytest's loop over the tests."""

    def __init__(self, root: Path, work: Path, mutants: Sequence[Mutant], tests: TestsOfLines, effort: Effort) -> None:
        self._root, self._work, self._mutants, self._tests, self._effort = root, work, mutants, tests, effort
        choice = Choice(root, tests)
        self._chosen = {one.name: choice.within(effort, one, mutated(root, one)[1]) for one in mutants}
        self._failed = False
        self._fit: dict[str, bool] = {}

    @property
    def files(self) -> list[str]:
        """The files of the chosen tests."""
        return sorted({name.partition("::")[0] for names in self._chosen.values() for name in names})

    def pytest_configure(self) -> None:
        """Draw the same examples for every mutant."""
        load_profile()

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Remember that a test of this process failed."""
        self._failed |= report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Judge every mutant of a function."""
        _load_all()
        self._items = {item.nodeid: item for item in session.items}
        gc.unfreeze()  # the tests' conftest freezes loaded objects, and gc does not list frozen ones
        self._functions = LoadedFunctions()
        limit_examples(session.items, self._effort.examples)
        os.environ.update(reaching())
        serve_inner_runs()
        gc.collect()
        gc.freeze()  # a forked process shares memory that it does not touch
        for mutant in self._mutants:
            note(self._work, mutant, *self._judge(mutant))
        return True

    def _judge(self, mutant: Mutant) -> tuple[str, str, str]:
        code, function = mutated(self._root, mutant)
        key = None if function is None else (str(self._root / mutant.path), *function)
        tests = [name for name in self._chosen[mutant.name] if name in self._items]
        if not tests or function is None or key not in self._functions:
            return "uncovered", self._effort.name, ""
        change = partial(self._forked, mutant, function_code(code, function))
        ended = fairly(tests, self._fit, self._killer, change)
        return ended, self._effort.name, self._killer.read_text("utf-8") if ended != "survived" else ""

    @property
    def _killer(self) -> Path:
        return self._work / f"killer-{os.getpid()}"

    def _forked(self, mutant: Mutant, code: CodeType, tests: Sequence[str], changed: bool) -> str:
        killer, longest = self._killer, max(self._tests.seconds[name] for name in tests)

        def run() -> int:
            if changed:
                os.environ[MUTANT] = mutant.name
                self._functions.put(code)
            return self._run(killer, tests)

        return forked(run, hang_limit(self._effort, longest))

    def _run(self, killer: Path, tests: Sequence[str]) -> int:
        end = end_of(self._effort)
        items = [self._items[name] for name in tests]
        for item, following in zip(items, [*items[1:], None], strict=True):
            killer.write_text(item.nodeid, "utf-8")
            item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
            if self._failed:
                return KILLED
            if spent_s() > end:
                break
        return SURVIVED


def is_function(root: Path, mutant: Mutant) -> bool:
    """Return True if a mutant changes a function's behaviour, not load-time code."""
    function: Function | None = mutated(root, mutant)[1]
    return function is not None


def _load_all() -> None:
    import pytest_planguard

    for module in pkgutil.walk_packages(pytest_planguard.__path__, "pytest_planguard."):
        try:
            import_module(module.name)
        except ImportError:  # an extra that is not installed
            continue
