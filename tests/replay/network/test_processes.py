"""Child processes are named by program and way of starting; what libraries start by themselves is not."""

import asyncio
import multiprocessing
import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from pytest_planguard.replay.network.audit import listening
from pytest_planguard.replay.network.processes import BY_THEMSELVES, ProcessWatch

PYTHON = os.path.basename(sys.executable)  # noqa: PTH119  # a name, not a path
TRUE = ["/bin/true"]


def children(start: Callable[[], object]) -> list[str]:
    """What is named while a function runs."""
    watch = ProcessWatch()
    with watch.watching():
        start()
    return watch.children


async def _asyncio_child() -> None:
    await (await asyncio.create_subprocess_exec("/bin/true")).wait()


def _forked() -> None:
    pid = os.fork()
    if not pid:
        os._exit(0)
    os.waitpid(pid, 0)


def _multiprocessing(method: str) -> None:
    child = multiprocessing.get_context(method).Process(target=os.getpid)
    child.start()
    child.join()


@pytest.mark.parametrize(
    ("start", "named"),
    [
        (lambda: subprocess.run(TRUE, check=True), "true (subprocess)"),
        (lambda: subprocess.run([b"/bin/true"], check=True), "true (subprocess)"),
        (lambda: subprocess.run("true -s x", shell=True, check=True), "true (subprocess)"),
        (lambda: subprocess.run("true; true", shell=True, check=True), "sh (subprocess)"),
        (lambda: subprocess.run(TRUE, check=True, close_fds=False), "true (subprocess)"),
        (lambda: asyncio.run(_asyncio_child()), "true (subprocess)"),
        (lambda: os.system("true"), "true (os.system)"),
        (lambda: os.waitpid(os.posix_spawn("/bin/true", TRUE, {}), 0), "true (os.posix_spawn)"),
        (_forked, "a copy of this process (os.fork)"),
        (lambda: os.spawnv(os.P_WAIT, "/bin/true", TRUE), "a copy of this process (os.fork)"),
        (lambda: _multiprocessing("fork"), "a copy of this process (os.fork)"),
        (lambda: _multiprocessing("spawn"), f"{PYTHON} (multiprocessing)"),
    ],
)
def test_a_child_is_named(start: Callable[[], object], named: str) -> None:
    """Each way of starting one is seen once; the tracker of multiprocessing is no child of the test."""
    assert children(start) == [named]


@pytest.mark.parametrize("command", [[name] for name in BY_THEMSELVES] + [["git", "rev-parse", "HEAD"]])
def test_what_libraries_start_is_not_named(command: list[str]) -> None:
    """Every program of the table, whether it is installed or not: the event comes before the attempt."""

    def start() -> None:
        with pytest.raises(FileNotFoundError):
            subprocess.run([f"/nowhere/{command[0]}", *command[1:]], check=False)

    assert children(start) == []


def test_git_that_reaches_a_remote_is_named() -> None:
    """The table excuses what git reads of the working copy, and no more."""

    def start() -> None:
        with pytest.raises(FileNotFoundError):
            subprocess.run(["/nowhere/git", "fetch"], check=False)

    assert children(start) == ["git (subprocess)"]


def test_nothing_is_noted_when_nobody_watches() -> None:
    """The hook stays for good, what listens does not, and the lower function is put back."""
    watch = ProcessWatch()
    with watch.watching():
        pass
    subprocess.run(TRUE, check=True)
    _multiprocessing("spawn")
    assert watch.children == []


def test_a_listener_may_refuse() -> None:
    """What a listener raises ends the operation before it begins."""

    def refuse(*_: object) -> None:
        raise PermissionError("no child")

    with listening({"subprocess.Popen": refuse}), pytest.raises(PermissionError, match="no child"):
        subprocess.run(TRUE, check=True)
