"""Child processes that a test starts: what they send is neither replayed nor refused, so they are named."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from .audit import listening

BY_THEMSELVES = {
    "uname": "platform, and SDKs that send the name of the system",
    "lsb_release": "distro, for the headers of the openai SDK",
    "sw_vers": "platform, on macOS",
    "sysctl": "libraries that count processors",
    "lscpu": "libraries that count processors",
    "ldconfig": "ctypes.util.find_library",
    "gcc": "ctypes.util.find_library",
    "cc": "ctypes.util.find_library",
    "ld": "ctypes.util.find_library",
    "objdump": "ctypes.util.find_library",
    "git": "build information; subcommands that reach a remote are named all the same",
    "stty": "the size of a terminal",
    "tput": "the colours of a terminal",
    "nvidia-smi": "libraries that look for a graphics card",
}
"""Programs that the standard library and SDKs start by themselves, and why; they are not named."""
_REMOTE_GIT = frozenset({"clone", "fetch", "ls-remote", "pull", "push", "submodule"})
_TRACKER = "multiprocessing.resource_tracker"
"""In the command of the helper that multiprocessing starts beside each first child; it sends nothing."""
_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "cmd"})


class ProcessWatch:
    """Notes the children that start while it watches, each name once."""

    def __init__(self) -> None:
        self.children: list[str] = []
        """Program and how it was started: 'curl (subprocess)', 'a copy of this process (os.fork)'."""

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch for the length of a `with` block, in every thread."""
        listeners: dict[str, Callable[..., None]] = {
            "subprocess.Popen": lambda program, args, *_: self._note(program, args, "subprocess"),
            "os.posix_spawn": lambda path, argv, *_: self._note(path, argv, "os.posix_spawn"),
            "os.exec": lambda path, argv, *_: self._note(path, argv, "os.exec"),
            "os.spawn": lambda _, path, argv, *__: self._note(path, argv, "os.spawn"),
            "os.system": lambda command: self._note("sh", ["sh", "-c", command], "os.system"),
            "os.fork": lambda: self._add("a copy of this process (os.fork)"),
            "os.forkpty": lambda: self._add("a copy of this process (os.forkpty)"),
        }
        with listening(listeners), self._spawned():
            yield

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

    def _note(self, program: Any, args: Any, how: str) -> None:
        words = _words(args) or _words([program])
        name, rest = _command(words)
        quiet = any(_TRACKER in word for word in words) or (name in BY_THEMSELVES and not _reaches_out(name, rest))
        if name and not quiet:
            # subprocess may start its child by posix_spawn: one child, two events.
            known = any(child.startswith(f"{name} (") for child in self.children) if how == "os.posix_spawn" else False
            if not known:
                self._add(f"{name} ({how})")

    def _add(self, child: str) -> None:
        if child not in self.children:
            self.children.append(child)


def _words(args: Any) -> list[str]:
    """Return a command as texts, whether it was given as one or as a sequence of texts, bytes and paths."""
    given = [args] if isinstance(args, str | bytes | os.PathLike) else list(args or ())
    return [os.fsdecode(word) for word in given if isinstance(word, str | bytes | os.PathLike)]


def _command(words: list[str]) -> tuple[str, list[str]]:
    """Return the program's name and its arguments: 'curl' for `/usr/bin/curl -s` and for `/bin/sh -c "curl -s"`."""
    if not words:
        return "", []
    name, rest = _base(words[0]), words[1:]
    if name in _SHELLS and len(rest) > 1 and rest[0] in ("-c", "/c"):
        return _in_shell(name, rest[1])
    return name, rest


def _in_shell(shell: str, line: str) -> tuple[str, list[str]]:
    """Return the first command of a line for a shell; the shell itself where the line has several."""
    try:
        words = shlex.split(line)
    except ValueError:  # an open quote
        return shell, []
    several = any(sign in line for sign in (";", "|", "&", "$", "`", "\n"))
    return (_base(words[0]), words[1:]) if words and not several else (shell, words)


def _base(program: str) -> str:
    return program.replace("\\", "/").rpartition("/")[2].removesuffix(".exe")


def _reaches_out(name: str, arguments: Sequence[str]) -> bool:
    return name == "git" and not _REMOTE_GIT.isdisjoint(arguments)
