"""Which tests run a line, and how long each takes: measured once, by coverage with a context for every test."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from hypothesis import settings

FOLDERS = ("contract", "retry", "replay", "plans")
"""Folders of tests: those of the packages that are changed."""
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


def command(work: Path) -> list[str]:
    """Return the command that runs the tests one after another, without what only makes them slow."""
    folders = [f"tests/{folder}" for folder in FOLDERS]
    plain = [
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "-p",
        "no:rerunfailures",
        "-m",
        "not slow",
        "-o",
        "tmp_path_retention_policy=none",
    ]
    return [sys.executable, "-m", "pytest", *folders, *plain, f"--basetemp={work / 'temp'}"]


@dataclass(frozen=True)
class TestsOfLines:
    """The result of the measured run."""

    root: Path
    work: Path

    def measure(self) -> None:
        """Run all tests once under coverage, unless that was done."""
        if (self.work / "coverage").is_file():
            return
        self.work.mkdir(parents=True, exist_ok=True)
        (self.work / "coveragerc").write_text("[run]\nbranch = False\n", "utf-8")
        env = {**os.environ, _TIMES: str(self.work / "times"), "COVERAGE_FILE": str(self.work / "coverage")}
        cov = [
            "--cov=pytest_planguard",
            "--cov-context=test",
            "--cov-report=",
            f"--cov-config={self.work / 'coveragerc'}",
            "-p",
            __name__,
        ]
        subprocess.run([*command(self.work), *cov], cwd=self.root, env=env, check=False)

    @cached_property
    def seconds(self) -> dict[str, float]:
        """Seconds of each test that passed."""
        lines = (self.work / "times").read_text("utf-8").splitlines()
        return dict(json.loads(line) for line in lines)

    def of_line(self, path: str, line: int) -> set[str]:
        """Return the tests that run a line."""
        return self._lines(path).get(line, set())

    def of_file(self, path: str) -> set[str]:
        """Return the tests that run anything of a file."""
        return set().union(*self._lines(path).values())

    def _lines(self, path: str) -> dict[int, set[str]]:
        if path not in self._known:
            contexts = self._data.contexts_by_lineno(str((self.root / path).resolve()))
            tests = {line: {name.rpartition("|")[0] for name in names} for line, names in contexts.items()}
            self._known[path] = defaultdict(set, {n: names & self.seconds.keys() for n, names in tests.items()})
        return self._known[path]

    @cached_property
    def _known(self) -> dict[str, dict[int, set[str]]]:
        return {}

    @cached_property
    def _data(self) -> Any:
        from coverage import Coverage

        coverage = Coverage(data_file=str(self.work / "coverage"), config_file=False)
        coverage.load()
        return coverage.get_data()
