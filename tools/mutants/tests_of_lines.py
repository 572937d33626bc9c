"""Which tests run a line, and how long each takes: measured once, by coverage with a context for every test."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from hypothesis import settings

PARTS = (
    ("contract", "plans", "cli", "security", "corpus"),
    ("retry", "replay", "testing", "report/explain"),
)
"""Folders of tests that may notice a mutant, in the parts that are measured side by side."""
_TIMES = "PLANGUARD_MUTANTS_TIMES"


def pytest_configure() -> None:
    """Draw few examples, the same ones each time: they show which lines a property runs."""
    settings.register_profile("measured", deadline=None, derandomize=True, database=None, max_examples=10)
    settings.load_profile("measured")


def pytest_runtest_logreport(report: Any) -> None:
    """Keep what each test took: this module is a plugin of the measured run."""
    if report.when == "call" and report.passed:
        with Path(os.environ[_TIMES]).open("a", encoding="utf-8") as file:
            file.write(json.dumps([report.nodeid, report.duration]) + "\n")


def arguments(tests: Sequence[str], temp: Path) -> list[str]:
    """Return the arguments of pytest that run tests one after another, without what only makes them slow."""
    left_out = [word for name in ("cacheprovider", "xdist", "rerunfailures") for word in ("-p", f"no:{name}")]
    quiet = ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    options = ["-q", "-m", "not slow", "-o", "tmp_path_retention_policy=none", f"--basetemp={temp}", *quiet]
    return [*tests, *left_out, *options]


@dataclass(frozen=True)
class TestsOfLines:
    """The result of the measured run."""

    root: Path
    work: Path

    def measure(self) -> None:
        """Run all tests once under coverage, unless that was done."""
        if list(self.work.glob("coverage.*")):
            return
        self.work.mkdir(parents=True, exist_ok=True)
        (self.work / "coveragerc").write_text("[run]\nbranch = False\n", "utf-8")
        parts = [[f"tests/{folder}" for folder in part] for part in PARTS]
        started = [self._measured(str(number), tests) for number, tests in enumerate(parts)]
        for process in started:
            process.wait()

    def add(self, name: str, tests: Sequence[str]) -> None:
        """Measure tests that are new since."""
        self._measured(name, tests).wait()

    def _measured(self, name: str, tests: Sequence[str]) -> subprocess.Popen[bytes]:
        env = {
            **os.environ,
            _TIMES: str(self.work / f"times.{name}"),
            "COVERAGE_FILE": str(self.work / f"coverage.{name}"),
        }
        cov = [
            "--cov=pytest_planguard",
            "--cov-context=test",
            "--cov-report=",
            f"--cov-config={self.work / 'coveragerc'}",
            "-p",
            __name__,
        ]
        asked = [sys.executable, "-m", "pytest", *arguments(tests, self.work / f"temp.{name}"), *cov]
        return subprocess.Popen(asked, cwd=self.root, env=env)

    @cached_property
    def seconds(self) -> dict[str, float]:
        """Seconds of each test that passed and whose file is still there."""
        files = sorted(self.work.glob("times.*"))
        known = dict(json.loads(line) for file in files for line in file.read_text("utf-8").splitlines())
        there = {name for name in {test.partition("::")[0] for test in known} if (self.root / name).is_file()}
        return {test: seconds for test, seconds in known.items() if test.partition("::")[0] in there}

    def of_line(self, path: str, line: int) -> set[str]:
        """Return the tests that run a line."""
        return self._lines(path).get(line, set())

    def runs_at_load(self, path: str, line: int) -> bool:
        """Return whether a line runs while modules are loaded."""
        return any("" in data.contexts_by_lineno(self._place(path)).get(line, ()) for data in self._data)

    def of_file(self, path: str) -> set[str]:
        """Return the tests that run anything of a file."""
        return set().union(*self._lines(path).values())

    def _lines(self, path: str) -> dict[int, set[str]]:
        if path not in self._known:
            self._known[path] = defaultdict(set)
            for data in self._data:
                contexts = data.contexts_by_lineno(self._place(path))
                for line, names in contexts.items():
                    tests = {name.rpartition("|")[0] for name in names}
                    self._known[path][line] |= tests & self.seconds.keys()
        return self._known[path]

    def _place(self, path: str) -> str:
        return str((self.root / path).resolve())

    @cached_property
    def _known(self) -> dict[str, dict[int, set[str]]]:
        return {}

    @cached_property
    def _data(self) -> list[Any]:
        from coverage import CoverageData

        every = [CoverageData(str(file)) for file in sorted(self.work.glob("coverage.*"))]
        for data in every:
            data.read()
        return every
