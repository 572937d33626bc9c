"""Judge mutants of code that runs when a module is loaded, in a process that forks before it loads the package."""

from __future__ import annotations

import gc
import os
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest

from .choice import Choice, of_few_files
from .effort import Effort, hang_limit, plugin
from .forks import fairly, forked
from .inner_runs import MUTANT, reaching
from .results import note
from .sites import Mutant
from .tests_of_lines import TestsOfLines, arguments

_LOADED = ("hypothesis.strategies", "pydantic", "vcr", "yaml", "click.testing", "httpx", "requests", "jsonschema")
"""Third-party packages that the tests load anyway."""


LEAST_CPU_S = 6.0
"""The least seconds of tests for such a mutant: loading the package takes longer, and a table has many readers."""


class Apart:
    """Judges one mutant after another."""

    def __init__(self, root: Path, work: Path, tests: TestsOfLines, effort: Effort) -> None:
        self._root, self._work, self._tests = root, work, tests
        self._effort = replace(effort, cpu_s=max(effort.cpu_s, LEAST_CPU_S))
        self._choice = Choice(root, tests)
        self._fit: dict[str, bool] = {}
        for name in _LOADED:
            try:
                import_module(name)
            except ImportError:
                continue

    def judge(self, mutants: Sequence[Mutant]) -> None:
        """Judge mutants and record the results."""
        gc.collect()
        gc.freeze()  # a fork of a process with the lines of all tests would copy all of them
        for mutant in mutants:
            tests = of_few_files(self._choice.within(self._effort, mutant, None), self._effort.files)
            ended = fairly(tests, self._fit, self._killer, partial(self._forked, mutant)) if tests else "uncovered"
            killer = self._killer.read_text("utf-8") if ended in ("killed", "timeout") else ""
            note(self._work, mutant, ended, self._effort.name, killer)

    @property
    def _killer(self) -> Path:
        return self._work / f"killer-apart-{os.getpid()}"

    def _forked(self, mutant: Mutant, tests: Sequence[str], changed: bool) -> str:
        killer, longest = self._killer, max(self._tests.seconds[name] for name in tests)
        files = list(dict.fromkeys(name.partition("::")[0] for name in tests))
        asked = arguments(files)

        def run() -> int:
            os.chdir(self._root)
            os.environ.update(reaching())
            if changed:
                os.environ[MUTANT] = mutant.name
                import_module("tools.mutants.changed_module")
            return int(pytest.main(["-x", *asked], plugins=[plugin(self._effort, killer, tests)]))

        return forked(run, 10 + hang_limit(self._effort, longest))
