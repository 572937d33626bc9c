"""No row is missing or mixed, whatever happens to a session; what cannot be kept is told once, in words."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pytest_planguard.runs.store.run_file import read_record
from pytest_planguard.runs.store.store import Store
from pytest_planguard.testing.example import Example

from ...support.warm import inner_environment, run_module
from ..projects import header, project, row_lines

TESTS = """
import os, time

@pytest.mark.planguard(TICKET)
@pytest.mark.parametrize("number", range(8))
def test_numbered(planguard, number):
    if os.environ.get("SLOW"):
        time.sleep(float(os.environ["SLOW"]) if number else 0)
    if number == int(os.environ.get("KILL", -1)):
        os._exit(1)
    planguard.check(BAD if number in (2, 5) else GOOD)
"""
SHUFFLE = """
import random

def pytest_collection_modifyitems(items):
    random.Random(7).shuffle(items)
"""
SAVE = "--planguard-save=main"


@pytest.fixture(scope="module")
def alone() -> Example:
    """The project after a plain run."""
    return project(TESTS).run_pytest("-q", SAVE).example


def test_order_and_workers_change_no_row(alone: Example) -> None:
    """A shuffled order, dealt out to two workers that steal from each other: the same lines, byte for byte."""
    shuffled = alone.with_files({"conftest.py": SHUFFLE})
    run = shuffled.run_pytest("-q", "-n", "2", "--dist=worksteal", plugins=("planguard", "xdist"))
    assert row_lines(run.example) == row_lines(alone), run.output
    assert header(run.example)["run"] != header(alone)["run"]


def test_a_part_of_the_tests_is_a_run_of_that_part(tmp_path: Path, alone: Example) -> None:
    """-x keeps what ran until then, of the last failures what failed; what was saved by name is left alone."""
    alone.write(tmp_path)
    for args, expected in (((), range(8)), (("--lf",), (2, 5)), (("-x", "-p", "no:cacheprovider"), (0, 1, 2))):
        done = run_module(["pytest", "-q", "-p", "planguard", *args], tmp_path, inner_environment())
        kept = [row.test for row in Store(tmp_path).load("last").rows]
        assert kept == [f"test_app.py::test_numbered[{number}]" for number in expected], done.stdout
    assert len(Store(tmp_path).load("main").rows) == 8


def test_a_killed_worker_loses_its_unfinished_test_only(alone: Example) -> None:
    """All others have the rows of a run in which nobody was killed."""
    run = alone.run_pytest("-q", "-n", "2", env={"KILL": "3"}, plugins=("planguard", "xdist"))
    expected = [line for line in row_lines(alone) if "[3]" not in json.loads(line)["test"]]
    assert row_lines(run.example) == expected


def started(folder: Path, *args: str, **env: str) -> subprocess.Popen[str]:
    """A session in a folder, running."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "PLANGUARD_")) and k != "CI"}
    command = [sys.executable, "-m", "pytest", "-q", f"--rootdir={folder}", "-p", "planguard", *args]
    return subprocess.Popen(
        command,
        cwd=folder,
        env={**environment, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def test_two_sessions_at_once_do_not_mix(tmp_path: Path, alone: Example) -> None:
    """Each is kept whole under its name, and the last run is one of them, whole."""
    alone.without(".planguard/last.jsonl", ".planguard/runs/main.jsonl").write(tmp_path)
    sessions = [started(tmp_path, f"--planguard-save={name}", SLOW="0.05") for name in ("one", "two")]
    for session in sessions:
        said, _ = session.communicate(timeout=60)
        assert session.returncode == 1, said
    store = Store(tmp_path)
    assert store.names() == ("last", "one", "two")
    expected = [row.key for row in store.load("one").rows]
    assert len(expected) == 8
    assert all([row.key for row in store.load(name).rows] == expected for name in store.names())
    assert store.load("last").header.run in {store.load(name).header.run for name in ("one", "two")}


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_a_killed_session_leaves_what_it_had_and_the_run_before(tmp_path: Path, alone: Example) -> None:
    """After kill -9 the last run is the one before, and the finished tests are a run that says so in its name."""
    alone.write(tmp_path)
    session = started(tmp_path, SLOW="30")
    deadline = time.monotonic() + 60
    while not (left := list((tmp_path / ".planguard" / "runs").glob("unfinished-*"))) or _lines(left[0]) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    session.send_signal(signal.SIGKILL)
    session.communicate()
    store = Store(tmp_path)
    assert [row.test for row in read_record(left[0]).rows] == ["test_app.py::test_numbered[0]"]
    assert left[0].stem in store.names()
    assert len(store.load("last").rows) == 8


def _lines(path: Path) -> int:
    return path.read_text(encoding="ascii").count("\n")


def on_a_disk(mount: str, folder: Path, *args: str) -> tuple[int, list[str]]:
    """Exit code and output of a session in a folder whose `.planguard` is mounted so, in a namespace of its own."""
    command = " ".join(["exec", sys.executable, "-m", "pytest", "-q", f"--rootdir={folder}", "-p", "planguard", *args])
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", f"{mount} && {command}"],
        cwd=folder,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    if "unshare" in done.stderr or "mount" in done.stderr:
        pytest.skip("needs the right to mount a small file system in a namespace of its own")
    return done.returncode, done.stdout.splitlines()


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux namespaces")
@pytest.mark.parametrize(
    ("mount", "said"),
    [
        ("mount -t tmpfs -o size=4k tmpfs {0}", "No space left on device. Free some space, or write to another disk."),
        ("mount --bind {0} {0} && mount -o remount,bind,ro {0}", "Read-only file system. The file system is read-only"),
    ],
    ids=["full", "read-only"],
)
def test_a_disk_that_takes_nothing_is_told_once(tmp_path: Path, alone: Example, mount: str, said: str) -> None:
    """One message with the way out; the run that was kept before is still there; a run asked for by name fails."""
    alone.write(tmp_path)
    kept = (tmp_path / ".planguard" / "last.jsonl").read_bytes()
    code, lines = on_a_disk(mount.format(tmp_path / ".planguard"), tmp_path, SAVE, "-k", "0")
    told = [line for line in lines if "not written" in line]
    assert len(told) == 1, lines
    assert said in told[0]
    assert "The runs that were kept before are still there." in told[0]
    assert (code, not any("INTERNALERROR" in line for line in lines)) == (1, True)
    assert (tmp_path / ".planguard" / "last.jsonl").read_bytes() == kept
