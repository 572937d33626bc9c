"""The programs that stand in for a command, run in this process: what they tell the test, and what they make of it."""

from __future__ import annotations

import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import Self

import pytest

from pytest_planguard.replay.commands import shim, shim_relay
from pytest_planguard.replay.commands.record_or_replay import Call

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
"""A shim closes nothing: its process ends."""

Frame = tuple[bytes, bytes]
_LATE_S = 20.0
"""Seconds after which a thread that should have ended fails the test."""


class Other(threading.Thread):
    """The test at the other end: it sends what it is given and keeps what it hears."""

    def __init__(
        self, *frames_to_send: Frame, after_hello: bool = True, on_output: Callable[[], object] = lambda: None
    ) -> None:
        super().__init__(daemon=True)
        self._to_send, self._after_hello, self._on_output = frames_to_send, after_hello, on_output
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._server.getsockname()[1])
        self.heard: list[Frame] = []

    def run(self) -> None:
        """Answer one shim until it has gone."""
        connection, _ = self._server.accept()
        frames = shim.Connection(connection)
        with connection, self._server:
            if self._after_hello:
                self.heard += [frame for frame in [frames.receive()] if frame[0]]
            for kind, payload in self._to_send:
                frames.send(kind, payload)
            with suppress(OSError):  # a shim that has all it needs may be gone
                connection.shutdown(socket.SHUT_WR)
                self._hear(frames)

    def _hear(self, frames: shim.Connection) -> None:
        while (frame := frames.receive())[0]:
            self.heard.append(frame)
            if frame[0] == b"O":
                self._on_output()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.join(_LATE_S)
        assert not self.is_alive()


@contextmanager
def standard_input(content: bytes) -> Iterator[None]:
    """Let descriptor 0 be a file with this content."""
    with TemporaryFile() as file:
        file.write(content)
        file.seek(0)
        with standing_in(file.fileno()):
            yield


@contextmanager
def standing_in(descriptor: int, standard: int = 0) -> Iterator[None]:
    """Let a standard stream of this process be another descriptor."""
    before = os.dup(standard)
    os.dup2(descriptor, standard)
    try:
        yield
    finally:
        os.dup2(before, standard)
        os.close(before)


@contextmanager
def pipe() -> Iterator[tuple[int, int]]:
    """Open a pipe: the end that is read, and the one that is written."""
    ends = os.pipe()
    try:
        yield ends
    finally:
        for end in ends:
            os.close(end)


def run_shim(*frames_to_send: Frame, stdin: str = "other", variables: str = "") -> tuple[int, list[Frame]]:
    """Run a shim to its end; return its exit code and what it said after its hello."""
    with Other(*frames_to_send) as other:
        code = shim.main(str(other.port), "token", stdin, variables, "/shims", "agent", "a", "")
    return code, other.heard[1:]


def test_the_first_frame_says_all_of_the_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Token, child, outer runs, folder, the variables that are set, name and arguments."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SET", "a=b")
    monkeypatch.setenv(shim.CHILD, "child")
    monkeypatch.setenv(shim.INSIDE, "outer")
    monkeypatch.delenv("NOT_SET", raising=False)
    for variables, known in (("SET,NOT_SET", {"SET": "a=b"}), ("", {})):
        with Other((b"X", b"0")) as other:
            shim.main(str(other.port), "token", "-", variables, "/shims", "agent", "a", "", "é\n")
        ((kind, payload),) = other.heard
        assert (kind, Call.of(payload)) == (
            b"H",
            Call("token", "child", "outer", str(tmp_path), known, "agent", ("a", "", "é\n")),
        )
    assert capfd.readouterr() == ("", "")


