"""Child processes are named by program and way of starting; what libraries start by themselves is not."""

import asyncio
import contextlib
import ctypes
import multiprocessing
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_planguard.replay.network.hooks import listen, unlisten
from pytest_planguard.replay.network.processes import ProcessWatch
from pytest_planguard.replay.network.senders import starts_by_itself

from ...support.one_item import in_one_item
from .watches import watching

PYTHON = os.path.basename(sys.executable)  # noqa: PTH119  # a name, not a path
TRUE = ["/bin/true"]


def children(start: Callable[[], object]) -> list[str]:
    """What is named while a function runs."""
    watch = ProcessWatch()
    with watching(watch):
        start()
    return watch.children


async def _asyncio_child() -> None:
    await (await asyncio.create_subprocess_exec("/bin/true")).wait()


def _forked(start: Callable[[], object] = lambda: None) -> None:
    pid = os.fork()
    if not pid:
        with suppress(BaseException):
            start()
        os._exit(0)
    os.waitpid(pid, 0)


def _daemon() -> None:
    """Close every inherited file, as daemons do, and let another file get the number of the reports'."""
    os.closerange(3, 100)
    for _ in range(20):
        os.open(os.devnull, os.O_WRONLY)
    subprocess.run(TRUE, check=True)


def _multiprocessing(method: str) -> None:
    child = multiprocessing.get_context(method).Process(target=os.getpid)
    child.start()
    child.join()


@pytest.mark.slow
@in_one_item
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
        (lambda: _forked(lambda: os.execv("/bin/true", TRUE)), "true (os.exec)"),
        (lambda: _forked(lambda: _forked(lambda: os.system("true"))), "true (os.system)"),
        (lambda: _forked(_daemon), "a daemon (os.fork)"),
        (lambda: os.spawnv(os.P_WAIT, "/bin/true", TRUE), "true (os.exec)"),
        (lambda: _multiprocessing("spawn"), f"{PYTHON} (multiprocessing)"),
    ],
)
def test_a_child_is_named(start: Callable[[], object], named: str) -> None:
    """Each way of starting one is seen once; the tracker of multiprocessing is no child of the test."""
    assert children(start) == [named]


@pytest.mark.parametrize("start", [_forked, lambda: _multiprocessing("fork")])
def test_a_forked_child_is_not_named(start: Callable[[], object]) -> None:
    """It keeps the cassette and the guard."""
    assert not children(start)


def test_a_sender_in_a_forked_child_is_named() -> None:
    """It is reported to the process that watches."""
    watch = ProcessWatch()
    with watching(watch):
        _forked(lambda: sys.audit("ctypes.dlsym", None, "connect"))
    assert watch.senders == ["C library by ctypes: connect"]


@pytest.mark.parametrize(
    ("event", "arguments", "named"),
    [
        ("subprocess.Popen", ("/bin/true", ["true"], None, None), "true (subprocess)"),
        ("subprocess.Popen", (None, "true", None, None), "true (subprocess)"),
        ("os.posix_spawn", ("/bin/true", ["other"], {}), "true (os.posix_spawn)"),
        ("os.exec", ("/bin/true", ["true"], None), "true (os.exec)"),
        ("os.spawn", (os.P_WAIT, "C:\\true.exe", ["true"], None), "true (os.spawn)"),
        ("os.system", ("true",), "true (os.system)"),
        ("os.system", (b"true; true",), "sh (os.system)"),
    ],
)
def test_every_event_that_begins_a_child_is_noted(event: str, arguments: tuple[object, ...], named: str) -> None:
    """As Python raises it, on every system."""
    assert children(lambda: sys.audit(event, *arguments)) == [named]


@in_one_item
@pytest.mark.parametrize(
    ("command", "named"),
    [
        (["bash", "-c", "curl -s x"], "curl"),
        (["/bin/dash", "-c", "curl"], "curl"),
        (["zsh", "-c", "a b", "more"], "a"),
        (["sh", "-c", "curl x"], "curl"),
        (["cmd", "/c", "curl x"], "curl"),
        (["cmd.exe", "/c", "curl x"], "curl"),
        (["sh", "-x", "curl x"], "sh"),
        (["sh", "-c"], "sh"),
        (["python", "-c", "curl x"], "python"),
        (["sh", "-c", ""], "sh"),
        (["sh", "-c", "curl 'x"], "sh"),
        *((["sh", "-c", f"curl x {sign} y"], "sh") for sign in (";", "|", "&", "$", "`", "\n")),
    ],
)
def test_a_shell_is_named_by_its_one_command(command: list[str], named: str) -> None:
    """A line with several, or that no shell would take, is the shell's own."""
    assert children(lambda: sys.audit("subprocess.Popen", command[0], command, None, None)) == [f"{named} (subprocess)"]


