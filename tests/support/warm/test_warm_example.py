"""A warm run behaves like a cold one: it has a process, and leaves nothing for the next run."""

import subprocess
from pathlib import Path

import pytest

from pytest_planguard.testing.example import Example

from . import WarmExample

TESTS = """
import os
import sys
import warnings

def test_of_its_own(request):
    assert os.environ.get("LEFT") is None
    os.environ["LEFT"] = "set"
    assert sys.path[0] == os.getcwd() == str(request.config.rootpath)
    assert not hasattr(os, "LEFT")
    os.LEFT = True

def test_fails():
    warnings.warn("told")
    assert os.environ["GIVEN"] == 0
"""


@pytest.mark.slow
def test_a_warm_run_is_what_a_cold_one_is() -> None:
    """Exit code, counts, files, folder and environment, twice in a row."""
    files = {"test_a.py": TESTS, "conftest.py": "def pytest_unconfigure(): open('left.txt', 'w').write('x')\n"}
    cold = Example(files).run_pytest("-rP", env={"GIVEN": "1"})
    for _ in range(2):
        warm = WarmExample(files).run_pytest("-rP", env={"GIVEN": "1"})
        assert (warm.returncode, warm.outcomes) == (cold.returncode, cold.outcomes), warm.output
        assert dict(warm.example.files) == dict(cold.example.files)
        assert [line for line in warm.stdout.splitlines() if line.startswith("E  ")] == [
            line for line in cold.stdout.splitlines() if line.startswith("E  ")
        ]
        assert isinstance(warm.example, WarmExample)
    assert cold.outcomes == {"passed": 1, "failed": 1, "warning": 1}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ending", "code"),
    [("os._exit(7)", 7), ("os.kill(os.getpid(), 9)", -9), ("raise SystemExit('told')", 1)],
)
def test_a_run_that_ends_by_itself_has_its_own_exit_code(ending: str, code: int) -> None:
    """The exit code is the run's, however it ends, and the next run still starts."""
    run = WarmExample({"conftest.py": f"import os\n{ending}\n"}).run_pytest()
    assert run.returncode == code, run.output
    assert WarmExample({"test_a.py": "def test_a(): pass\n"}).run_pytest().outcomes == {"passed": 1}


def test_a_run_that_takes_too_long_is_killed() -> None:
    """The error is that of `subprocess.run`, and the next run still starts."""
    slow = WarmExample({"test_a.py": "import time\ndef test_a(): time.sleep(60)\n"})
    with pytest.raises(subprocess.TimeoutExpired):
        slow.run_pytest(timeout_s=0.3)
    assert slow.replaced("time.sleep(60)", "pass").run_pytest().outcomes == {"passed": 1}


def test_modules_on_the_path_are_found(tmp_path: Path) -> None:
    """They are found as by a new interpreter, and a run without the variable finds none."""
    (tmp_path / "beside_it.py").write_text("HERE = True\n")
    imports = WarmExample({"test_a.py": "def test_a(): import beside_it\n"})
    assert imports.run_pytest(env={"PYTHONPATH": str(tmp_path)}).outcomes == {"passed": 1}
    assert imports.run_pytest().outcomes == {"failed": 1}


@pytest.mark.slow
def test_what_python_reads_at_its_start_starts_cold() -> None:
    """A fork would not see such a setting."""
    shows = WarmExample({"test_a.py": "import sys\ndef test_a(): assert sys.flags.optimize == 1\n"})
    run = shows.run_pytest("--assert=plain", env={"PYTHONOPTIMIZE": "1"})
    assert run.outcomes.get("warning", 0) + run.outcomes["passed"] == 2, run.output
