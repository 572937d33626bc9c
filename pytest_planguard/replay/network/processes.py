"""Child processes that a test starts: what they send is neither replayed nor refused, so they are named."""

from __future__ import annotations

import os
import shlex
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from .audit import listening
from .helper_programs import base_name, starts_by_itself
from .local_senders import sender_listeners
from .sends import Patch
from .uvloop_guard import load_before, uvloop_child_patches

_TRACKER = "multiprocessing.resource_tracker"
"""In the command of the helper that multiprocessing starts beside each first child; it sends nothing."""
_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "cmd"})


class ProcessWatch:
    """Notes the children that start while it watches, and other senders that nobody sees, each name once."""

    def __init__(self, allowed: Iterable[str] = ()) -> None:
        """`allowed` are paths of unix sockets that are not noted."""
        self._children: list[tuple[str, Callable[[], bool]]] = []
        self._starting = threading.local()
        self.senders: list[str] = []
        """Others: 'unix socket: /run/x.sock'."""
        self._allowed = tuple(allowed)
        self._patches: list[Patch] = []

    @property
    def children(self) -> list[str]:
        """Program and how it was started: 'curl (subprocess)', 'a copy of this process (os.fork)'.

        A child that asked an endpoint of ours is not among them.
        """
        return list(dict.fromkeys(name for name, is_served in self._children if not is_served()))

    @contextmanager
    def starting(self, is_served: Callable[[], bool]) -> Iterator[None]:
        """Around the start of a child in this thread: `is_served` tells later whether it asked an endpoint of ours."""
        before = getattr(self._starting, "is_served", _never)
        self._starting.is_served = is_served
        try:
            yield
        finally:
            self._starting.is_served = before

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch for the length of a `with` block, in every thread."""
        listeners: dict[str, Callable[..., None]] = {
            "subprocess.Popen": lambda program, args, _, env: self._note(program, args, "subprocess", env),
            "os.posix_spawn": lambda path, argv, env: self._note(path, argv, "os.posix_spawn", env),
            "os.exec": lambda path, argv, env: self._note(path, argv, "os.exec", env),
            "os.spawn": lambda _, path, argv, env: self._note(path, argv, "os.spawn", env),
            "os.system": lambda command: self._note("sh", ["sh", "-c", command], "os.system"),
            **sender_listeners(self._add_sender, self._allowed),
            "os.fork": lambda: self._add("a copy of this process (os.fork)"),
            "os.forkpty": lambda: self._add("a copy of this process (os.forkpty)"),
            "import": lambda name, *_: self._patch_uvloop() if load_before(name) else None,
        }
        self._patch_uvloop()
        try:
            with listening(listeners), self._spawned():
                yield
        finally:
            for owner, name, real, _ in self._patches:
                setattr(owner, name, real)
            self._patches = []

    def _patch_uvloop(self) -> None:
        """Note the children of uvloop, which no event tells of."""
        if not self._patches:
            self._patches += uvloop_child_patches(lambda words, env: self._note(None, words, "uvloop", env))
            for owner, name, _, ours in self._patches:
                setattr(owner, name, ours)

    @contextmanager
    def _spawned(self) -> Iterator[None]:
        """Watch how multiprocessing starts its children: below every function that is audited."""
        try:
            import _posixsubprocess
        except ImportError:  # on Windows, where it creates them by a function that is audited as well
            yield
            return
        lower: Any = _posixsubprocess
        real = lower.fork_exec

        def fork_exec(args: Sequence[Any], *more: Any) -> Any:
            self._note(None, args, "multiprocessing")
            return real(args, *more)

        lower.fork_exec = fork_exec
        try:
            yield
        finally:
            if lower.fork_exec is fork_exec:
                lower.fork_exec = real

    def _note(self, program: Any, args: Any, how: str, environment: Any = None) -> None:
        words = _words(args) or _words([program])
        words = [*(_words([program]) or words[:1]), *words[1:]]  # a program may get another first word
        if is_helper(words, environment):
            return
        name = base_name(_command(words)[0])
        # subprocess may start its child by posix_spawn: one child, two events.
        known = how == "os.posix_spawn" and any(child.startswith(f"{name} (") for child, _ in self._children)
        if not known:
            self._add(f"{name} ({how})")

    def _add(self, child: str) -> None:
        self._children.append((child, getattr(self._starting, "is_served", _never)))

    def _add_sender(self, sender: str) -> None:
        if sender not in self.senders:
            self.senders.append(sender)


def _never() -> bool:
    return False


def is_helper(command: Any, environment: Any = None) -> bool:
    """Return whether a command is a helper of the standard library or an SDK, which sends nothing."""
    words = _words(command)
    return not words or any(_TRACKER in w for w in words) or starts_by_itself(_command(words), _mapping(environment))


def _words(args: Any) -> list[str]:
    """Return a command as texts, whether it was given as one or as a sequence of texts, bytes and paths."""
    given = [args] if isinstance(args, str | bytes | os.PathLike) else list(args or ())
    return [os.fsdecode(word) for word in given if isinstance(word, str | bytes | os.PathLike)]


def _mapping(environment: Any) -> Mapping[str, str] | None:
    """Return the environment of a child as texts; None where it has that of this process."""
    if not isinstance(environment, Mapping):
        return None
    pairs = environment.items()
    return {os.fsdecode(k): os.fsdecode(v) for k, v in pairs if isinstance(v, str | bytes | os.PathLike)}


def _command(words: list[str]) -> list[str]:
    """Return the command that runs: `curl -s` for `/bin/sh -c "curl -s"`, any other as it is."""
    rest = words[1:]
    if base_name(words[0]) in _SHELLS and len(rest) > 1 and rest[0] in ("-c", "/c"):
        return _in_shell(words[0], rest[1])
    return words


def _in_shell(shell: str, line: str) -> list[str]:
    """Return the first command of a line for a shell; the shell itself where the line has several."""
    try:
        words = shlex.split(line)
    except ValueError:  # an open quote
        return [shell]
    several = any(sign in line for sign in (";", "|", "&", "$", "`", "\n"))
    return words if words and not several else [shell, *words]
