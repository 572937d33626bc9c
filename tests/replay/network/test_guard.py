"""No request leaves a replay, and a client that goes around the cassette is named."""

import asyncio
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest

from pytest_planguard.errors import CassetteError
from pytest_planguard.replay.network.contacts import unexplained
from pytest_planguard.replay.network.guard import NetworkBlocked, NetworkGuard
from pytest_planguard.replay.network.installed_guard import installed, keep_in_place
from pytest_planguard.replay.session.cassette import open_cassette

from ...support.exchanges import chat, send, user, write
from ...support.lookalike import Lookalike


def address(lookalike: Lookalike) -> tuple[str, int]:
    """Host and port of the look-alike."""
    return ("127.0.0.1", int(lookalike.origin.rpartition(":")[2]))


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """A cassette of one chat."""
    return write(tmp_path / "a.yaml", chat([user("one")], "first"))


def test_a_client_that_is_not_replayed_is_refused_and_named(recorded: Path, lookalike: Lookalike) -> None:
    """A raw socket, which vcrpy does not patch, gets no connection; the session names host, port and package."""
    host, port = address(lookalike)
    with open_cassette(recorded) as session:
        with pytest.raises(NetworkBlocked, match=f"tests opened a connection to {host}:{port} that no cassette"):
            socket.create_connection((host, port), timeout=1)
        with socket.socket() as raw, pytest.raises(NetworkBlocked):
            raw.connect_ex((host, port))
        assert send([user("one")]) == "first"
    assert [str(b) for b in session.bypasses] == [
        f"tests opened a connection to {host}:{port} that no cassette can answer"
    ]
    assert lookalike.received == []
    assert not issubclass(NetworkBlocked, OSError)
    assert issubclass(NetworkBlocked, CassetteError)


def test_asyncio_is_refused_too(recorded: Path, lookalike: Lookalike) -> None:
    """Streams of asyncio look up and connect on their own ways; both are watched, and the loop itself works."""

    async def connect() -> None:
        await asyncio.sleep(0)
        await asyncio.open_connection(*address(lookalike))

    with open_cassette(recorded) as session, pytest.raises(NetworkBlocked):
        asyncio.run(connect())
    assert len(session.bypasses) == 1


def test_a_name_is_refused_before_it_is_looked_up(recorded: Path) -> None:
    """Not even the name of a foreign host leaves the machine."""
    with open_cassette(recorded) as session, pytest.raises(NetworkBlocked, match=r"api\.example\.test:443"):
        socket.getaddrinfo("api.example.test", 443)
    with open_cassette(recorded), pytest.raises(NetworkBlocked, match=r"example\.test that"):
        socket.getaddrinfo(b"example.test", "https")
    assert [b.host for b in session.bypasses] == ["api.example.test"]


@pytest.mark.parametrize("allowed", ["127.0.0.1", "127.0.0.1:{port}", "localhost"])
def test_an_allowed_host_is_reached(recorded: Path, lookalike: Lookalike, allowed: str) -> None:
    """A test's own database may be reached, by host, by host and port, or by a name that leads there."""
    host, port = address(lookalike)
    with open_cassette(recorded, allowed_hosts=[allowed.format(port=port)]) as session:
        name = "localhost" if allowed == "localhost" else host
        info = socket.getaddrinfo(name, port, socket.AF_INET, socket.SOCK_STREAM)
        with socket.create_connection(info[0][4][:2], timeout=5):
            pass
    assert session.bypasses == ()


def test_an_allowed_host_is_neither_recorded_nor_replayed(recorded: Path, lookalike: Lookalike) -> None:
    """HTTP to an allowed host goes out in every mode and is not part of the cassette."""
    lookalike.script({"a": 1}, {"a": 1})
    for mode in ("none", "all"):
        with open_cassette(recorded, mode=mode, allowed_hosts=["127.0.0.1"]) as session:
            assert send([user("x")], f"{lookalike.base_url}/chat/completions") == '{"a": 1}'
        assert (session.played, session.recorded, session.misses) == ([], [], [])


def test_local_sockets_work(recorded: Path) -> None:
    """Sockets without an address, which asyncio itself needs, are no network."""
    with open_cassette(recorded):
        one, other = socket.socketpair()
        with one, other:
            one.sendall(b"x")
            assert other.recv(1) == b"x"


def test_blocking_can_be_switched_off(recorded: Path, lookalike: Lookalike) -> None:
    """`block_network=False` leaves sockets alone; the cassette itself still sends nothing."""
    with (
        open_cassette(recorded, block_network=False) as session,
        socket.create_connection(address(lookalike), timeout=5),
    ):
        assert send([user("one")]) == "first"
    assert session.bypasses == ()


def test_a_recording_that_missed_its_client_is_told(tmp_path: Path, lookalike: Lookalike) -> None:
    """While recording, a connection of another client is a bypass, whether its host is recorded by others or not."""
    with open_cassette(tmp_path / "a.yaml", mode="all") as session:
        with socket.create_connection(address(lookalike), timeout=5):
            pass
        assert [b.host for b in session.bypasses] == ["127.0.0.1"]
        httpx2.post(f"{lookalike.base_url}/chat/completions", json={"messages": []}, verify=False)
    assert [b[:2] for b in session.bypasses] == [address(lookalike)]


