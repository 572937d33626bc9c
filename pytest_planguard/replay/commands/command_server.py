"""The recorded and replayed commands of a running test: shims on its PATH, and the server that answers them.

The answers come from the cassette, or the real program runs and is recorded.
"""

from __future__ import annotations

import os
import secrets
import shlex
import socket
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from ...errors import PlanguardError, UsageError
from ..endpoint_children import equipped_children
from ..network.hooks import OWN_PORTS
from ..session.responder import active_responder
from .record_or_replay import Call, Refused, Run
from .replayed_files import OwnFiles
from .shim import CHILD, Connection, identity
from .taped_run import EVERYTHING, TapeScope

if TYPE_CHECKING:
    from ..endpoint_children import Equip
    from ..network.processes import ProcessWatch

HOST = "127.0.0.1"
_LATE_S = 1.0
"""Maximum number of seconds to wait for runs to be recorded after their commands have ended."""
_HELLO_S = 10.0
"""Maximum number of seconds until a connected shim must identify itself."""


@dataclass
class Child:
    """One child that the test started, with the commands that it runs."""

    context: Context
    """The context in which the child was started. It tells to which conversation requests belong."""
    restored: Mapping[str, str | None] = field(default_factory=dict)
    """The values that variables had before planguard set them for the child; None for unset ones."""
    asked = False
    """True if any of its commands was a shim."""


