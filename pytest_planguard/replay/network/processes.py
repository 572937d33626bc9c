"""Note the programs that a test starts. Their requests are neither replayed nor refused, so messages name them.

A forked child keeps the cassette and the guard of its parent, so only what it starts in turn is noted.
"""

from __future__ import annotations

import inspect
import os
import shlex
import socket
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from .below_python import (
    ClientsBeyondPython,
    Connection,
    active_since,
    cffi_patches,
    connections,
    cpu_times,
    sends,
    sent_since,
)
from .guard import ChildReports
from .hooks import RUNNERS, Listener, Patch, fork_exec_patches, listen, load_before, unlisten, uvloop_child_patches

_TRACKER = "multiprocessing.resource_tracker"
"""A word in the command of multiprocessing's helper process, which starts with the first child and sends nothing."""
_DEBUGGERS = RUNNERS - {"execnet", "xdist"}
"""They write to their own connections at any time."""
_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "cmd"})


class ProcessWatch:
    """Notes children that start while it watches, and other hidden senders, without duplicates."""

    def __init__(self, allowed: Iterable[str] = (), *, offline: bool = False) -> None:
        """Create the watch.

        Args:
            allowed: hosts and paths of unix sockets that are never noted.
            offline: also note other hosts to which data was sent over connections that no guard sees.
        """
        self._children: list[tuple[str, Callable[[], bool]]] = []
        self._senders: list[str] = []
        self._allowed = tuple(allowed)
        self._patches: list[Patch] = []
        self._listeners: Mapping[str, Listener] = {}
        self._older: Mapping[int, int] = {}
        self._open: Mapping[int, Connection] | None = None
        self._offline = offline
        self._clients = ClientsBeyondPython()
        self._reports = ChildReports()

    @cached_property
    def _starting(self) -> threading.local:
        """Per thread: the function that says if the child being started is served."""
        return threading.local()

    @property
    def children(self) -> list[str]:
        """Program and how it was started: 'curl (subprocess)'.

        A child that sent requests to planguard's endpoint is left out.
        """
        if not self._children and not self._reports.expected:
            return []
        served = {*self._reports.received("served")}
        forked = [str(child[0]) for child in self._reports.received("child") if child not in served]
        daemons = ["a daemon (os.fork)"] * self._reports.lost
        return list(
            dict.fromkeys([*(name for name, is_served in self._children if not is_served()), *forked, *daemons])
        )

    @property
    def senders(self) -> list[str]:
        """Other senders: 'unix socket: /run/x.sock'."""
        return list(dict.fromkeys([*self._senders, *(str(name) for (name,) in self._reports.received("sender"))]))

    @property
    def clients(self) -> tuple[str, ...]:
        """Clients in other languages that were loaded or may have been used: 'pycurl (libcurl)'."""
        return self._clients.used()

    @contextmanager
    def starting(self, is_served: Callable[[], bool]) -> Iterator[None]:
        """Wrap the start of a child in this thread: `is_served` returns True later if the child used our endpoint.

        Within another such block, one of the two is enough.
        """
        before = getattr(self._starting, "is_served", _never)
        self._starting.is_served = lambda: is_served() or before()
        try:
            yield
        finally:
            self._starting.is_served = before

    def begin(self) -> None:
        """Start watching in every thread. If this fails, nothing stays patched."""
        self._older = _older_children()
        if self._offline and _DEBUGGERS.isdisjoint(sys.modules):
            self._open = connections()
        try:
            self._listeners = self._all_listeners()
            listen(self._listeners)
            self.patch_loaded()
        except BaseException:
            self.end()
            raise

    def end(self) -> None:
        """Stop watching. The second call does nothing."""
        if self._older:
            self._note_older()
        before, self._open = self._open, None
        for connection in () if before is None else sent_since(before, self._allowed):
            self.add_sender(connection)
        unlisten(self._listeners)
        self._listeners = {}  # they refer to this watch, and only garbage collection would free the two
        for owner, name, real, ours in self._patches:
            if getattr(owner, name) is ours:  # else another tool put its own on top, and it stays
                setattr(owner, name, real)
        self._patches = []

    def _all_listeners(self) -> Mapping[str, Listener]:
        return {
            "subprocess.Popen": lambda program, args, _, env: self.note(program, args, "subprocess", env),
            "os.posix_spawn": lambda path, argv, env: self.note(path, argv, "os.posix_spawn", env),
            "os.exec": lambda path, argv, env: self.note(path, argv, "os.exec", env),
            "os.spawn": lambda _, path, argv, env: self.note(path, argv, "os.spawn", env),
            "os.system": lambda command: self.note("sh", ["sh", "-c", command], "os.system"),
            **sender_listeners(self.add_sender, self.allows),
            # The next forked child reports what it starts.
            "os.fork": self._reports.open,
            "os.forkpty": self._reports.open,
            "import": lambda name, *_: self.patch_loaded() if load_before(name) else None,
        }

    def _note_older(self) -> None:
        """Note the children from before the test that have run since it began."""
        for words in active_since(self._older):
            if words[0] and not is_helper(words):
                self.add_sender(f"child process from before the test: {_base_command(words)}")
        self._older = {}

    def patch_loaded(self) -> None:
        """Note the children of multiprocessing and uvloop and the C functions of cffi, which cause no audit event."""
        patched = {owner for owner, *_ in self._patches}
        found = [
            *fork_exec_patches(lambda words: self.note(None, words, "multiprocessing")),
            *uvloop_child_patches(lambda words, env: self.note(None, words, "uvloop", env)),
            *cffi_patches(lambda name: self.add_sender(f"C library by cffi: {name}")),
        ]
        for patch in found:
            owner, name, _, ours = patch
            if owner not in patched:
                self._patches.append(patch)
                setattr(owner, name, ours)

    def allows(self, path: str) -> bool:
        """Return True if a unix socket is not noted."""
        return path in self._allowed

    def note(self, program: Any, args: Any, how: str, environment: Any = None) -> None:
        """Note a child by its command, unless it is a helper that sends nothing."""
        words = _words(args) or _words([program])
        words = [*(_words([program]) or words[:1]), *words[1:]]  # a program may get another first word
        if is_helper(words, environment):
            return
        name = _base_command(words)
        # subprocess may start its child by posix_spawn: one child, two events.
        known = how == "os.posix_spawn" and any(child.startswith(f"{name} (") for child, _ in self._children)
        if not known:
            self.add(f"{name} ({how})")

    def add(self, child: str) -> None:
        """Note a child by its description."""
        is_served: Callable[[], bool] = getattr(self._starting, "is_served", _never)
        self._children.append((child, is_served))
        if not is_served():
            self._reports.send("child", child, os.getpid(), len(self._children))

    def report_served(self) -> None:
        """In a forked child, report which of its children have used our endpoint by now."""
        for number, (child, is_served) in enumerate(self._children, 1):
            if is_served():
                self._reports.send("served", child, os.getpid(), number)

    def add_sender(self, sender: str) -> None:
        """Note another sender."""
        if sender not in self._senders:
            self._senders.append(sender)
            self._reports.send("sender", sender)


