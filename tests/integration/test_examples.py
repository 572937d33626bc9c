"""The examples of the documentation: recorded with a real model, replayed here without one."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OUTCOMES = ("converged", "stuck", "exhausted", "false_convergence", "stopped")


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command in the checkout."""
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=300, check=False
    )


@pytest.fixture(scope="module")
def demo() -> subprocess.CompletedProcess[str]:
    """The demo, run once."""
    return run("-m", "examples.demo")


def test_the_demo_comes_out_as_told(demo: subprocess.CompletedProcess[str]) -> None:
    """Every conversation has the outcome that its story tells, and the example suite is green."""
    assert demo.returncode == 0, demo.stdout + demo.stderr
    assert "not as told" not in demo.stdout
    assert demo.stderr == ""


def test_the_demo_shows_every_outcome(demo: subprocess.CompletedProcess[str]) -> None:
    """The table names each way in which a conversation can end."""
    table = demo.stdout.partition("All of them:")[2]
    assert [outcome for outcome in OUTCOMES if outcome not in table] == []


def test_each_bad_outcome_fails_without_its_mark() -> None:
    """The marks hide nothing: with expected failures switched off, exactly the bad ones fail."""
    done = run("-m", "pytest", "examples", "-q", "--runxfail", "-p", "no:cacheprovider")
    assert done.returncode == 1, done.stdout
    failed = sorted(line.split("::")[1].split()[0] for line in done.stdout.splitlines() if line.startswith("FAILED "))
    assert failed == [
        "test_converges_falsely",
        "test_forgets_the_feedback",
        "test_is_exhausted",
        "test_is_stuck",
        "test_is_truncated",
    ]