def test_a_call_outside_of_any_child_has_no_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is made up where planguard has set no variable."""
    monkeypatch.delenv(shim.CHILD, raising=False)
    monkeypatch.delenv(shim.INSIDE, raising=False)
    with Other((b"X", b"0")) as other:
        shim.main(str(other.port), "token", "-", "", "/shims", "agent")
    call = Call.of(other.heard[0][1])
    assert (call.child, call.inside) == ("", "")


def test_streams_and_the_end_are_as_the_test_says(capfd: pytest.CaptureFixture[str]) -> None:
    """In pieces, in their order; no word about the end is an end with code 1."""
    said = ((b"O", b"out "), (b"E", b"err "), (b"O", b"more"), (b"E", b"more"))
    assert run_shim(*said, (b"X", b"3")) == (3, [])
    assert capfd.readouterr() == ("out more", "err more")
    assert run_shim((b"X", b"")) == (1, [])
    assert run_shim() == (1, [])
    assert run_shim((b"X", b"0"), (b"O", b"never read")) == (0, [])
    assert capfd.readouterr() == ("", "")


def test_input_is_read_unless_it_is_the_test_s_own() -> None:
    """All of it up to its end; of the test's own nothing is read."""
    content = b"caf\xc3\xa9\n" * 20_000  # more than one piece
    with standard_input(b""):
        assert run_shim((b"I", b"10000"), (b"X", b"0")) == (0, [(b"I", b"")])
    with standard_input(content):
        assert run_shim((b"I", b"10000"), (b"X", b"0"), stdin=shim.identity()) == (0, [(b"I", b"")])
        assert run_shim((b"I", b"10000"), (b"X", b"0")) == (0, [(b"I", content)])


def test_input_that_stays_silent_ends_after_its_time() -> None:
    """A pipe that nobody writes to or closes: the wait is in milliseconds."""
    with pipe() as (ours, theirs), standing_in(ours):
        os.write(theirs, b"begun")
        assert run_shim((b"I", b"1"), (b"X", b"0")) == (0, [(b"I", b"begun")])


def test_nothing_is_read_of_a_terminal_or_of_a_closed_input() -> None:
    """A person at a terminal is not waited for."""
    terminal, device = os.openpty()
    with standing_in(device):
        os.write(terminal, b"typed\n")
        assert shim.read_input(0.01) == b""
        os.close(0)
        assert (shim.identity(), shim.read_input(0.01)) == ("-", b"")
    for descriptor in (terminal, device):
        os.close(descriptor)


def test_an_identity_is_that_of_the_file() -> None:
    """Two processes that share standard input say the same."""
    with standard_input(b""):
        status = os.fstat(0)
        assert shim.identity() == f"{status.st_dev}:{status.st_ino}"


def test_a_shim_without_its_test_says_so(capfd: pytest.CaptureFixture[str]) -> None:
    """Nobody listens there."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
    assert shim.main(port, "token", "-", "", "/shims", "agent") == 1
    assert capfd.readouterr() == ("", "planguard: agent was started after its test had ended\n")


def test_whoever_reads_no_further_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A closed pipe is no error; neither is a folder that is gone."""
    ours, theirs = os.pipe()
    os.close(ours)
    shim.write(theirs, b"x")
    os.close(theirs)
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert shim.work_folder() == ""


def ended(work: Callable[[], int]) -> int:
    """Return the exit code of a forked process, less than zero where a signal ended it."""
    pid = os.fork()
    if not pid:
        code = 99
        try:
            code = work()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_as_it_ended_the_program(number: int) -> None:
    """Even one that Python would turn into an exception."""
    with Other((b"K", b"%d" % number)) as other:
        assert ended(lambda: shim.main(str(other.port), "token", "-", "", "/shims", "agent")) == -number


def test_a_run_without_an_end_is_killed_when_its_test_ends() -> None:
    """It waits for the test to close the connection."""
    with Other((b"W", b"")) as other:
        assert ended(lambda: shim.main(str(other.port), "token", "-", "", "/shims", "agent")) == -signal.SIGKILL


# The real program in the place of its shim.


