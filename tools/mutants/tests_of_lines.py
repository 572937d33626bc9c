"""The tests that run each line, and their durations: measured by coverage with a context for every test.

A test file is measured again after it or its data has changed.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from hypothesis import settings

from .inner_runs import reaching

PARTS = (
    ("contract", "plans", "plan_search", "pipeline", "cli", "security", "report", "document", "wire"),
    ("retry", "replay", "runs", "testing", "plugin", "integration"),
)
"""Folders of tests that may notice a mutant, in two parts that are measured side by side."""
_DATA = frozenset({".txt", ".tsv", ".md", ".json", ".yaml"})
_TIMES, _LINES = "MUTANTS_TIMES", "MUTANTS_LINES"
_KEPT = {**os.environ}
"""The environment at the start: a test may change it."""
_SET_UP_S: dict[str, float] = {}
"""The longest set-up of a test of each file: whichever test of the file runs first pays for what they share."""


def pytest_configure() -> None:
    """Draw a few fixed examples: they show which lines a property runs."""
    os.environ.update(reaching())
    settings.register_profile("measured", deadline=None, derandomize=True, database=None, max_examples=10)
    settings.load_profile("measured")


def pytest_runtest_logstart(nodeid: str) -> None:
    """Have the processes that a test starts warm record their lines for it."""
    os.environ["MUTANTS_TEST"] = nodeid


def pytest_runtest_logreport(report: Any) -> None:
    """Record the duration of each test: this module is a plugin of the measured run."""
    own = report.nodeid.partition("::")[0]
    if report.when == "setup":
        _SET_UP_S[own] = max(_SET_UP_S.get(own, 0.0), report.duration)
    if report.when == "call" and report.passed:
        seconds = report.duration + _SET_UP_S.get(own, 0.0)
        with Path(_KEPT[_TIMES]).open("a", encoding="utf-8") as file:
            file.write(json.dumps([report.nodeid, seconds]) + "\n")


def arguments(tests: Sequence[str]) -> list[str]:
    """Return pytest arguments that run tests one after another, without plugins that only slow them down."""
    temp = tempfile.mkdtemp(prefix="mutants-")  # outside the checkout: some tests need a folder outside a repository
    left_out = [word for name in ("cacheprovider", "xdist", "rerunfailures") for word in ("-p", f"no:{name}")]
    quiet = ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    options = ["-q", "-o", "tmp_path_retention_policy=none", f"--basetemp={temp}/tests", *quiet]
    return [*tests, *left_out, *options]


def with_data(file: Path) -> list[Path]:
    """Return a test file, and the data below its folder: "test_words.py", "pinned/rules.tsv"."""
    return [file, *sorted(one for one in file.parent.rglob("*") if one.suffix in _DATA)]


def digests(root: Path, folders: Iterable[str]) -> dict[str, str]:
    """Return a digest of each test file below some folders, by relative path, including its data."""
    files = [file for folder in folders for file in sorted((root / folder).rglob("test_*.py"))]
    return {file.relative_to(root).as_posix(): _digest(with_data(file)) for file in files}


def _digest(files: Iterable[Path]) -> str:
    whole = hashlib.sha256()
    for file in files:
        whole.update(hashlib.sha256(file.read_bytes()).digest())
    return whole.hexdigest()


@dataclass(frozen=True)
class TestsOfLines:
    """The result of the measured run."""

    root: Path
    work: Path

    def measure(self) -> None:
        """Measure new and changed test files under coverage: all tests at first."""
        self.work.mkdir(parents=True, exist_ok=True)
        with self._alone():
            # Relative paths, so that a measurement can be copied to another checkout.
            (self.work / "coveragerc").write_text("[run]\nbranch = False\nrelative_files = True\n", "utf-8")
            now = self.now()  # a file that changes during the measurement is due again
            for process in [self._measured(name, tests) for name, tests in self._parts(self.due())]:
                process.wait()
            self.keep(now)

    def due(self) -> list[str]:
        """Return the test files that have not been measured in their current state, with their data."""
        before = json.loads(self._digests.read_text("utf-8")) if self._digests.is_file() else {}
        return [file for file, digest in self.now().items() if before.get(file) != digest]

    def keep(self, measured: dict[str, str]) -> None:
        """Record the digests of the test files at the time of measurement."""
        self._digests.write_text(json.dumps(measured), "utf-8")

    def now(self) -> dict[str, str]:
        """Return the current digest of each test file, including its data."""
        return digests(self.root, [f"tests/{folder}" for part in PARTS for folder in part])

    @property
    def _digests(self) -> Path:
        return self.work / "digests.json"

    def _parts(self, due: Sequence[str]) -> list[tuple[str, list[str]]]:
        """Return names and tests of runs that measure side by side: all tests at first."""
        done = len(list(self.work.glob("coverage.*")))
        if not done:
            return [(str(number), [f"tests/{folder}" for folder in part]) for number, part in enumerate(PARTS)]
        return [(str(done), list(due))] if due else []

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Let one of several processes with the same sample measure while the others wait."""
        with (self.work / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _measured(self, name: str, tests: Sequence[str]) -> subprocess.Popen[bytes]:
        times, lines, data = (str(self.work / f"{kind}.{name}") for kind in ("times", "lines", "coverage"))
        env = {**os.environ, _TIMES: times, _LINES: lines, "COVERAGE_FILE": data}
        config = f"--cov-config={self.work / 'coveragerc'}"
        cov = ["--cov=pytest_planguard", "--cov-context=test", "--cov-report=", config, "-p", __name__]
        asked = [sys.executable, "-m", "pytest", *arguments(tests), *cov]
        return subprocess.Popen(asked, cwd=self.root, env=env)

    @cached_property
    def seconds(self) -> dict[str, float]:
        """Seconds of each passed test whose file still exists."""
        files = sorted(self.work.glob("times.*"))
        known = dict(json.loads(line) for file in files for line in file.read_text("utf-8").splitlines())
        there = {name for name in {test.partition("::")[0] for test in known} if (self.root / name).is_file()}
        return {test: seconds for test, seconds in known.items() if test.partition("::")[0] in there}

    def of_line(self, path: str, line: int) -> set[str]:
        """Return the tests that run a line."""
        return self.of_lines(path).get(line, set())

    def runs_at_load(self, path: str, line: int) -> bool:
        """Return True if a line runs while modules are loaded."""
        return any("" in data.contexts_by_lineno(path).get(line, ()) for data in self._data)

    def of_file(self, path: str) -> set[str]:
        """Return the tests that run any line of a file."""
        return set().union(*self.of_lines(path).values())

    def of_lines(self, path: str) -> dict[int, set[str]]:
        """Return the tests that run each line of a file."""
        if path not in self._known:
            self._known[path] = defaultdict(set)
            for data in self._data:
                for line, names in data.contexts_by_lineno(path).items():
                    tests = {name.rpartition("|")[0] for name in names}
                    self._known[path][line] |= tests & self.seconds.keys()
            for line, tests in self._inner.get(path, {}).items():
                self._known[path][line] |= tests & self.seconds.keys()
        return self._known[path]

    @cached_property
    def _known(self) -> dict[str, dict[int, set[str]]]:
        return {}

    @cached_property
    def _inner(self) -> dict[str, dict[int, set[str]]]:
        """The tests whose inner runs run each line, by file."""
        found: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
        for file in sorted(self.work.glob("lines.*")):
            for test, ran in map(json.loads, file.read_text("utf-8").splitlines()):
                for path, numbers in ran.items():
                    for number in numbers:
                        found[path][number].add(test)
        return found

    @cached_property
    def _data(self) -> list[Any]:
        from coverage import CoverageData

        every = [CoverageData(str(file)) for file in sorted(self.work.glob("coverage.*"))]
        for data in every:
            data.read()
        return every
