"""Every benchmark runs. What it costs is told on a quiet machine; what it measures moves with the code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ..support.nightly import drawn
from ..support.paths import ROOT
from ..support.warm import inner_environment, run_module

FOLDER = ROOT / "benchmarks"
BENCHMARKS = sorted(path.stem for path in FOLDER.glob("bench_*.py"))
AS_MODULES = {"bench_page"}
"""Those that take parts of the tests: they are known by the name of their folder, too."""

pytestmark = pytest.mark.slow


def run(*words: str | Path) -> str:
    """Run Python in the root folder; what it prints."""
    done = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("name", drawn(BENCHMARKS, 3))
def test_a_benchmark_runs(name: str) -> None:
    """With the smallest sizes, to its last line; a third of them by day."""
    module = f"benchmarks.{name}" if name in AS_MODULES else name
    done = run_module([module, "--smoke"], ROOT, inner_environment(PYTHONPATH=f"{FOLDER}{os.pathsep}{ROOT}"))
    assert done.returncode == 0, (done.stdout + done.stderr).decode()
    assert done.stdout.strip()


def test_the_survey_of_plans_runs(tmp_path: Path) -> None:
    """Over a folder with one plan."""
    (tmp_path / "spec-kit").mkdir()
    (tmp_path / "spec-kit" / "tasks.md").write_text("# Tasks: A\n\n## Phase 1: A\n\n- [ ] T001 Write a in src/a.py\n")
    (tmp_path / "index.csv").write_text("format,file,repo,path\nspec-kit,tasks.md,org__name,tasks.md\n")
    assert run(FOLDER / "survey_plans.py", tmp_path, "1").startswith("| format | documents |")


def test_all_in_one_go_names_benchmarks() -> None:
    """Its scripts are there."""
    tables = run("-c", "import runpy; print(*[row[1] for row in runpy.run_path('benchmarks/run.py')['TABLES']])")
    assert {Path(script).stem for script in tables.split()} <= set(BENCHMARKS)