@pytest.fixture(autouse=True)
def _signals() -> Iterator[None]:
    """Put back what a relay does to this process' signals."""
    names = ("SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2")
    before = {name: signal.getsignal(getattr(signal, name)) for name in names}
    yield
    for name, handler in before.items():
        signal.signal(getattr(signal, name), handler)


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on PATH, behind that of the shims."""
    for name in ("shims", "bin"):
        (tmp_path / name).mkdir()
    write(tmp_path / "shims" / "agent", "exit 55")
    monkeypatch.setenv("PATH", os.pathsep.join([str(tmp_path / "shims"), str(tmp_path / "bin"), "/usr/bin", "/bin"]))
    return tmp_path / "bin"


def write(path: Path, script: str) -> None:
    """Write a program for the shell."""
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)


def run_relay(
    programs: Path,
    given: bytes | None = b"",
    *,
    reply: Frame,
    changes: bytes = b"token",
    inherits: bool = False,
    on_output: Callable[[], object] = lambda: None,
) -> tuple[int, dict[bytes, bytes]]:
    """Run the real program; return the exit code and what the test heard, joined by kind."""
    with Other(reply, after_hello=False, on_output=on_output) as other:
        connection = shim.Connection.to(other.port)
        folder = str(programs.parent / "shims")
        code = shim_relay.relay(connection, folder, "agent", ("a b", ""), changes, given, inherits=inherits)
        connection.link.close()
    heard: dict[bytes, bytes] = {}
    for kind, payload in other.heard:
        heard[kind] = heard.get(kind, b"") + payload
    return code, heard


DONE = (b"D", b"")


def test_a_program_is_run_and_listened_to(programs: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Its arguments, its input that was read already, its streams and its end."""
    write(programs / "agent", 'echo "$#:$1:$2"; cat; echo careful >&2; echo $$ > "$0.pid"; exit 3')
    code, heard = run_relay(programs, b"given", reply=DONE)
    pid = (programs / "agent.pid").read_bytes().strip()
    assert (code, heard) == (3, {b"P": pid, b"O": b"2:a b:\ngiven", b"E": b"careful\n", b"X": b"3"})
    assert capfd.readouterr() == ("2:a b:\ngiven", "careful\n")


def test_input_that_was_not_read_is_passed_on(programs: Path) -> None:
    """The test hears of it; of what the program inherits, and of a terminal, it hears nothing."""
    write(programs / "agent", "exec cat")
    with standard_input(b"typed"):
        code, heard = run_relay(programs, None, reply=DONE)
        assert (code, heard[b"I"], heard[b"O"], b"N" in heard) == (0, b"typed", b"typed", False)
    with standard_input(b"inherited"):
        _, heard = run_relay(programs, None, inherits=True, reply=DONE)
        assert (heard[b"O"], b"I" in heard) == (b"inherited", False)
    with standard_input(b"not read"):
        _, heard = run_relay(programs, b"given", reply=DONE)
        assert (heard[b"O"], b"I" in heard, b"N" in heard) == (b"given", False, False)


def test_a_program_that_is_spoken_to_while_it_answers(programs: Path) -> None:
    """The test learns once it writes before its input is there."""
    write(programs / "agent", "echo first; read line; echo $line")
    with pipe() as (ours, theirs), standing_in(ours):
        go = [b"go\n"]
        _, heard = run_relay(programs, None, reply=DONE, on_output=lambda: go and os.write(theirs, go.pop()))
    assert (heard[b"O"], heard[b"N"]) == (b"first\ngo\n", b"")


