"""The examples of the documentation: recorded with a real model, replayed here without one."""

import shutil
import subprocess

import pytest

from ..support.paths import ROOT
from ..support.warm import inner_environment, run_module

OUTCOMES = ("converged", "stuck", "no_progress", "exhausted", "false_convergence", "stopped")


@pytest.fixture(scope="module")
def demo() -> subprocess.CompletedProcess[str]:
    """The demo, run once."""
    done = run_module(["examples.demo"], ROOT, inner_environment(PYTEST_ADDOPTS="-p planguard"))
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def run_pytest(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run tests in the checkout."""
    words = ["pytest", *arguments, "-q", "-p", "planguard", "-p", "no:cacheprovider"]
    return run_module(words, ROOT, inner_environment())


def test_the_demo_comes_out_as_told(demo: subprocess.CompletedProcess[str]) -> None:
    """Every conversation has the outcome that its description promises, and the example suite is green."""
    assert demo.returncode == 0, demo.stdout + demo.stderr
    assert "not as told" not in demo.stdout
    assert demo.stderr == ""


def test_the_demo_shows_every_outcome(demo: subprocess.CompletedProcess[str]) -> None:
    """The table names every way in which a conversation can end."""
    table = demo.stdout.partition("All of them:")[2]
    assert [outcome for outcome in OUTCOMES if outcome not in table] == []


def test_the_bug_fails_without_its_mark() -> None:
    """With expected failures switched off, the forgetful app fails, and the missing findings are named.

    It is the only one that has the mark: the demo runs the other files, with the same outcomes.
    """
    marked = [path for path in (ROOT / "examples").rglob("test_*.py") if "xfail" in path.read_text(encoding="utf-8")]
    assert marked == [ROOT / "examples" / "test_forgetful.py"]
    done = run_pytest(*map(str, marked), "--runxfail")
    shown = done.stdout.decode()
    assert done.returncode == 1, shown
    failed = [line for line in shown.splitlines() if line.startswith("FAILED ")]
    assert len(failed) == 1
    assert "test_forgets_the_feedback" in failed[0]
    assert "MISSING" in shown


BAD = ("test_converges_falsely", "test_is_truncated", "test_is_stuck", "test_makes_no_progress", "test_is_exhausted")


@pytest.fixture(scope="module")
def undeclared(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the output for bad outcomes when no test declares one with `expect`."""
    copy = tmp_path_factory.mktemp("undeclared") / "examples"
    shutil.copytree(ROOT / "examples", copy, ignore=shutil.ignore_patterns("__pycache__"))
    for file in copy.glob("test_*.py"):
        lines = [line for line in file.read_text().splitlines() if "planguard.judge(expect=" not in line]
        file.write_text("\n".join(lines))
    return run_pytest(str(copy), "-k", " or ".join(BAD)).stdout.decode()


@pytest.mark.parametrize("test", BAD)
def test_a_bad_outcome_fails_unless_it_is_expected(test: str, undeclared: str) -> None:
    """Without its `expect` line, a test of the examples fails, and no other test is affected."""
    failed = [line.split()[1].partition("::")[2] for line in undeclared.splitlines() if line.startswith("FAILED ")]
    assert failed.count(test) == 1, undeclared
    assert len(failed) == len(BAD), undeclared


def test_cases_with_expected_values_say_what_is_wrong() -> None:
    """The existing suite gains one file and one argument, keeps its recordings, and counts each field."""
    done = run_pytest("examples/extraction", "--planguard-fail-under=0.9")
    shown = done.stdout.decode()
    assert done.returncode == 1, shown
    assert "expected values: score 0.811 over 6 cases, at least 0.9 is needed\n" in shown
    assert "  urgency          2 of 6       0.33    0.33\n" in shown
    assert "  urgency  low       high           4\n" in shown
