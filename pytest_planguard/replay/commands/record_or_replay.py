"""One run of a command, from its shim's first frame to its last: replayed, recorded, passed through or refused."""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ...errors import CassetteError
from ..files.interaction import local_exchange
from ..matching.refusal import Miss
from ..session.responder import Responder
from .replayed_files import OwnFiles, write_again
from .shim import Connection
from .taped_run import (
    CommandRequest,
    CommandResult,
    TapeScope,
    WrittenFile,
    environment_of,
    result_of,
    stdin_of,
)
from .work_folder import MAX_SIZE, FolderNames, Snapshot, changes, is_recorded_path, look

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_NAMED_FILE = 500
"""Maximum length of an argument that may name a file, in characters. Longer ones are prompts."""

_INPUT_RECORDED_MS = 10_000
"""Milliseconds to wait for standard input if the recorded run has input."""
_INPUT_UNKNOWN_MS = 2_000
"""The same if the input decides which recorded run fits, or if none fits."""
_NO_INPUT_MS = 250
"""The same if the recorded run has no input."""


class Refused(CassetteError):
    """A command is neither run nor replayed. If `is_known`, the cassette has recorded the reason."""

    def __init__(self, message: str, *, is_known: bool = False) -> None:
        super().__init__(message)
        self.is_known = is_known


class Call(NamedTuple):
    """A command's call, as its shim describes it."""

    token: str
    child: str
    inside: str
    folder: str
    environment: Mapping[str, str]
    """The set variables that belong to the scope."""
    name: str
    arguments: tuple[str, ...]

    @classmethod
    def of(cls, payload: bytes) -> Call:
        """Read the first frame of a shim."""
        token, child, inside, folder, number, *rest = [os.fsdecode(word) for word in payload.split(b"\0")]
        variables, (name, *arguments) = rest[: int(number)], rest[int(number) :]
        environment = {variable: value for variable, _, value in (pair.partition("=") for pair in variables)}
        return cls(token, child, inside, folder, environment, name, tuple(arguments))


class Server(Protocol):
    """The part of the server that a run needs."""

    token: str
    temporary: Path | None
    scope: TapeScope
    own_files: OwnFiles
    writing: threading.Lock

    def note(self, text: str) -> None:
        """Keep a note, once."""
        ...