def test_what_is_wrong_with_a_run_is_said_at_its_end(programs: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The command fails then, whatever its own code was."""
    write(programs / "agent", "exit 0")
    assert run_relay(programs, reply=(b"E", b"planguard: no\n"))[0] == 1
    assert capfd.readouterr() == ("", "planguard: no\n")
    write(programs / "agent", "exit 4")
    assert run_relay(programs, reply=(b"E", b"planguard: no\n"))[0] == 4


def test_a_program_that_is_not_there_or_cannot_start(programs: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The codes of a shell."""
    assert run_relay(programs, reply=(b"E", b"not installed\n")) == (127, {b"M": b""})
    assert capfd.readouterr() == ("", "not installed\n")
    path = programs / "agent"
    path.write_bytes(b"\x7fELF is none")
    path.chmod(0o755)
    assert run_relay(programs, reply=DONE) == (126, {b"X": b"126"})
    assert capfd.readouterr() == ("", f"planguard: {path} cannot be started: Exec format error\n")


def test_programs_are_found_as_the_system_finds_them(
    tmp_path: Path, programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first that may be executed, in no folder of shims, whatever it is spelt like."""
    shims = str(tmp_path / "shims")
    assert shim_relay.find("agent", shims) is None
    (tmp_path / "more").mkdir()
    (programs / "agent").mkdir()
    write(tmp_path / "more" / "agent", "")
    monkeypatch.setenv("PATH", f"{tmp_path / 'shims' / '.'}:{programs}:{tmp_path / 'more'}")
    assert shim_relay.find("agent", shims) == str(tmp_path / "more" / "agent")
    (tmp_path / "more" / "agent").chmod(0o644)
    assert os.geteuid() == 0 or shim_relay.find("agent", shims) is None
    monkeypatch.chdir(tmp_path / "shims")
    monkeypatch.setenv("PATH", "")
    assert shim_relay.find("agent", shims) is None
    monkeypatch.chdir(tmp_path / "more")
    (tmp_path / "more" / "agent").chmod(0o755)
    assert shim_relay.find("agent", shims) == "agent"


def test_the_environment_of_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """What planguard added is taken back, and the tests that record it are named."""
    monkeypatch.setenv("SET", "shim's")
    monkeypatch.setenv("ADDED", "by planguard")
    for before, token, inside in ((None, "new", "new"), ("old", "new", "old:new"), ("old", "", "old"), (None, "", "")):
        monkeypatch.delenv(shim.INSIDE, raising=False)
        if before is not None:
            monkeypatch.setenv(shim.INSIDE, before)
        own = shim_relay.changed(["SET=a=b", "ADDED", "NEVER", "MORE="], token)
        usual = {name: value for name, value in os.environ.items() if name != "ADDED"}
        assert own == {**usual, "SET": "a=b", "MORE": "", "PLANGUARD_INSIDE": inside}


def test_a_program_that_is_not_recorded_takes_the_place_of_its_shim(programs: Path) -> None:
    """Within the run of another command nobody listens to it."""
    write(programs / "agent", 'exit "$CODE"')
    assert ended(lambda: run_relay(programs, changes=b"\0CODE=7", reply=DONE)[0]) == 7


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_program_that_a_signal_ends(programs: Path, number: int) -> None:
    """The shim ends the same way, and says so before."""
    write(programs / "agent", f"kill -{int(number)} $$")
    with Other(DONE, after_hello=False) as other:
        connection = shim.Connection.to(other.port)
        folder = str(programs.parent / "shims")
        code = ended(lambda: shim_relay.relay(connection, folder, "agent", (), b"token", b""))
        connection.link.close()
    assert (code, other.heard[-1]) == (-number, (b"K", b"%d" % number))


@pytest.mark.parametrize("name", ["TERM", "INT", "HUP", "QUIT", "USR1", "USR2"])
def test_signals_are_passed_on(programs: Path, name: str) -> None:
    """To the program, which takes its leave. Its input comes after the relay listens for signals."""
    write(programs / "agent", f"trap 'exit 7' {name}; read line; kill -{name} $PPID; while :; do sleep 0.01; done")
    assert run_relay(programs, b"go\n", reply=DONE)[0] == 7


def test_a_reader_that_goes_away_ends_the_output(programs: Path) -> None:
    """The program learns it by its next write, and the test has what came before."""
    write(programs / "agent", "trap 'exit 9' PIPE; while echo line; do :; done; exit 8")
    ours, theirs = os.pipe()
    os.close(ours)
    with standing_in(theirs, 1):
        code, heard = run_relay(programs, reply=DONE)
    os.close(theirs)
    assert code == 9
    assert heard[b"O"].startswith(b"line\n")
