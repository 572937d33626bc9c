"""A command loads what its files need: most of the time that a small one takes is imports."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_planguard.retry.matching import praise
from pytest_planguard.retry.reading import comparison

from ...support.cassettes import BAD, GOOD, conversation, write, write_models

LISTED = """
import atexit, sys
sys.argv = ["planguard", *sys.argv[1:]]
atexit.register(lambda: print("LOADED", *sorted(sys.modules)))
from pytest_planguard.cli.main import main
main()
"""
PLAN = "# Tasks: All\n\n## Phase 1: All\n\n- [ ] T001 [US1] Write it in src/a.py\n"
ALWAYS = (
    *(
        "asyncio",
        "deepdiff",
        "hypothesis",
        "jinja2",
        "multiprocessing",
        "pytest",
        "rich",
        "sqlite3",
        "ssl",
        "syrupy",
        "vcr",
    ),
    *("configparser", "tomllib"),  # no file here has settings
    *(
        f"pytest_planguard.{name}"
        for name in ("pipeline", "plugin", "plan_search.loop", "contract.strength", "testing")
    ),
    *(
        f"pytest_planguard.{name}"
        for name in (
            "report.annotations",
            "report.ci_files",
            "report.diff_data",
            "runs.compare",
            "runs.gate",
            "runs.load.load",
            "runs.store.store",
            "replay.session",
        )
    ),
)
"""Packages that no plain check needs."""
READING = tuple(f"pytest_planguard.retry.{name}" for name in ("linking", "matching", "reading"))
CASES = {
    "retried.yaml -c models.py:Person": (0, ("markdown_it", "jsonschema_rs", "pytest_planguard.plans")),
    "answer.json": (3, ("pydantic", "markdown_it", "importlib.metadata", *READING)),
    "plan.md": (0, ("pydantic", "jsonschema_rs", "importlib.metadata", "pytest_planguard.wire", *READING)),
    "recording.yaml": (3, ("pydantic", "markdown_it", "jsonschema_rs", "importlib.metadata", "pytest_planguard.plans")),
    "answer.json -c models.py:Person": (
        0,
        ("yaml", "markdown_it", "jsonschema_rs", "pytest_planguard.plans", "pytest_planguard.retry.results", *READING),
    ),
}
"""What is checked, its exit code, and what that one does without, too. Formats of plans are described in YAML, and a
JSON file may be a log of any format."""


@pytest.mark.slow
@pytest.mark.parametrize("words", CASES)
def test_a_check_leaves_what_it_does_not_need(words: str, tmp_path: Path) -> None:
    """Of other kinds of files, of other commands, of the plugin."""
    write_models(tmp_path)
    (tmp_path / "answer.json").write_text(json.dumps(json.loads(GOOD), indent=1), encoding="utf-8")
    (tmp_path / "plan.md").write_text(PLAN, encoding="utf-8")
    write(tmp_path / "recording.yaml", conversation(GOOD))
    write(tmp_path / "retried.yaml", conversation(BAD, GOOD))
    code, unused = CASES[words]
    command = [sys.executable, "-c", LISTED, "check", *words.split()]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    loaded = done.stdout.rpartition("LOADED ")[2].split()
    assert "pytest_planguard.cli.check.judge_file" in loaded
    assert [name for name in loaded if f"{name}.".startswith(tuple(f"{other}." for other in (*ALWAYS, *unused)))] == []


@pytest.mark.slow
def test_large_patterns_are_made_with_the_first_feedback() -> None:
    """Two take as long to compile as a small file to be judged."""
    script = (
        "from pytest_planguard.retry.judging.judge import judge\n"
        "from pytest_planguard.retry.matching import praise\n"
        "from pytest_planguard.retry.reading import comparison\n"
        "print(comparison._words.cache_info().currsize, praise.complaint.cache_info().currsize)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == ["0", "0"]
    assert comparison.comparison_in("must be at least 5") is not None
    assert praise.complaint().search("it must not be empty")