class Run:
    """One run."""

    def __init__(
        self, connection: socket.socket, call: Call, restored: Mapping[str, str | None], server: Server
    ) -> None:
        self.call = call
        self.result: CommandResult | None = None
        """The result; None while it runs."""
        self.replayed = False
        self.cut_off = threading.Event()
        """Set while a run is replayed whose recording has no end."""
        self._pid: int | None = None
        self._abandoned = False
        self._shim, self._restored, self._server = Connection(connection), restored, server
        self._folder = Path(call.folder)
        self._names = FolderNames(self._folder, _test_folder(self._folder, server.temporary))

    def serve(self, responder: Responder) -> None:
        """Replay or record, depending on the test's cassette.

        Raises:
            CassetteError: neither is possible.
            OSError: the shim has gone.
        """
        if self._server.token in self.call.inside.split(":"):
            self._start_real(recorded=False)
            return
        if not self.call.folder:  # `Path("")` would be the folder of the tests
            raise Refused(f"{self.call.name} was started in a folder that is gone; start it in one that exists")
        if responder.recording and not responder.capped:
            self._record(responder, b"", given=False)
            return
        self._shim.send(b"I", b"%d" % self._input_wait_ms(responder))
        _, given = self._shim.receive()
        request = self._request(given)
        if responder.replays(lambda: request.message):
            self._replay(responder, request)
        else:
            self._record(responder, request.stdin, given=True)

    def refuse(self, text: str) -> None:
        """Tell the shim why there is no output, and end it with exit code 1."""
        with suppress(OSError):
            self._shim.send(b"E", f"planguard: {text}\n".encode("utf-8", "replace"))
            self._shim.send(b"X", b"1")

    def abandon(self) -> None:
        """Release a shim that is still waiting, and kill its program."""
        self._abandoned = True
        self._kill()
        with suppress(OSError):
            self._shim.link.shutdown(socket.SHUT_RDWR)

    # Replaying.

    def _input_wait_ms(self, responder: Responder) -> int:
        """Return how long standard input may be silent before it is considered ended: briefly if none is recorded.

        An app may give the command a pipe that it never closes, as Node does by default.
        """
        entry = responder.peek(self._request(b"").message)
        if entry is None:
            return _INPUT_UNKNOWN_MS
        return _INPUT_RECORDED_MS if stdin_of(entry.raw.request.body) else _NO_INPUT_MS

    def _replay(self, responder: Responder, request: CommandRequest) -> None:
        entry = responder.answer(request.message)
        if isinstance(entry, Miss):
            raise Refused(entry.message, is_known=True)
        result = result_of(entry.raw.response.body)
        temporary = self._server.temporary
        with self._server.writing:  # concurrent runs may have written the same files
            own = self._server.own_files
            write_again(self._folder, result.files, self._names, temporary, own, entry.position)
        self.replayed, self.result = True, result
        self._note_other_environment(environment_of(entry.raw.request.body), request)
        for kind, content in ((b"O", result.stdout), (b"E", result.stderr)):
            if content:
                self._shim.send(kind, self._names.spelt_out(content))
        self._end(result)

    def _note_other_environment(self, recorded: Mapping[str, str], request: CommandRequest) -> None:
        for name, value in recorded.items():
            now = (request.environment or {}).get(name)
            if now != value and name in self._server.scope.environment:
                is_now = "is not set" if now is None else f"is {now!r}"
                self._note(f"{name} {is_now}, and was {value!r} when the run was recorded")

    def _end(self, result: CommandResult) -> None:
        if result.timed_out:
            self.cut_off.set()
            self._shim.send(b"W")
            self._shim.receive()  # until the caller ends the shim
            self.cut_off.clear()
        elif result.signal is not None:
            self._shim.send(b"K", b"%d" % result.signal)
        else:
            self._shim.send(b"X", b"%d" % (result.exit_code or 0))

    # Recording.

    def _record(self, responder: Responder, stdin: bytes, *, given: bool) -> None:
        request, before = self._request(stdin), look(self._folder, self._names, self._server.scope)
        began = time.monotonic()
        self._start_real(recorded=True)
        heard = _Heard()
        for kind, payload in self._frames():
            heard.take(kind, payload)
            if kind == b"P":
                self._pid = int(payload)
        self._pid = None if heard.ended else self._pid
        self._kill()
        if heard.missing:
            raise Refused(
                f"{self.call.name} is not installed: got no program of that name on PATH; install it, then record"
            )
        if heard.interactive:
            self._note("received input while it answered: planguard does not replay interactive protocols")
        if not given:
            request = self._request(heard.stdin, request.prompt_files)
        self._keep(responder, request, heard, before, time.monotonic() - began)

    def _keep(
        self, responder: Responder, request: CommandRequest, heard: _Heard, before: Snapshot, took_s: float
    ) -> None:
        found = changes(self._folder, before, look(self._folder, self._names, self._server.scope), self._names)
        for note in found.notes:
            self._note(note)
        self.result = heard.result(self._names.shortened, found.files)
        responder.record(local_exchange(request.url, request.body, self.result.body, took_s))
        with suppress(OSError):
            self._shim.send(b"D")

    def _frames(self) -> Iterator[tuple[bytes, bytes]]:
        while (frame := self._shim.receive())[0]:
            if self._abandoned and frame[0] == b"K":
                return  # our own signal: the shim may report it before it finds the connection closed
            yield frame
            if frame[0] in (b"X", b"K", b"M"):
                return

    def _start_real(self, *, recorded: bool) -> None:
        restored = [name if value is None else f"{name}={value}" for name, value in self._restored.items()]
        words = [self._server.token if recorded else "", *restored]
        self._shim.send(b"R", b"\0".join(map(os.fsencode, words)))

    def _kill(self) -> None:
        """Kill the real program if its shim was killed first."""
        if self._pid is not None:
            with suppress(OSError):
                os.kill(self._pid, signal.SIGKILL)
            self._pid = None

    def _note(self, text: str) -> None:
        self._server.note(f"{self.call.name}: {text}")

    def _request(self, stdin: bytes, prompt_files: Mapping[str, bytes] | None = None) -> CommandRequest:
        short = self._names
        arguments = tuple(short.shortened_text(word) for word in self.call.arguments)
        named = _prompt_files(self._folder, self.call.arguments) if prompt_files is None else prompt_files
        contents = {path: short.shortened(content) for path, content in named.items()}
        return CommandRequest(self.call.name, arguments, short.shortened(stdin), contents, self._environment())

    def _environment(self) -> dict[str, str]:
        """Return the variables to record, as they were before planguard changed them for its children."""
        known = dict(self.call.environment)
        for name in known.keys() & self._restored.keys():
            value = self._restored[name]
            if value is None:
                del known[name]
            else:
                known[name] = value
        return {name: self._names.shortened_text(value) for name, value in known.items()}


