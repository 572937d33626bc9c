"""What keeping the run costs a session of 1,000 cases: python benchmarks/bench_records.py [ROUNDS].

A session runs in a process of its own, with a clock around everything that makes and keeps its record: the row of each
test, the journal, the last run, a run by name. The share is of the CPU time of that same process: a machine whose speed
drifts slows both. Two sessions: answers that are checked one by one, and driven conversations of two attempts.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from smoke import byte_code, size

CASES = size(1_000, 4)
WARM = size(1, 0)
"""Rounds that do not count: the first one warms the byte code."""
WANTED = 10.0
"""Percent of a session's CPU time that its record may take."""
CLOCK = """
import atexit, time

SPENT = {}

def timed(owner, name, label):
    inner = getattr(owner, name)

    def outer(*args, **kwargs):
        start = time.process_time()
        try:
            return inner(*args, **kwargs)
        finally:
            SPENT[label] = SPENT.get(label, 0.0) + time.process_time() - start

    setattr(owner, name, outer)

def pytest_configure(config):
    from pytest_planguard.plugin.results import reporting, results

    timed(reporting, "case_row", "rows")
    timed(reporting, "row_text", "rows")
    timed(results.Results, "__init__", "keeping")
    timed(results.Results, "add", "keeping")
    timed(results.Results, "finish", "keeping")

def pytest_unconfigure(config):
    print("SPENT", SPENT.get("rows", 0.0), SPENT.get("keeping", 0.0), time.process_time())
"""
HEAD = """
import json
import pytest
from pydantic import BaseModel, Field
from pytest_planguard import Contract

class Ticket(BaseModel):
    title: str = Field(min_length=3)
    steps: list[str] = Field(min_length=2)

TICKET = Contract(Ticket)

def answer(number, steps=2):
    return json.dumps({"title": f"Ticket {number}", "steps": [f"mend {n} of {number}" for n in range(steps)]})
"""
CHECKED = f"""
@pytest.mark.planguard(TICKET)
@pytest.mark.parametrize("number", range({CASES}))
def test_answer(planguard, number):
    assert planguard.check(answer(number))
"""
DRIVEN = f"""
@pytest.mark.planguard(TICKET)
@pytest.mark.parametrize("number", range({CASES}))
def test_answer(planguard, number):
    answers = iter([answer(number, 1), answer(number)])
    assert planguard.converge(lambda messages: next(answers), "a ticket")
"""


def main(rounds: int) -> None:
    """Print the table."""
    print(f"session of {CASES:,} cases, kept as last and by name     rows   keeping   together (of the session's CPU)")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, test in (("checked", CHECKED), ("driven, two attempts", DRIVEN)):
            project = root / name.partition(",")[0]
            project.mkdir()
            (project / "conftest.py").write_text(CLOCK, encoding="utf-8")
            (project / "test_it.py").write_text(HEAD + test, encoding="utf-8")
            _row(name, [_shares(root, project) for _ in range(rounds + WARM)][WARM:])


def _row(name: str, shares: list[tuple[float, float]]) -> None:
    rows, keeping = (statistics.median(side) for side in zip(*shares, strict=True))
    both = statistics.median(map(sum, shares))
    print(f"{name:<50} {rows:>6.1f} % {keeping:>7.1f} % {both:>8.1f} %   (at most {WANTED:.0f} %)")


def _shares(root: Path, project: Path) -> tuple[float, float]:
    """Percent of the session's CPU time that rows, and keeping them, took."""
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **byte_code(root)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    options = ["-q", "-p", "no:cacheprovider", "-p", "pytest_planguard.plugin", "--planguard-save=bench"]
    command = [sys.executable, "-m", "pytest", f"--rootdir={project}", *options, str(project)]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    rows, keeping, total = (float(word) for word in done.stdout.rpartition("SPENT ")[2].split()[:3])
    if not (rows and keeping):
        raise SystemExit("got no time for rows, or none for keeping them: their functions have other names now")
    return 100 * rows / total, 100 * keeping / total


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else size(5, 1))
