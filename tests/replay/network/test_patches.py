"""Which functions and events a guard stands in front of, and what each of them asks."""

from __future__ import annotations

import asyncio
import queue
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from pytest_planguard.errors import PlanguardWarning
from pytest_planguard.replay.network import hooks, installed_guard
from pytest_planguard.replay.network.contacts import beside, place_of, unexplained
from pytest_planguard.replay.network.earlier_threads import blames_earlier, remember, straggler, with_sender
from pytest_planguard.replay.network.guard import Bypass, NetworkBlocked, NetworkGuard
from pytest_planguard.replay.network.hooks import OWN_PORTS, is_accepted, peer_of, send_patches, tls_patches

ADDRESS = ("203.0.113.7", 443)
"""An address that nobody has."""


class Asked(installed_guard._Asked):
    """What a guard is asked, kept instead of answered."""

    def __init__(self) -> None:
        super().__init__()
        self.places: list[tuple[object, object]] = []

    def check(self, host: object, port: object) -> None:
        """Keep what is asked."""
        self.places.append((host, port))


def test_every_way_to_write_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of plain sockets, and of TLS sockets once `ssl` is loaded; each asks first and then writes."""
    asked: list[object] = []
    owner = SimpleNamespace(SSLSocket=SimpleNamespace(send=lambda _, data: f"sent {data}", write=lambda _, data: data))
    patches = [*send_patches(asked.append)]
    assert [(kind, name) for kind, name, _, _ in patches] == [
        (socket.socket, name) for name in ("send", "sendall", "sendmsg", "sendfile")
    ]
    assert all(real is getattr(socket.socket, name) for _, name, real, _ in patches)
    monkeypatch.setitem(sys.modules, "ssl", owner)  # type: ignore[arg-type]
    patches = [*tls_patches(asked.append)]
    assert [(kind, name) for kind, name, _, _ in patches] == [(owner.SSLSocket, "send"), (owner.SSLSocket, "write")]
    assert patches[0][3]("it", "x") == "sent x"
    assert asked == ["it"]
    monkeypatch.delitem(sys.modules, "ssl")
    assert [*tls_patches(asked.append)] == []


def test_every_way_to_connect_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """The functions of a front, those of modules that are loaded later included."""
    monkeypatch.delitem(sys.modules, "ssl", raising=False)
    monkeypatch.delitem(sys.modules, "uvloop", raising=False)
    monkeypatch.setattr(installed_guard, "sdk_modules", lambda: ())
    monkeypatch.setattr(installed_guard, "backoff_patches", lambda _: iter(()))
    front = installed_guard._Front()
    try:
        names = [(owner.__name__, name) for owner, name, _, _ in front._patches]
        assert names == [
            *(("socket", name) for name in ("connect", "connect_ex", "getaddrinfo")),
            *(("socket", name) for name in ("send", "sendall", "sendmsg", "sendfile")),
        ]
        assert [owner is socket for owner, _, _, _ in front._patches] == [name == "getaddrinfo" for _, name in names]
        assert all(getattr(owner, name) is ours for owner, name, _, ours in front._patches)
        assert installed_guard._loaded_modules() == (None, None)
    finally:
        front.take_down()


def test_events_beneath_the_functions() -> None:
    """Each asks about the place that it names, where that is one of the internet."""
    asked = Asked()
    events = installed_guard._audited(asked)
    assert set(events) == {
        *("socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo", "socket.gethostbyname"),
        *("os.fork", "os.forkpty"),
    }
    for family, address in ((socket.AF_INET, ADDRESS), (socket.AF_INET6, ("::1", 5, 0, 0))):
        for event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
            events[event](SimpleNamespace(family=family), address)
    assert asked.places == [ADDRESS] * 3 + [("::1", 5)] * 3
    asked.places.clear()
    for event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        events[event](SimpleNamespace(family=socket.AF_UNIX), "/run/x")
        events[event](SimpleNamespace(family=socket.AF_INET), "/run/x")
        events[event](SimpleNamespace(family=socket.AF_UNIX), ADDRESS)
    events["socket.getaddrinfo"]("a.test", 80, 1, 2, 3)
    assert asked.places == [("a.test", 80)]


@pytest.mark.parametrize(
    ("host", "asks"),
    [("a.test", True), (b"localhost", True), ("localhost", False), ("127.0.0.1", False), ("::1", False), ("", False)],
)
def test_an_old_look_up_is_asked_about_in_a_replay(host: object, asks: bool) -> None:
    """Names of the machine itself are looked up by the standard library's own functions."""
    asked = Asked()
    event = installed_guard._audited(asked)["socket.gethostbyname"]
    event(host)
    asked.guard = NetworkGuard(blocking=False)
    event(host)
    event(socket.gethostname())
    assert asked.places == []
    asked.guard = NetworkGuard()
    event(host)
    event(socket.gethostname())
    assert asked.places == [(host, None)] * asks