def _older_children() -> Mapping[int, int]:
    """Return the time that each child of this process has run. One system call without children, as nearly always."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except (ChildProcessError, AttributeError):  # Windows has no `waitid`
        return {}
    return cpu_times()


def _never() -> bool:
    return False


def is_helper(command: object, environment: object = None) -> bool:
    """Return True if a command is a helper of the standard library or an SDK, which sends nothing."""
    from .senders import starts_by_itself

    words = _words(command)
    return not words or any(_TRACKER in w for w in words) or starts_by_itself(_command(words), _mapping(environment))


def _base_command(words: list[str]) -> str:
    """Return 'curl' for `/bin/sh -c "curl -s"`."""
    from .senders import base_name

    return base_name(_command(words)[0])


def _words(args: Any) -> list[str]:
    """Return a command as texts, given as one text or as a sequence of texts, bytes and paths."""
    given = [args] if isinstance(args, str | bytes | os.PathLike) else list(args or ())
    return [os.fsdecode(word) for word in given if isinstance(word, str | bytes | os.PathLike)]


def _mapping(environment: object) -> Mapping[str, str] | None:
    """Return the environment of a child as texts; None if it has that of this process."""
    if not isinstance(environment, Mapping):
        return None
    pairs = environment.items()
    return {os.fsdecode(k): os.fsdecode(v) for k, v in pairs if isinstance(v, str | bytes | os.PathLike)}


def _command(words: list[str]) -> list[str]:
    """Return the command that actually runs: `curl -s` for `/bin/sh -c "curl -s"`; any other command unchanged."""
    from .senders import base_name

    rest = words[1:]
    if base_name(words[0]) in _SHELLS and len(rest) > 1 and rest[0] in ("-c", "/c"):
        return _in_shell(words[0], rest[1])
    return words


def _in_shell(shell: str, line: str) -> list[str]:
    """Return the first command of a shell line; the shell itself if the line has several commands."""
    try:
        words = shlex.split(line)
    except ValueError:  # an open quote
        return [shell]
    several = any(sign in line for sign in (";", "|", "&", "$", "`", "\n"))
    return words if words and not several else [shell, *words]


_UNIX = getattr(socket, "AF_UNIX", None)
OF_MULTIPROCESSING = "unix socket: of a process that multiprocessing started"


def sender_listeners(note: Callable[[str], None], allows: Callable[[str], bool]) -> dict[str, Listener]:
    """Return listeners that note each sender: 'unix socket: /run/x.sock', 'C library by ctypes: connect'.

    Sockets are not noted if `allows` is True for their paths.
    """

    def connect(connection: Any, address: Any) -> None:
        if connection.family != _UNIX:
            return
        path = address.decode("utf-8", "replace") if isinstance(address, bytes) else str(address)
        from .senders import callers

        packages = callers(inspect.currentframe())
        if not allows(path) and packages[-1] not in RUNNERS:
            note(OF_MULTIPROCESSING if "multiprocessing" in packages else f"unix socket: {path}")

    def look_up(_library: object, name: object) -> None:
        if sends(name):
            note(f"C library by ctypes: {name}")

    return {
        "socket.connect": connect,
        "ctypes.dlsym": look_up,
        "cpython.PyInterpreterState_New": lambda *_: note("a sub-interpreter"),
    }