class CommandServer:
    """Listens on 127.0.0.1 for the shims of one test."""

    def __init__(
        self,
        temporary: Path | None = None,
        scope: TapeScope = EVERYTHING,
        watch: ProcessWatch | None = None,
        beside: Equip | None = None,
    ) -> None:
        """Start to listen.

        Args:
            temporary: the temporary folder of the test session; git work trees above it do not count.
            scope: what is recorded with runs; by default all files, and no variables.
            watch: notes children that run no command; None if they are allowed.
            beside: gives children more variables, such as those of the endpoint.
        """
        self._watch, self._beside = watch, beside
        self._stack = ExitStack()
        self._folder = Path()
        self.scope = scope
        self.token = secrets.token_urlsafe(16)
        self.temporary = temporary
        self.runs: list[Run] = []
        """The runs, in the order in which they began."""
        self.problems: list[str] = []
        """Why commands were refused, except for requests without a recorded answer, which the cassette keeps."""
        self.notes: list[str] = []
        """Notes for people, one line each."""
        self.own_files = OwnFiles()
        """Files that were written for this test."""
        self.writing = threading.Lock()
        self._serving: list[threading.Thread] = []
        self._children: dict[str, Child] = {}
        self._base = Child(copy_context())
        self._lock = threading.Lock()
        self._socket = socket.create_server((HOST, 0), backlog=128)
        self.port = int(self._socket.getsockname()[1])
        OWN_PORTS.add(self.port)
        try:
            threading.Thread(target=self._listen, daemon=True, name="planguard commands").start()
        except BaseException:  # no thread could start
            self.close()
            raise

    def open(self, commands: Iterable[str]) -> None:
        """Put shims first on the PATH, and route each child that starts from now on to them, until `close`.

        Raises UsageError if this system cannot run shell scripts.
        """
        if os.name != "posix":
            raise UsageError("commands= needs a system with a POSIX shell: got Windows; use WSL")
        self._folder = self._stack.enter_context(shims(commands, self.port, self.token, self.scope.environment))
        self._stack.enter_context(equipped_children(self._equip))

    @contextmanager
    def _equip(self, command: Sequence[Any], own: Mapping[Any, Any]) -> Iterator[Mapping[str, str]]:
        """Wrap the start of a child, with shims on its PATH and the other additions to its environment."""
        with nullcontext({}) if self._beside is None else self._beside(command, own) as more:
            texts = {os.fsdecode(name): os.fsdecode(value) for name, value in own.items()}
            name, child = self.child({variable: texts.get(variable) for variable in more})
            with nullcontext() if self._watch is None else self._watch.starting(lambda: child.asked):
                yield {**more, **child_variables(self._folder, name, texts)}

    @property
    def is_cut_off(self) -> bool:
        """True while a run is replayed from a truncated cassette: a process that waits for it would wait forever."""
        return any(run.cut_off.is_set() for run in self.runs)

    def child(self, restored: Mapping[str, str | None]) -> tuple[str, Child]:
        """Return the name and the state of a child that starts now."""
        name = secrets.token_urlsafe(8)
        self._children[name] = Child(copy_context(), restored)
        return name, self._children[name]

    def note(self, text: str) -> None:
        """Keep a note, once."""
        if text not in self.notes:
            self.notes.append(text)

    def settle(self) -> None:
        """Wait for commands that are ending, and kill the others, because the cassette is about to be closed."""
        # First without force: most commands are ending by themselves.
        self._join()
        for run in self.runs:
            run.abandon()
        self._join()

    def _join(self) -> None:
        """Wait at most `_LATE_S` in total, because waiting that long for each silent connection would add up."""
        end = time.monotonic() + _LATE_S
        for thread in self._serving:
            thread.join(max(0.0, end - time.monotonic()))

    def close(self) -> None:
        """Remove the shims, close the port, and kill the programs that are still running."""
        try:
            self._stack.close()
        finally:
            OWN_PORTS.discard(self.port)
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
            self._socket.close()
            for run in self.runs:
                run.abandon()

    def _listen(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:  # closed
                return
            thread = threading.Thread(target=self._serve, args=(connection,), daemon=True)
            self._serving = [*(t for t in self._serving if t.is_alive()), thread]
            thread.start()

    def _serve(self, connection: socket.socket) -> None:
        # Each side waits for small frames of the other, which Nagle's algorithm would hold back for 40 ms.
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with connection:
            connection.settimeout(_HELLO_S)
            kind, payload = Connection(connection).receive()
            connection.settimeout(None)
            if kind != b"H":
                return
            call = Call.of(payload)
            if not secrets.compare_digest(call.token, self.token):  # any process of this machine can connect
                return
            child = self._children.get(call.child, self._base)
            child.asked = True
            with suppress(OSError):  # the shim was killed
                child.context.copy().run(self._answer, connection, call, child)

    def _answer(self, connection: socket.socket, call: Call, child: Child) -> None:
        run = Run(connection, call, child.restored, self)
        with self._lock:
            self.runs.append(run)
        try:
            responder = active_responder()
            if responder is None:
                raise Refused(f"{call.name} was run without an open cassette; run it in the body of the test")
            run.serve(responder)
        except PlanguardError as error:
            if not (isinstance(error, Refused) and error.is_known):
                self.problems.append(str(error))
            run.refuse(str(error))
        except OSError:
            raise
        except Exception as error:  # any error here must fail the test, not only its command
            self.problems.append(f"{call.name} could not be served: {type(error).__name__}: {error}")
            run.refuse(self.problems[-1])


_SHIM = Path(__file__).with_name("shim.py")


@contextmanager
def shims(commands: Iterable[str], port: int, token: str, variables: Iterable[str] = ()) -> Iterator[Path]:
    """Return a folder with a shim for each command, and put it first on this process' PATH, for a `with` block.

    `variables` are the names of those that a shim reports to the test.
    """
    variables = tuple(variables)
    with TemporaryDirectory(prefix="planguard-") as name:
        folder = Path(name)
        for command in commands:
            _write(folder / command, port, token, ",".join(variables))
        before = os.environ.get("PATH")
        os.environ["PATH"] = with_shims(folder, before)
        try:
            yield folder
        finally:
            _restore(folder, before)


def with_shims(folder: Path, path: str | None) -> str:
    """Return a PATH with the folder in front of `path`, or of the system's default without one."""
    rest = os.defpath if path is None else path
    return rest if rest.split(os.pathsep)[0] == str(folder) else f"{folder}{os.pathsep}{rest}"


def child_variables(folder: Path, child: str, own: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of a child: its name, and a PATH with shims first, for any environment."""
    return {"PATH": with_shims(folder, own.get("PATH")), CHILD: child}


def _write(path: Path, port: int, token: str, variables: str) -> None:
    """Write a shell script: an interpreter's path may contain spaces, or be too long for a first line."""
    own = (str(port), token, identity(), variables, str(path.parent), path.name)
    words = (sys.executable, "-I", "-S", str(_SHIM), *own)
    path.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n', encoding="utf-8")
    path.chmod(0o700)


def _restore(folder: Path, before: str | None) -> None:
    """Remove the folder from PATH, and keep any other change that the test made to it."""
    parts = [part for part in os.environ.get("PATH", "").split(os.pathsep) if part != str(folder)]
    left = os.pathsep.join(parts)
    if before is None and left in ("", os.defpath):  # as `with_shims` made it
        os.environ.pop("PATH", None)
    else:
        os.environ["PATH"] = left
