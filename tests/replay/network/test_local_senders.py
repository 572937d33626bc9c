"""Senders that reach nobody by an address: who of them is named, and who is behind a call."""

from __future__ import annotations

import gc
import inspect
import socket
import sys
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pytest_planguard.replay.network import below_python
from pytest_planguard.replay.network.below_python import BEYOND_PYTHON, ClientsBeyondPython, connections_begun
from pytest_planguard.replay.network.earlier_threads import remember
from pytest_planguard.replay.network.processes import sender_listeners
from pytest_planguard.replay.network.senders import caller, callers, passes, passing

from ...support.one_item import in_one_item


def noted(event: str, *arguments: object, allowed: str = "", by: str = "app.work") -> list[str]:
    """Return what is noted of an event that a module begins."""
    notes: list[str] = []
    listener = sender_listeners(notes.append, lambda path: path == allowed)[event]
    called(by, listener)(*arguments)
    return notes


def called(module: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of a module of that name that calls another one."""
    names: dict[str, Any] = {"__name__": module, "function": function}
    exec("def call(*arguments): return function(*arguments)", names)
    call: Callable[..., Any] = names["call"]
    return call


SENDING = (
    *("connect", "getaddrinfo", "gethostbyname", "send", "sendmsg", "sendto", "sendmmsg"),
    *(
        "dlsym",
        "dlvsym",
        "syscall",
        "system",
        "popen",
        "fork",
        "vfork",
        "posix_spawn",
        "posix_spawnp",
        "execve",
        "execvp",
    ),
)


@in_one_item
@pytest.mark.parametrize("name", SENDING)
def test_functions_of_the_c_library_that_send_are_named(name: str) -> None:
    """And those that start a program, or look other functions up. Others are not."""
    assert noted("ctypes.dlsym", None, name) == [f"C library by ctypes: {name}"]
    assert noted("ctypes.dlsym", None, f"{name}_of_ours") == []


def test_functions_of_libcurl_are_named() -> None:
    """By the beginning of their names."""
    assert noted("ctypes.dlsym", None, "curl_easy_perform") == ["C library by ctypes: curl_easy_perform"]
    assert noted("ctypes.dlsym", None, "my_curl_") == noted("ctypes.dlsym", None, 7) == []


def test_a_sub_interpreter_is_named() -> None:
    """It has its own copy of each module, which nobody watches."""
    assert noted("cpython.PyInterpreterState_New") == ["a sub-interpreter"]


@pytest.mark.parametrize("address", ["/run/a.sock", b"/run/a.sock"])
def test_a_unix_socket_is_named_by_its_path(address: str | bytes) -> None:
    """Unless it is allowed, or debuggers and test runners use it; one of multiprocessing is named for what it is."""
    with socket.socket(socket.AF_UNIX) as mine, socket.socket(socket.AF_INET) as other:
        assert noted("socket.connect", mine, address) == ["unix socket: /run/a.sock"]
        assert noted("socket.connect", mine, address, allowed="/run/a.sock") == []
        assert noted("socket.connect", other, address) == []
        for runner in ("pydevd", "_pydevd_bundle", "debugpy", "execnet", "xdist"):
            assert noted("socket.connect", mine, address, by=f"{runner}.inner") == []
        assert noted("socket.connect", mine, address, by="multiprocessing.popen_fork") == [
            "unix socket: of a process that multiprocessing started"
        ]


def test_the_innermost_package_that_is_no_plumbing_is_the_caller() -> None:
    """The standard library, event loops and planguard itself are plumbing. niquests has its own urllib3."""

    def frames() -> tuple[str, list[str]]:
        return caller(inspect.currentframe().f_back), callers(inspect.currentframe().f_back)  # type: ignore[union-attr]

    for plumbing in ("socket", "asyncio.streams", "anyio._core", "sniffio", "uvloop.loop", "pytest_planguard.replay"):
        inner = called(plumbing, frames)
        assert called("outer.app", inner)() == ("outer", [plumbing.partition(".")[0], "outer"])
    assert called("app.a", called("lib.b", frames))() == ("lib", ["lib"])
    for fork in ("urllib3.connection", "urllib3_future.connection"):
        own = called(fork, frames)
        assert (called("app.a", own)()[0], called("niquests.a", own)()[0]) == (fork.partition(".")[0], "niquests")
    assert called("", called("", frames))()[0] == "tests"
    assert (caller(None), callers(None)) == ("python", [])


def test_a_stack_of_plumbing_alone_is_python() -> None:
    """Its lowest frame has no frame below."""
    alone: dict[str, Any] = {"__name__": "asyncio.events", "frame": None, "inspect": inspect}
    exec("def run():\n    yield inspect.currentframe()\n", alone)
    generator = alone["run"]()
    frame = next(generator)  # a generator that waits has no frame below it
    assert frame.f_back is None
    assert (caller(frame), callers(frame)) == ("python", ["asyncio"])


def test_a_call_that_is_recorded_as_a_whole_passes_what_it_sends() -> None:
    """For the length of the block, an inner one included."""
    assert not passes()
    with passing():
        with passing():
            assert passes()
        assert passes()
    assert not passes()


def test_a_client_below_python_is_named_by_the_tests_that_may_use_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test that loads it, and later ones in which a connection begins: polars is loaded for local files too."""
    for name in BEYOND_PYTHON:
        monkeypatch.delitem(sys.modules, name, raising=False)
    begun: list[int | None] = [7]
    monkeypatch.setattr(below_python, "connections_begun", lambda: begun[0])
    loading = ClientsBeyondPython()
    assert loading.used() == ()
    monkeypatch.setitem(sys.modules, "polars", ModuleType("polars"))
    assert loading.used() == ("polars (a client in Rust)",)
    later = ClientsBeyondPython()
    assert later.used() == ()
    monkeypatch.setitem(sys.modules, "grpc", ModuleType("grpc"))
    assert later.used() == ("grpc (gRPC, a core in C)",)
    begun[0] = 8
    assert later.used() == ("grpc (gRPC, a core in C)", "polars (a client in Rust)")
    begun[0] = None  # a system that does not count
    assert ClientsBeyondPython().used() == ("grpc (gRPC, a core in C)", "polars (a client in Rust)")


BELOW_PYTHON = {
    "grpc": "gRPC, a core in C",
    "pycurl": "libcurl",
    "curl_cffi": "libcurl",
    "tls_client": "a client in Go",
    **dict.fromkeys(("primp", "rnet", "baml_py", "tensorzero", "pyreqwest", "httpr", "wreq"), "a client in Rust"),
    **dict.fromkeys(("obstore", "polars"), "a client in Rust"),
    "av": "FFmpeg",
    "pygit2": "libgit2",
    "pyarrow._s3fs": "a client in C++",
    "_tkinter": "Tcl",
}


def test_each_client_below_python_is_named_with_its_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever of them a test loads."""
    for name in BELOW_PYTHON:
        monkeypatch.delitem(sys.modules, name, raising=False)
    for name, library in BELOW_PYTHON.items():
        with monkeypatch.context() as inner:
            loading = ClientsBeyondPython()
            inner.setitem(sys.modules, name, ModuleType(name))
            assert loading.used() == (f"{name} ({library})",)
    assert set(BEYOND_PYTHON) == set(BELOW_PYTHON)


@pytest.mark.skipif(not Path("/proc/net/snmp").exists(), reason="only Linux counts connections")
@pytest.mark.parametrize("kind", [socket.SOCK_STREAM, socket.SOCK_DGRAM])
def test_a_connection_that_begins_is_counted(kind: int) -> None:
    """Even if it is refused, and a datagram as well."""
    before = connections_begun()
    with socket.socket(type=kind) as connection:
        connection.connect_ex(("127.0.0.1", 9))
        if kind == socket.SOCK_DGRAM:
            connection.send(b"x")
    after = connections_begun()
    assert before is not None
    assert after is not None
    assert after > before


def test_remembering_threads_keeps_nothing_of_its_callers() -> None:
    """The frames of other threads are read; a reference to the caller's own frame would be a cycle."""
    done = threading.Event()
    thread = threading.Thread(target=done.wait)
    thread.start()

    def ends_a_test() -> weakref.ref[threading.Event]:
        local = threading.Event()
        remember([thread], "test_app.py::test_a")
        return weakref.ref(local)

    gc.disable()
    try:
        assert ends_a_test()() is None
    finally:
        gc.enable()
        done.set()
        thread.join()