class _Heard:
    """The report of a shim about the real program, frame by frame."""

    def __init__(self) -> None:
        self._streams: dict[bytes, list[bytes]] = {b"I": [], b"O": [], b"E": []}
        self._exit_code: int | None = None
        self._signal: int | None = None
        self.missing = self.interactive = False

    def take(self, kind: bytes, payload: bytes) -> None:
        """Take one frame."""
        if kind in self._streams:
            self._streams[kind].append(payload)
        elif kind == b"X":
            self._exit_code = int(payload)
        elif kind == b"K":
            self._signal = int(payload)
        self.missing |= kind == b"M"
        self.interactive |= kind == b"N"

    @property
    def ended(self) -> bool:
        """True if the program exited or was ended by a signal."""
        return self._exit_code is not None or self._signal is not None

    @property
    def stdin(self) -> bytes:
        """The program's input."""
        return self._joined(b"I")

    def result(self, shortened: Callable[[bytes], bytes], files: tuple[WrittenFile, ...]) -> CommandResult:
        """Return the result, with the streams in the form that is recorded."""
        stdout, stderr = shortened(self._joined(b"O")), shortened(self._joined(b"E"))
        timed_out = not self.ended
        return CommandResult(stdout, stderr, self._exit_code, self._signal, timed_out=timed_out, files=files)

    def _joined(self, kind: bytes) -> bytes:
        return b"".join(self._streams[kind])


def _prompt_files(folder: Path, arguments: tuple[str, ...]) -> dict[str, bytes]:
    """Return the files below the folder that the arguments name: `prompt.md`, `@prompt.md`, `--file=prompt.md`."""
    found: dict[str, bytes] = {}
    for word in arguments:
        for name in (word, word.removeprefix("@"), word.partition("=")[2].removeprefix("@")):
            path = _file_below(folder, name)
            if path is not None:
                with suppress(OSError):
                    found[path] = (folder / path).read_bytes()
                break
    return found


def _file_below(folder: Path, name: str) -> str | None:
    """Return the path of a file relative to the folder; None if the words name no file below it."""
    if not name or len(name) > _NAMED_FILE or "\n" in name:
        return None
    try:
        path = (folder / name).resolve()
        relative = path.relative_to(folder.resolve()).as_posix()
        small = path.is_file() and path.stat().st_size <= MAX_SIZE
    except (OSError, ValueError):  # elsewhere, or not a path at all: "a\0b"
        return None
    return relative if small and is_recorded_path(relative) else None


def _test_folder(folder: Path, temporary: Path | None) -> Path | None:
    """Return the temporary folder of one test, the first below that of the session; None for a folder elsewhere."""
    if temporary is None:
        return None
    try:
        parts = folder.resolve().relative_to(temporary.resolve()).parts
    except ValueError:
        return None
    return temporary.resolve() / parts[0] if parts else None
