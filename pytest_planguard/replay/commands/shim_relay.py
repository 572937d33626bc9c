"""Run the real program in place of its shim: pass its streams through as they come, and report them to the test.

`shim.py` loads this file while a test records, in a process that has none of our packages.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Callable
from typing import Any

INSIDE = "PLANGUARD_INSIDE"
_FORWARDED = ("SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2")
_LOOK_S = 0.5
"""Maximum delay, in seconds, of a signal that arrives at the wrong moment."""
_LATE_S = 2.0
"""Seconds to wait for the streams after the program ended: its children may keep them open."""
_LATE_INPUT_S = 0.25
"""Seconds to wait for the program's input after it ended: the input may never be closed."""


def relay(
    connection: Any,
    folder: str,
    name: str,
    arguments: tuple[str, ...],
    changes: bytes,
    given: bytes | None,
    *,
    inherits: bool = False,
) -> int:
    """Run the real program and return its exit code. If a signal ended it, this process ends the same way.

    `changes` to the environment are "NAME=VALUE", or "NAME" to remove it, split by NUL. The first is the token of the
    test, or empty for a program that is not recorded. `given` is the input that was already read. `inherits` means that
    standard input is the test's: the program gets it directly, and none of it is recorded.
    """
    token, *variables = [os.fsdecode(word) for word in changes.split(b"\0")]
    program = find(name, folder)
    if program is None:
        connection.send(b"M")
        return _ended(connection, 127)
    environment = changed(variables, token)
    if not token:  # inside the run of another command: nothing of it is kept
        os.execve(program, [program, *arguments], environment)
    return _Relay(connection, given, inherits=inherits).run([program, *arguments], environment)


def find(name: str, folder: str) -> str | None:
    """Return the first program with that name on PATH outside the folder of shims."""
    own = os.path.realpath(folder)
    for place in os.get_exec_path():
        path = os.path.join(place, name)  # noqa: PTH118 - as the system looks it up
        if os.path.realpath(place or ".") != own and os.path.isfile(path) and os.access(path, os.X_OK):  # noqa: PTH113
            return path
    return None


def changed(changes: list[str], token: str) -> dict[str, str]:
    """Return the environment of the real program: that of this process without planguard's additions."""
    environment = dict(os.environ)
    for change in changes:
        variable, sign, value = change.partition("=")
        if sign:
            environment[variable] = value
        else:
            environment.pop(variable, None)
    inside = [word for word in (environment.get(INSIDE, ""), token) if word]
    return {**environment, INSIDE: ":".join(inside)}


class _Relay:
    """The streams of one run."""

    def __init__(self, connection: Any, given: bytes | None, *, inherits: bool) -> None:
        self._connection, self._given, self._inherits = connection, given, inherits
        self._lock = threading.Lock()
        self._spoke = False

    def run(self, command: list[str], environment: dict[str, str]) -> int:
        """Run the program to its end, and return its exit code."""
        try:
            process = subprocess.Popen(
                command,
                env=environment,
                stdin=None if self._inherits else subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,  # a buffered `read` would wait for 64 KiB, and the output has to arrive as it comes
            )
        except OSError as error:  # a script without an interpreter line, as a shell would run it
            os.write(2, f"planguard: {command[0]} cannot be started: {error.strerror}\n".encode())
            self._send(b"X", b"126")
            return _ended(self._connection, 126)
        self._send(b"P", b"%d" % process.pid)
        _forward_signals(process)
        pumps = [
            self._start(self._output, process.stdout, 1, b"O"),
            self._start(self._output, process.stderr, 2, b"E"),
        ]
        feed = None if self._inherits else self._start(self._input, process.stdin)
        code = _end_of(process)
        for pump in pumps:
            pump.join(_LATE_S)
        if feed is not None:
            feed.join(_LATE_INPUT_S)
        if code >= 0:
            self._send(b"X", b"%d" % code)
            return _ended(self._connection, code)
        self._send(b"K", b"%d" % -code)
        _ended(self._connection, 1)
        if -code not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
        return 128 - code

    def _start(self, pump: Callable[..., None], *arguments: object) -> threading.Thread:
        thread = threading.Thread(target=pump, args=arguments, daemon=True)
        thread.start()
        return thread

    def _send(self, kind: bytes, payload: bytes = b"") -> None:
        with self._lock:
            self._connection.send(kind, payload)

    def _output(self, stream: Any, descriptor: int, kind: bytes) -> None:
        """Forward the program's output, and report it to the test."""
        while piece := stream.read(1 << 16):
            self._spoke = True
            self._send(kind, piece)
            try:
                _write_all(descriptor, piece)
            except OSError:
                stream.close()  # the reader is gone, and the program notices at its next write
                return

    def _input(self, stream: Any) -> None:
        """Forward standard input. The program may stop reading before the input ends."""
        for piece in self._pieces():
            if self._spoke and self._given is None and piece:
                self._send(b"N")
            try:
                stream.write(piece)
            except (OSError, ValueError):
                break
        stream.close()

    def _pieces(self) -> Any:
        if self._given is not None:
            yield self._given
            return
        try:
            if os.isatty(0):
                return
            while piece := os.read(0, 1 << 16):
                self._send(b"I", piece)
                yield piece
        except OSError:
            return


def _ended(connection: Any, code: int) -> int:
    """Wait until the test has examined the files, and return the exit code; 1 if it reports an error."""
    kind, text = connection.receive()
    if kind == b"E":
        os.write(2, text)
        return code or 1
    return code


def _write_all(descriptor: int, content: bytes) -> None:
    while content:
        content = content[os.write(descriptor, content) :]


def _end_of(process: subprocess.Popen[bytes]) -> int:
    """Return the exit code of the program; signals are passed on while it runs.

    Python handles a signal between two steps of the main thread. One that arrives right before a wait without a timeout
    would be handled only after the wait. So another thread waits, and this one wakes up regularly.
    """
    waiting = threading.Thread(target=process.wait, daemon=True)
    waiting.start()
    while waiting.is_alive():
        waiting.join(_LOOK_S)
    return process.wait()


def _forward_signals(process: subprocess.Popen[bytes]) -> None:
    for name in _FORWARDED:
        number = getattr(signal, name, None)
        if number is not None:
            signal.signal(number, lambda number, _: process.send_signal(number))