def test_a_child_that_is_served_is_not_named() -> None:
    """What was started within the block, once it asked an endpoint of ours; in this thread alone."""
    watch, asked = ProcessWatch(), [False, False]
    with watching(watch), watch.starting(lambda: asked[0]):
        sys.audit("os.system", "true")
        with watch.starting(lambda: asked[1]):
            sys.audit("os.system", "curl")
    names = ["true (os.system)", "curl (os.system)"]
    assert watch.children == names
    asked[1] = True
    assert watch.children == names[:1]
    asked[:] = [True, False]
    assert watch.children == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_served_child_of_a_forked_child_is_not_named() -> None:
    """It asks after its start was reported."""
    watch, asked = ProcessWatch(), [False]
    with watching(watch):
        pid = os.fork()
        if pid == 0:
            with watch.starting(lambda: asked[0]):
                watch.add("served (subprocess)")
            watch.add("silent (subprocess)")
            asked[0] = True
            watch.report_served()
            os._exit(0)
        os.waitpid(pid, 0)
    assert watch.children == ["silent (subprocess)"]


def test_a_spawn_that_subprocess_made_is_one_child() -> None:
    """Both events come of it; another program's spawn is a child of its own."""

    def start() -> None:
        sys.audit("subprocess.Popen", "true", ["true"], None, None)
        sys.audit("os.posix_spawn", "/bin/true", ["true"], {})
        sys.audit("os.posix_spawn", "/bin/tru", ["tru"], {})

    assert children(start) == ["true (subprocess)", "tru (os.posix_spawn)"]


def _script(folder: Path, name: str) -> str:
    """A program of one's own with any name."""
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.skipif(sys.platform == "win32", reason="uvloop needs a unix")
def test_a_child_of_uvloop_is_named() -> None:
    """It starts children by a call of libuv, which causes no audit event."""
    uvloop = pytest.importorskip("uvloop")
    assert children(lambda: uvloop.run(_asyncio_child())) == ["true (uvloop)"]


QUIET = (
    *("uname", "lsb_release", "sw_vers", "sysctl", "lscpu", "nvidia-smi", "ldconfig", "gcc", "cc", "ld", "objdump"),
    *("git", "stty", "tput"),
)


@pytest.mark.parametrize("name", QUIET)
def test_a_script_is_named_whatever_it_is_called(name: str, tmp_path: Path) -> None:
    """By its path, by the search path of the child, and by that of this process."""
    _script(tmp_path, name)
    named = [f"{name} (subprocess)"]
    assert children(lambda: subprocess.run([str(tmp_path / name), "status"], check=True)) == named
    assert children(lambda: subprocess.run([name, "log"], check=True, env={"PATH": str(tmp_path)})) == named
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(tmp_path))
        assert children(lambda: subprocess.run([name, "log"], check=True)) == named