def patched() -> tuple[object, ...]:
    """The functions that a guard replaces."""
    kind = socket.socket
    return (kind.connect, kind.connect_ex, socket.getaddrinfo)


def in_threads(place: tuple[str, int]) -> None:
    """A plain socket."""
    socket.create_connection(place, timeout=5).close()


def in_asyncio(place: tuple[str, int]) -> None:
    """An event loop, which begins a connection and asks later what came of it."""

    async def connect() -> None:
        (await asyncio.open_connection(*place))[1].close()

    asyncio.run(connect())


def by_number(place: tuple[str, int]) -> None:
    """A call that returns the error instead of raising it."""
    with socket.socket() as mine:
        if code := mine.connect_ex(place):
            raise OSError(code, "refused")


@pytest.mark.parametrize("connect", [in_threads, in_asyncio, by_number])
def test_a_place_of_which_nothing_is_recorded_is_named(
    tmp_path: Path, lookalike: Lookalike, connect: Callable[[tuple[str, int]], None]
) -> None:
    """Whether it refuses the connection or not, and whoever waits for it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        dead = ("127.0.0.1", free.getsockname()[1])
    with (
        open_cassette(tmp_path / "a.yaml", mode="all") as session,
        pytest.raises(OSError, match=r"(?i)refused|connect"),
    ):
        connect(dead)
    assert [b[:2] for b in session.bypasses] == [("127.0.0.1", None)]
    with open_cassette(tmp_path / "b.yaml", mode="all") as session:
        connect(address(lookalike))
    assert [b[:2] for b in session.bypasses] == [("127.0.0.1", None)]


def test_guards_nest_and_leave_no_trace(lookalike: Lookalike) -> None:
    """Each guard in place is asked; afterwards the process has its own sockets back, also after an error."""
    before = patched()
    outer, inner = NetworkGuard(), NetworkGuard(["127.0.0.1"])
    with installed(outer), installed(inner), pytest.raises(NetworkBlocked):
        socket.create_connection(address(lookalike))
    assert (len(outer.bypasses), len(inner.bypasses)) == (1, 0)
    with pytest.raises(ZeroDivisionError), installed(outer):
        raise ZeroDivisionError
    assert patched() == before


def test_a_guard_is_put_before_what_stands_there_now(monkeypatch: pytest.MonkeyPatch) -> None:
    """Functions that replaced the process' own since the last guard, or during it, are asked through and left alone."""
    asked: list[str] = []
    real = socket.getaddrinfo

    def theirs(host: Any, *args: Any, **kwargs: Any) -> Any:
        asked.append(host)
        return real(host, *args, **kwargs)

    with installed(NetworkGuard()):
        pass
    monkeypatch.setattr(socket, "getaddrinfo", theirs)
    with installed(NetworkGuard(["localhost"])) as guard:
        socket.getaddrinfo("localhost", 9)
        monkeypatch.undo()
    assert (asked, list(guard.reached)) == (["localhost"], ["localhost:9"])
    with installed(NetworkGuard()), pytest.raises(NetworkBlocked):
        socket.getaddrinfo("localhost", 9)
    assert socket.getaddrinfo is real


@pytest.fixture
def kept() -> Iterator[tuple[object, ...]]:
    """The functions that stay in place for a session, which gives back those of the process at its end."""
    before, give_back = patched(), keep_in_place()
    yield patched()
    give_back()
    assert patched() == before


def test_what_stays_in_place_asks_the_guard_that_is_installed(kept: tuple[object, ...], lookalike: Lookalike) -> None:
    """Without a guard everything passes; guards find the functions in place, nested ones put theirs in front."""
    socket.create_connection(address(lookalike)).close()
    outer, inner = NetworkGuard(), NetworkGuard(["127.0.0.1"])
    for _ in range(2):
        with installed(outer), pytest.raises(NetworkBlocked):
            socket.create_connection(address(lookalike))
        with installed(outer):
            assert patched() == kept
        with installed(outer), installed(inner), pytest.raises(NetworkBlocked):
            socket.create_connection(address(lookalike))
        assert patched() == kept
    socket.create_connection(address(lookalike)).close()
    assert (len(outer.bypasses), list(inner.reached)) == (1, [f"127.0.0.1:{address(lookalike)[1]}"])


def test_a_session_in_a_session_leaves_the_functions_to_the_outer_one(kept: tuple[object, ...]) -> None:
    """It replaces nothing, and its end takes nothing away."""
    give_back = keep_in_place()
    assert patched() == kept
    give_back()
    assert patched() == kept


def fake(self: object, place: object) -> None:
    """What a test connects with that needs no network."""


