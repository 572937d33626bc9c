"""One run and its server, without any program: what a shim is told, and how long anybody waits."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from pytest_planguard.errors import UsageError
from pytest_planguard.replay.commands import command_server, record_or_replay
from pytest_planguard.replay.commands.command_server import CommandServer
from pytest_planguard.replay.commands.record_or_replay import Call, Refused, Run
from pytest_planguard.replay.commands.shim import Connection


@pytest.fixture
def server() -> Iterator[CommandServer]:
    """A server whose port is open."""
    opened = CommandServer()
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("text", "told"),
    [("no answer", b"planguard: no answer\n"), ("für \udcff", "planguard: für ?\n".encode()), ("", b"planguard: \n")],
)
def test_a_refused_command_says_why_and_fails(server: CommandServer, text: str, told: bytes) -> None:
    """On its standard error; a name that is no UTF-8 does not hide the reason."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        Run(ours, Call("", "", "", "/", {}, "agent", ()), {}, server).refuse(text)
        frames = Connection(theirs)
        assert [frames.receive(), frames.receive()] == [(b"E", told), (b"X", b"1")]


def test_nobody_is_told_once_the_shim_has_gone(server: CommandServer) -> None:
    """Its process may have been killed."""
    ours, theirs = socket.socketpair()
    run = Run(ours, Call("", "", "", "/", {}, "agent", ()), {}, server)
    ours.close()
    theirs.close()
    run.refuse("no answer")
    run.abandon()


def asked(server: CommandServer, name: str = "agent", token: str | None = None) -> list[tuple[bytes, bytes]]:
    """What a shim hears after its first frame."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as link:
        frames = Connection(link)
        words = (server.token if token is None else token, "", "", os.getcwd(), "0", name)  # noqa: PTH109 - as a shim
        frames.send(b"H", b"\0".join(map(os.fsencode, words)))
        return list(iter(frames.receive, (b"", b"")))


def test_a_command_outside_of_a_cassette_is_refused(server: CommandServer) -> None:
    """The test fails, too, even if it ignores the exit code."""
    problem = "agent was run without an open cassette; run it in the body of the test"
    assert asked(server) == [(b"E", f"planguard: {problem}\n".encode()), (b"X", b"1")]
    assert server.problems == [problem]
    assert [run.call.name for run in server.runs] == ["agent"]


def test_a_stranger_hears_nothing(server: CommandServer) -> None:
    """Any process of the machine can connect."""
    assert asked(server, token="guessed") == []
    assert (server.problems, server.runs) == ([], [])


def test_an_error_of_planguard_itself_fails_the_test(server: CommandServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its type, for a report."""

    def broken() -> object:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr(command_server, "active_responder", broken)
    problem = "agent could not be served: ZeroDivisionError: by zero"
    assert asked(server) == [(b"E", f"planguard: {problem}\n".encode()), (b"X", b"1")]
    assert server.problems == [problem]


def test_a_reason_that_the_cassette_keeps_is_no_second_problem() -> None:
    """By default a refusal is one of its own."""
    assert not Refused("a").is_known
    assert Refused("a", is_known=True).is_known


def test_silent_connections_hold_the_end_of_a_test_up_only_once(
    server: CommandServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All together, not each for itself."""
    monkeypatch.setattr(command_server, "_LATE_S", 0.01)
    with ExitStack() as stack:
        for _ in range(3):
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=10))
        while len(server._serving) < 3:
            time.sleep(0.001)
        began = time.monotonic()
        server.settle()
        assert time.monotonic() - began < 1


def test_a_note_is_kept_once_and_a_child_has_a_name_of_its_own(server: CommandServer) -> None:
    """Names cannot be guessed."""
    for note in ("one", "two", "one"):
        server.note(note)
    assert server.notes == ["one", "two"]
    (name, child), (other, _) = server.child({"A": None}), server.child({})
    assert name != other
    assert len(name) >= 10
    assert (child.restored, child.asked, server.is_cut_off) == ({"A": None}, False, False)


def test_commands_need_a_shell(server: CommandServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shims are its scripts."""
    monkeypatch.setattr(command_server.os, "name", "nt")
    with pytest.raises(UsageError) as told:
        server.open(["agent"])
    monkeypatch.undo()
    assert str(told.value) == "commands= needs a system with a POSIX shell: got Windows; use WSL"


@pytest.mark.parametrize("word", ["p.md", "@p.md", "--file=p.md", "--file=@p.md", "-f=p.md"])
def test_an_argument_may_name_a_prompt_file(tmp_path: Path, word: str) -> None:
    """What is in it belongs to the request."""
    (tmp_path / "p.md").write_bytes(b"say")
    assert record_or_replay._prompt_files(tmp_path, (word, "absent.md", "p.md\n")) == {"p.md": b"say"}


@pytest.mark.parametrize(("length", "is_one"), [(500, True), (501, False)])
def test_a_long_argument_is_a_prompt(tmp_path: Path, length: int, is_one: bool) -> None:
    """Not the name of a file."""
    (tmp_path / "p.md").write_bytes(b"say")
    word = "./" * ((length - 4) // 2) + "/" * (length % 2) + "p.md"
    assert len(word) == length
    assert bool(record_or_replay._prompt_files(tmp_path, (word,))) == is_one