def test_a_guard_is_asked_with_names_and_numbers() -> None:
    """A service name is no port; what is no text is no name."""
    asked = installed_guard._Asked()
    asked.check("a.test", 1)  # nobody is asked
    assert not asked.replays()
    asked.guard = NetworkGuard(blocking=False)
    assert not asked.replays()
    guard = asked.guard = NetworkGuard()
    assert asked.replays()
    for host, port in ((b"a.test", 80), ("b.test", "https"), ("c.test", None)):
        with suppress(NetworkBlocked):
            asked.check(host, port)
    asked.check(None, 5)
    assert [(bypass.host, bypass.port) for bypass in guard.bypasses] == [
        ("a.test", 80),
        ("b.test", None),
        ("c.test", None),
    ]


def test_a_refusal_names_the_way_out() -> None:
    """The place, who asked, and both ways out; one that is allowed is kept as reached."""
    guard = NetworkGuard(["Allowed.test", "b.test:5"])
    for _ in range(2):
        with pytest.raises(NetworkBlocked) as error:
            guard.check("a.test", 443)
    assert str(error.value) == (
        "tests opened a connection to a.test:443 that no cassette can answer. Replay it through a client that vcrpy "
        "knows (httpx, httpx2, requests, aiohttp, urllib3, …), or allow the host: planguard_allowed_hosts = a.test"
    )
    assert guard.all_bypasses == (Bypass("a.test", 443, "tests"),)
    assert str(Bypass("a", None, "app")) == "app opened a connection to a that no cassette can answer"
    for host, port in (("allowed.TEST.", 1), ("allowed.test", None), ("b.test", 5)):
        guard.check(host, port)
    assert list(guard.reached) == ["allowed.TEST.:1", "allowed.test", "b.test:5"]
    with pytest.raises(NetworkBlocked):
        guard.check("b.test", 6)


def test_while_recording_places_are_noted_by_their_names() -> None:
    """An address that was looked up stands for the name; the first who asked is kept, and all of a place."""
    guard = NetworkGuard(blocking=False)
    guard.check("A.test.", None)
    guard.resolved("A.test.", [(0, 0, 0, "", ADDRESS)])
    guard.check(ADDRESS[0], 443)
    guard.check("b.test", 0)
    assert guard.contacted == {"a.test", "b.test"}
    assert guard.clients == {"a.test": "tests", "b.test": "tests"}
    assert guard.places == {(ADDRESS[0], 443): {"tests"}, ("a.test", 443): {"tests"}}
    assert guard.names(ADDRESS[0]) == {ADDRESS[0], "a.test"}
    assert (guard.bypasses, guard.reached) == ([], {})


def test_accepted_sockets_and_peers() -> None:
    """A port of ours counts whoever listens; a socket without a peer has none."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)) as client, server.accept()[0] as accepted:
            assert (is_accepted(accepted), is_accepted(client)) == (True, False)
            assert peer_of(client) == ("127.0.0.1", port)
            OWN_PORTS.add(client.getsockname()[1])
            assert is_accepted(client)
            OWN_PORTS.discard(client.getsockname()[1])
    with socket.socket() as alone:
        assert peer_of(alone) is None


def test_a_straggler_is_named_with_its_test() -> None:
    """A thread of this test, or one that has ended, is none. A worker without work may be given some by this test."""
    go, work, said = threading.Event(), queue.Queue[str](), []

    def ask(word: object) -> None:
        said.append((word, blames_earlier("api.test:443"), with_sender("refused")))

    def finish_busy() -> None:
        go.set()
        busy.join()

    busy = threading.Thread(target=lambda: ask(go.wait(20)), name="busy")
    idle = threading.Thread(target=lambda: ask(work.get(timeout=20)), name="idle")
    done = threading.Thread(target=lambda: None)
    for thread in (busy, idle, done):
        thread.start()
    done.join()
    while not all(sys._current_frames()[t.ident or 0].f_code.co_name == "wait" for t in (busy, idle)):
        time.sleep(0.001)
    remember([busy, idle, done], "test_app.py::test_a")
    remember([busy], "test_app.py::test_b")
    began = "which test_app.py::test_a began and which still runs"
    with pytest.warns(PlanguardWarning, match=f"^thread 'busy', {began}, asked api.test:443 and was refused; let it"):
        finish_busy()
    work.put("work")
    idle.join()
    sent = f"refused\n  sent by:   thread '%s', {began}; end it in that test"
    assert said == [(True, True, sent % "busy"), ("work", False, sent % "idle")]
    assert (straggler(), blames_earlier("api.test:443"), with_sender("refused")) == (None, False, "refused")


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("http://A.test", ("a.test", 80)),
        ("https://a.test:1/x", ("a.test", 1)),
        ("/x", ("", None)),
    ],
)
def test_a_url_is_a_place(url: str, place: tuple[str, int | None]) -> None:
    """The port is that of the scheme where none is named."""
    assert place_of(url) == place


def test_a_proxy_explains_other_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is contacted in the place of a recorded host, and beside none."""
    monkeypatch.setenv("http_proxy", "http://proxy.test:3128")
    assert unexplained(["proxy.test", "b.test", "10.0.0.1", "::1"], ["a.test"]) == ["::1", "b.test"]
    assert beside({("proxy.test", 1): {"app"}}, ["http://proxy.test"]) == []
    contacted = {("a.test", 1): {"python"}, ("a.test", 80): {"app"}, ("a.test", 2): {"b", "a"}}
    assert beside(contacted, ["http://a.test"]) == [(("a.test", 1), "python"), (("a.test", 2), "a")]