@pytest.mark.parametrize("folder", ["/bin", "/usr/bin", "/sbin", "/usr/sbin"])
@pytest.mark.parametrize("name", QUIET)
def test_the_systems_own_program_is_not_named(name: str, folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether it is installed or not."""
    monkeypatch.setattr(shutil, "which", lambda *_, **__: f"{folder}/{name}")
    assert starts_by_itself([name, "-Wl,-t", "rev-parse"])


@pytest.mark.parametrize(
    ("arguments", "quiet"),
    [
        (["-C", "fetch", "status"], True),
        (["-c", "a.b=fetch", "--no-pager", "log", "fetch"], True),
        (["--version"], True),
        (["fetch"], False),
        (["-C", "status", "push"], False),
        (["plan-with-a-model"], False),
        ([], False),
    ],
)
def test_git_is_excused_where_it_reads(arguments: list[str], quiet: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A subcommand that is none of git's own may be any program."""
    monkeypatch.setattr(shutil, "which", lambda *_, **__: "/usr/bin/git")
    assert starts_by_itself(["git", *arguments]) is quiet


def test_a_compiler_is_named_if_it_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test may call what it compiled."""
    monkeypatch.setattr(shutil, "which", lambda *_, **__: "/usr/bin/cc")
    assert not starts_by_itself(["cc", "-shared", "a.c"])


@pytest.mark.skipif(sys.platform == "win32", reason="no unix sockets")
def test_unix_sockets_and_c_functions_are_named(tmp_path: Path) -> None:
    """A path that is allowed is not; neither are socket pairs and functions that send nothing."""
    path, allowed = str(tmp_path / "a.sock"), str(tmp_path / "b.sock")
    watch = ProcessWatch([allowed])
    with contextlib.ExitStack() as stack:
        for name in (path, allowed):
            stack.enter_context(socket.socket(socket.AF_UNIX)).bind(name)
        with watching(watch):
            for name in (path, allowed):
                with socket.socket(socket.AF_UNIX) as client, pytest.raises(ConnectionRefusedError):
                    client.connect(name)  # nobody listens
            for one in socket.socketpair():
                stack.enter_context(one).getsockname()
            library = ctypes.CDLL(None)
            assert library.getpid()
            assert library.connect
    assert _from_here(watch) == [f"unix socket: {path}", "C library by ctypes: connect"]
    assert watch.children == []


@pytest.mark.skipif(sys.platform == "win32", reason="no C library under that name")
def test_c_functions_of_cffi_are_named() -> None:
    """Those that it declares while a test runs, or whose library it opens then; also if the test loads it."""
    cffi = pytest.importorskip("cffi")
    before, watch = cffi.FFI(), ProcessWatch()
    before.cdef("int connect(int, const char *, int); int getpid(void);")
    with watching(watch):
        assert before.dlopen(None).getpid() == os.getpid()
        assert watch.senders == ["C library by cffi: connect"]
        now = cffi.FFI()
        library = now.dlopen(None)
        now.cdef("int system(const char *);")
        assert library.system
    assert watch.senders == ["C library by cffi: connect", "C library by cffi: system"]
    cffi.FFI().cdef("int fork(void);")
    assert len(watch.senders) == 2


def test_a_stand_in_of_cffi_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same without cffi: by the names of its methods and of what it declares."""

    class FFI:
        def __init__(self) -> None:
            self._parser = SimpleNamespace(_declarations={})

        def cdef(self, name: str) -> None:
            self._parser._declarations[f"function {name}"] = None

        def dlopen(self, name: object) -> object:
            return name

        def compile(self) -> None: ...

    monkeypatch.setitem(sys.modules, "cffi", SimpleNamespace(FFI=FFI))
    ffi, real = FFI(), FFI.cdef
    watch = ProcessWatch()
    with watching(watch):
        ffi.cdef("getpid")
        ffi.cdef("curl_easy_perform")
        assert ffi.dlopen(None) is None
        assert watch.senders == ["C library by cffi: curl_easy_perform"]
        ffi.compile()
    assert watch.senders == ["C library by cffi: curl_easy_perform", "C library by cffi: getpid"]
    assert FFI.cdef is real


def test_nothing_is_noted_when_nobody_watches() -> None:
    """The hook stays for good, what listens does not, and the lower function is put back."""
    watch = ProcessWatch()
    with watching(watch):
        pass
    subprocess.run(TRUE, check=True)
    _multiprocessing("spawn")
    assert watch.children == []


def test_a_listener_may_refuse() -> None:
    """What a listener raises ends the operation before it begins."""

    def refuse(*_: object) -> None:
        raise PermissionError("no child")

    listeners = {"subprocess.Popen": refuse}
    listen(listeners)
    try:
        with pytest.raises(PermissionError, match=r"^no child$"):
            subprocess.run(TRUE, check=True)
    finally:
        unlisten(listeners)


def test_another_tool_on_top_of_ours_is_left_alone() -> None:
    """What it calls below itself notes nothing for later watches, which are put on top of it."""
    import _posixsubprocess

    lower: Any = _posixsubprocess
    real = lower.fork_exec
    try:
        with watching(ProcessWatch()):
            ours = lower.fork_exec
            lower.fork_exec = theirs = lambda *args: ours(*args)
        assert lower.fork_exec is theirs
        assert children(lambda: _multiprocessing("spawn")) == [f"{PYTHON} (multiprocessing)"]
        assert lower.fork_exec is theirs
    finally:
        lower.fork_exec = real


def test_watches_nest() -> None:
    """Each notes what starts while it watches, whichever listeners it was lent."""
    outer, inner = ProcessWatch(), ProcessWatch()
    with watching(outer):
        subprocess.run(TRUE, check=True)
        with watching(inner):
            os.system("true")
        subprocess.run(TRUE, check=True)
    assert (outer.children, inner.children) == (["true (subprocess)", "true (os.system)"], ["true (os.system)"])


def _from_here(watch: ProcessWatch) -> list[str]:
    """Return the senders without the children of earlier tests, which may still run, such as a browser."""
    return [sender for sender in watch.senders if "from before the test" not in sender]


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells when a process runs")
def test_a_child_from_before_is_named_if_it_runs() -> None:
    """A server of a session fixture, in the tests that use it; one that waits is named in none."""
    with subprocess.Popen(["/bin/cat"], stdin=-1, stdout=-1, text=True) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write("started\n")
        child.stdin.flush()
        child.stdout.readline()
        while b") S " not in Path(f"/proc/{child.pid}/stat").read_bytes():  # it has not begun to wait yet
            pass
        quiet, used = ProcessWatch(), ProcessWatch()
        with watching(quiet):
            pass
        with watching(used):
            child.stdin.write("asked\n")
            child.stdin.flush()
            child.stdout.readline()
        child.stdin.close()
    cats = [[sender for sender in watch.senders if sender.endswith(": cat")] for watch in (quiet, used)]
    assert cats == [[], ["child process from before the test: cat"]]


def test_further_hidden_senders_are_named() -> None:
    """Functions of C that start children or belong to libcurl, and another interpreter in this process."""
    watch = ProcessWatch()
    with watching(watch):
        _ = ctypes.CDLL(None).system
        for name in ("curl_easy_perform", "strlen"):
            sys.audit("ctypes.dlsym", None, name)
        sys.audit("cpython.PyInterpreterState_New")
    assert _from_here(watch) == [
        "C library by ctypes: system",
        "C library by ctypes: curl_easy_perform",
        "a sub-interpreter",
    ]
