"""A pytest plugin that collects the tests once, and forks for each mutant: a changed function, and the tests of it.

A mutant of what runs when a module is loaded cannot be put into loaded modules; it gets a process of its own.
"""

from __future__ import annotations

import gc
import json
import os
import pkgutil
import resource
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NoReturn

import pytest
from hypothesis import settings

from .sample import draw
from .sites import Function, Mutant, function_code, mutated
from .tests_of_lines import TestsOfLines, command

ROOT = Path(__file__).parent.parent.parent
BUDGET_S = 15.0
"""Seconds of tests for one mutant, the nearest first. A mutant that outlives them counts as alive."""
FEW = 10
"""Tests of a line below which all tests of its file are run."""
KILLED, SURVIVED, BROKEN = 1, 0, 3


class Mutants:
    """Takes the place of pytest's loop over the tests."""

    def __init__(self, work: Path, mutants: Sequence[Mutant], tests: TestsOfLines) -> None:
        self._work, self._mutants, self._tests = work, mutants, tests
        self._failed = False
        self._fit: dict[str, bool] = {}
        """Whether a test that killed a mutant passes without any change, in a forked process as well."""

    def pytest_configure(self) -> None:
        """Draw the same examples for every mutant."""
        settings.register_profile("mutants", deadline=None, derandomize=True, database=None)
        settings.load_profile("mutants")

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Remember that a test of this process failed."""
        self._failed |= report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Judge every mutant that has no result yet."""
        _load_all()
        self._items = {item.nodeid: item for item in session.items}
        self._functions = _functions()
        done = {line["mutant"] for line in results(self._work)}
        # Those that need a process of their own come last: each takes as long as twenty others.
        pending = [mutant for mutant in self._mutants if mutant.name not in done]
        for mutant in sorted(pending, key=lambda mutant: mutated(ROOT, mutant)[1] is None):
            self._note(mutant, *self._judge(mutant))
        return True

    def _judge(self, mutant: Mutant) -> tuple[str, int]:
        code, function = mutated(ROOT, mutant)
        tests = self._chosen(mutant, function)
        if not tests:
            return "uncovered", 0
        key = None if function is None else (str(ROOT / mutant.path), *function)
        if function is not None and key in self._functions:
            new = function_code(code, function)
            ended = self._fairly(tests, self._functions[key], new)
        else:
            ended = self._apart(mutant, tests)
        return ended, len(tests)

    def _fairly(self, tests: Sequence[str], functions: Sequence[FunctionType], code: CodeType) -> str:
        """Return how a mutant ended; a test that fails without it as well kills nothing."""
        while True:
            fit = [name for name in tests if self._fit.get(name, True)]
            ended = self._forked(lambda: self._run(fit, functions, code), fit)  # noqa: B023 - called at once
            killer = self._killer.read_text("utf-8") if ended == "killed" else ""
            if killer and killer not in self._fit:
                self._fit[killer] = self._forked(lambda: self._run([killer]), [killer]) == "survived"  # noqa: B023
            if self._fit.get(killer, True):
                return ended

    @property
    def _killer(self) -> Path:
        return self._work / "killer"

    def _chosen(self, mutant: Mutant, function: Function | None) -> list[str]:
        """Return the tests of a mutant, those of its own folder first, then the quick ones, as far as the time goes."""
        every = self._tests.of_file if function is None else None
        names = every(mutant.path) if every else self._tests.of_line(mutant.path, mutant.line)
        if function is not None and not names:  # a line within a statement of several: coverage tells the first
            names = self._near(mutant.path, mutant.line, function)
        if len(names) < FEW:  # what is cached runs in the first test that needs it, and is no test of its own
            names = names | self._tests.of_file(mutant.path)
        seconds = self._tests.seconds
        own = "tests" + str(Path(mutant.path).parent).removeprefix("pytest_planguard")
        fit = [name for name in names if name in self._items]
        ordered = sorted(fit, key=lambda name: (not name.startswith(own), round(seconds[name], 2), name))
        spent, chosen = 0.0, []
        for name in ordered:
            spent += seconds[name]
            if chosen and spent > BUDGET_S:
                break
            chosen.append(name)
        return chosen

    def _near(self, path: str, line: int, function: Function) -> set[str]:
        for before in range(line - 1, function[1], -1):
            if names := self._tests.of_line(path, before):
                return names
        return set()

    def _run(self, tests: Sequence[str], functions: Sequence[FunctionType] = (), code: CodeType | None = None) -> int:
        for function in functions:
            function.__code__ = code or function.__code__
        items = [self._items[name] for name in tests]
        for item, following in zip(items, [*items[1:], None], strict=True):
            item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
            if self._failed:
                self._killer.write_text(item.nodeid, "utf-8")
                return KILLED
        return SURVIVED

    def _forked(self, work: Callable[[], int], tests: Sequence[str]) -> str:
        expected = sum(self._tests.seconds[name] for name in tests)
        self._killer.write_text("", "utf-8")
        pid = os.fork()
        if not pid:
            _end(work, cpu=int(10 + 5 * expected))
        return _word(_waited(pid, 300 + 20 * expected))

    def _apart(self, mutant: Mutant, tests: Sequence[str]) -> str:
        plain = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:rerunfailures"]
        asked = [sys.executable, "-m", "pytest", *plain, "-p", "tools.mutants.changed_module", *tests]
        env = {**os.environ, "PLANGUARD_MUTANT": mutant.name, "PYTHONDONTWRITEBYTECODE": "1"}
        expected = sum(self._tests.seconds[name] for name in tests)
        try:
            ended = subprocess.run(asked, cwd=ROOT, env=env, capture_output=True, timeout=300 + 20 * expected)
        except subprocess.TimeoutExpired:
            return "timeout"
        return "survived" if ended.returncode == 0 else "killed"

    def _note(self, mutant: Mutant, ended: str, tests: int) -> None:
        line = {"mutant": mutant.name, "line": mutant.line, "what": mutant.what, "result": ended, "tests": tests}
        with (self._work / "results.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def results(work: Path) -> Iterator[dict[str, Any]]:
    """Yield what is known of each mutant so far."""
    file = work / "results.jsonl"
    if file.is_file():
        yield from map(json.loads, file.read_text("utf-8").splitlines())


def score(work: Path) -> str:
    """Return the score of each package, and a line for each mutant that lives."""
    every = list(results(work))
    lines = []
    for package in ("contract", "retry", "replay", "plans"):
        own = [one for one in every if one["mutant"].split("/")[1] == package]
        dead = sum(one["result"] in ("killed", "timeout") for one in own)
        lines.append(f"{package}: {dead} of {len(own)} killed ({100 * dead / max(len(own), 1):.1f} %)")
    alive = [one for one in every if one["result"] in ("survived", "uncovered")]
    lines += [f"{one['mutant']} line {one['line']}: {one['what']} ({one['result']})" for one in alive]
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    """Draw, measure, judge and print: `python -m tools.mutants.loop SEED [MUTANTS OF EACH PACKAGE]`."""
    seed, each = int(arguments[0]), int(arguments[1]) if len(arguments) > 1 else 150
    work = ROOT / ".mutants" / f"{seed}"
    tests = TestsOfLines(ROOT, work)
    tests.measure()
    sample = draw(ROOT, seed, each)
    (work / "sample").write_text("\n".join(f"{m.name} {m.line} {m.what}" for m in sample), "utf-8")
    pytest.main(
        [*command(work)[3:], "-s", "-W", "ignore::pytest.PytestAssertRewriteWarning"],
        plugins=[Mutants(work, sample, tests)],
    )
    print(f"seed {seed}\n{score(work)}")
    return 0


def _load_all() -> None:
    import pytest_planguard

    for module in pkgutil.walk_packages(pytest_planguard.__path__, "pytest_planguard."):
        try:
            import_module(module.name)
        except ImportError:  # an extra that is not installed
            continue


def _functions() -> dict[tuple[str, str, int], list[FunctionType]]:
    """Return every loaded function of ours by file, name and first line."""
    loaded: dict[tuple[str, str, int], list[FunctionType]] = defaultdict(list)
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and "pytest_planguard" in one.__code__.co_filename:
            code = one.__code__
            loaded[code.co_filename, code.co_qualname, code.co_firstlineno].append(one)
    return loaded


def _end(work: Callable[[], int], cpu: int) -> NoReturn:
    """Run in the forked process, quietly, and leave it."""
    code = BROKEN
    try:
        silent = os.open(os.devnull, os.O_RDWR)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        used = int(time.process_time())
        resource.setrlimit(resource.RLIMIT_CPU, (used + cpu, used + cpu + 5))
        code = work()
    finally:
        os._exit(code)


def _waited(pid: int, limit: float) -> int:
    start = time.monotonic()
    while time.monotonic() - start < limit:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return -signal.SIGKILL


def _word(code: int) -> str:
    if code < 0:
        return "timeout"
    return {SURVIVED: "survived", KILLED: "killed"}.get(code, "killed")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