# uvloop, whose loop is no class of Python.


class Loop:
    """A loop with the methods of uvloop's, which answer with what they were called with."""

    async def create_connection(self, factory: object, host: object, port: object, **how: object) -> object:
        """Connect."""
        return ("connected", factory, host, port, how)

    async def getaddrinfo(self, host: object, port: object, **how: object) -> object:
        """Look up."""
        return ("looked up", host, port, how)

    async def create_datagram_endpoint(self, factory: object, local: object, remote: object, **how: object) -> object:
        """Open an endpoint."""
        return ("opened", factory, local, remote, how)

    async def subprocess_exec(self, factory: object, *command: object, **how: object) -> object:
        """Start a program."""
        return ("started", factory, command, how)

    async def subprocess_shell(self, factory: object, line: object, **how: object) -> object:
        """Start a shell."""
        return ("shell", factory, line, how)


@pytest.fixture
def uvloop(monkeypatch: pytest.MonkeyPatch) -> None:
    """A module of that name with such a loop."""
    module = ModuleType("uvloop")
    module.Loop = Loop  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "uvloop", module)


def call(patches: list[Any], name: str, *args: object, **how: object) -> object:
    """Call what takes the place of a method of the loop."""
    (ours,) = [ours for _, called, _, ours in patches if called == name]
    return asyncio.run(ours(Loop(), *args, **how))


@pytest.mark.usefixtures("uvloop")
def test_a_loop_below_python_is_asked_before_it_connects() -> None:
    """Then it does what it was asked for; an endpoint without a remote address reaches nobody."""
    places: list[object] = []
    patches = [*hooks.uvloop_patches(lambda host, port: places.append((host, port)))]
    assert [(owner, name) for owner, name, _, _ in patches] == [
        (Loop, name) for name in ("create_connection", "getaddrinfo", "create_datagram_endpoint")
    ]
    assert [real is getattr(Loop, name) for _, name, real, _ in patches] == [True] * 3
    assert call(patches, "create_connection", "f", "a.test", 1, ssl=True) == (
        "connected",
        "f",
        "a.test",
        1,
        {"ssl": True},
    )
    assert call(patches, "create_connection", "f", sock=5) == ("connected", "f", None, None, {"sock": 5})
    assert call(patches, "getaddrinfo", "b.test", 2, family=0) == ("looked up", "b.test", 2, {"family": 0})
    remote = ("c.test", 3, 0, 0)
    assert call(patches, "create_datagram_endpoint", "f", None, remote) == ("opened", "f", None, remote, {})
    assert call(patches, "create_datagram_endpoint", "f", local_addr=("", 1)) == ("opened", "f", ("", 1), None, {})
    assert places == [("a.test", 1), (None, None), ("b.test", 2), ("c.test", 3)]


@pytest.mark.usefixtures("uvloop")
def test_children_of_a_loop_below_python_are_noted() -> None:
    """By their command and environment, before they start."""
    children: list[object] = []
    patches = [*hooks.uvloop_child_patches(lambda words, env: children.append((words, env)))]
    assert [(owner, name) for owner, name, _, _ in patches] == [(Loop, "subprocess_exec"), (Loop, "subprocess_shell")]
    assert [real is getattr(Loop, name) for _, name, real, _ in patches] == [True] * 2
    assert call(patches, "subprocess_exec", "f", "a", "b", env=1) == ("started", "f", ("a", "b"), {"env": 1})
    assert call(patches, "subprocess_shell", "f", "a b") == ("shell", "f", "a b", {})
    assert call(patches, "subprocess_shell", "f", "c", env=2) == ("shell", "f", "c", {"env": 2})
    assert children == [(("a", "b"), 1), (("sh", "-c", "a b"), None), (("sh", "-c", "c"), 2)]


def test_nothing_is_replaced_without_such_a_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not loaded for that; other modules are not loaded either."""
    monkeypatch.setitem(sys.modules, "uvloop", None)  # type: ignore[arg-type]
    never: Callable[..., None] = pytest.fail
    assert [*hooks.uvloop_patches(never), *hooks.uvloop_child_patches(never)] == []
    assert [hooks.load_before(name) for name in ("uvloop", "ssl", None)] == [False] * 3
    monkeypatch.setitem(sys.modules, "uvloop", ModuleType("uvloop"))
    assert [hooks.load_before(name) for name in ("uvloop", "uvloop.loop")] == [True, False]