def test_another_tool_patches_before_the_guard(
    kept: tuple[object, ...], monkeypatch: pytest.MonkeyPatch, lookalike: Lookalike
) -> None:
    """The guard comes before it, however often; when it is gone, what stays in place serves again."""
    for _ in range(2):
        monkeypatch.setattr(socket.socket, "connect", fake)
        with installed(NetworkGuard()), pytest.raises(NetworkBlocked):
            socket.create_connection(address(lookalike))
        assert socket.socket.connect is fake
        monkeypatch.undo()
        assert patched() == kept


def test_another_tool_patches_within_the_guard(
    kept: tuple[object, ...], monkeypatch: pytest.MonkeyPatch, lookalike: Lookalike
) -> None:
    """It has saved a function of ours, and gives that back after the guard is gone, or while the next is there."""
    for undone_within in (False, True):
        with installed(NetworkGuard()):
            monkeypatch.setattr(socket.socket, "connect", fake)
        with installed(NetworkGuard()):
            if undone_within:
                monkeypatch.undo()
            with pytest.raises(NetworkBlocked):
                socket.create_connection(address(lookalike))
        monkeypatch.undo()
        socket.create_connection(address(lookalike)).close()
        assert patched() == kept


def test_another_tool_gives_the_process_its_own_function_back(
    kept: tuple[object, ...], monkeypatch: pytest.MonkeyPatch, lookalike: Lookalike
) -> None:
    """Such as pytest-socket, which keeps the function of the start: the next guard replaces it again."""
    own = kept[0].__wrapped__  # type: ignore[attr-defined]
    monkeypatch.setattr(socket.socket, "connect", own)
    with installed(NetworkGuard()):
        assert patched() == kept
        with pytest.raises(NetworkBlocked):
            socket.create_connection(address(lookalike))
    socket.create_connection(address(lookalike)).close()


def test_modules_that_are_loaded_later_are_guarded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A module may be loaded, or loaded again, between two guards of a session."""

    class TlsSocket:
        family = socket.AF_INET

        def getpeername(self) -> tuple[str, int]:
            return ("203.0.113.1", 443)

        def getsockname(self) -> tuple[str, int]:
            return ("203.0.113.2", 50000)

        def send(self) -> str:
            return "sent"

        write = send

    monkeypatch.delitem(sys.modules, "ssl", raising=False)
    give_back = keep_in_place()
    monkeypatch.setitem(sys.modules, "ssl", SimpleNamespace(SSLSocket=TlsSocket))  # type: ignore[arg-type]
    with installed(NetworkGuard()), pytest.raises(NetworkBlocked, match=r"203\.0\.113\.1:443"):
        TlsSocket().send()
    assert TlsSocket().send() == "sent"
    give_back()


def test_who_contacted_a_host_is_noted_while_recording() -> None:
    """The first package on the stack is named, so that a client which cannot be recorded is known by name."""
    guard = NetworkGuard(blocking=False)
    with installed(guard):
        socket.getaddrinfo("127.0.0.1", 9)
    assert guard.clients == {"127.0.0.1": "tests"}


def test_a_client_whose_names_a_thread_looks_up_is_noted_when_it_connects() -> None:
    """Event loops look names up in a thread, on whose stack there is no client: niquests and others."""
    guard = NetworkGuard(blocking=False)
    with installed(guard), socket.socket() as connection:
        thread = threading.Thread(target=socket.getaddrinfo, args=("127.0.0.1", 9))
        thread.start()
        thread.join()
        assert guard.clients == {"127.0.0.1": "python"}
        connection.connect_ex(("127.0.0.1", 9))
    assert guard.clients == {"127.0.0.1": "tests"}


def test_what_is_contacted_while_recording(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proxies and addresses stand for the recorded host; a name of which nothing was recorded does not."""
    monkeypatch.setenv("https_proxy", "http://proxy.test:3128")
    contacted = {"api.test", "other.test", "proxy.test", "203.0.113.7", "127.0.0.1"}
    assert unexplained(contacted, {"api.test"}) == ["127.0.0.1", "other.test"]
    assert unexplained(contacted, ()) == ["127.0.0.1", "203.0.113.7", "api.test", "other.test"]


def test_a_recorded_name_explains_its_address(tmp_path: Path, lookalike: Lookalike) -> None:
    """A host that is recorded by its name is connected to by its address: that is no bypass."""
    url = lookalike.origin.replace("127.0.0.1", "localhost")
    with open_cassette(tmp_path / "a.yaml", mode="all") as session:
        httpx2.post(f"{url}/v1/chat/completions", json={"messages": []}, verify=False)
    assert len(session.recorded) == 1
    assert session.bypasses == ()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_windows_connects_to_itself(monkeypatch: pytest.MonkeyPatch, lookalike: Lookalike, host: str) -> None:
    """On Windows asyncio's own wake-up goes over loopback, so loopback is left alone there."""
    monkeypatch.setattr("sys.platform", "win32")
    with installed(NetworkGuard()) as guard, socket.create_connection((host, address(lookalike)[1]), timeout=5):
        pass
    assert guard.bypasses == []
