"""Find the sender of a request: a package on the stack, a recorded call, a program that tools start on their own."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from types import FrameType

_PLUMBING = frozenset(sys.stdlib_module_names) | {"anyio", "sniffio", "uvloop", "pytest_planguard"}
_NIQUESTS, _URLLIB3 = "niquests", frozenset({"urllib3", "urllib3_future"})
"""niquests installs a fork in place of urllib3, which a user of niquests doesn't know by that name."""


def caller_and_thread(frame: FrameType | None) -> str:
    """Return the result of `caller` and its thread: "requests in thread 'worker-3'"."""
    thread = threading.current_thread()
    own = thread is threading.main_thread()
    return caller(frame) if own else f"{caller(frame)} in thread {thread.name!r}"


def caller(frame: FrameType | None) -> str:
    """Return the innermost package on the stack that does not merely pass requests on; "python" without one."""
    packages = packages_on(frame)
    found = next((package for package in packages if package not in _PLUMBING), "python")
    return _NIQUESTS if found in _URLLIB3 and _NIQUESTS in packages else found


def callers(frame: FrameType | None) -> list[str]:
    """Return the packages on the stack, innermost first, up to the first one that does not merely pass requests on."""
    packages: list[str] = []
    for package in packages_on(frame):
        packages.append(package)
        if package not in _PLUMBING:
            break
    return packages


def packages_on(frame: FrameType | None) -> Iterator[str]:
    """Yield the top-level package of each frame on the stack, innermost first."""
    while frame is not None:
        package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if package:
            yield package
        frame = frame.f_back


_PASSING: ContextVar[bool] = ContextVar("planguard_passing", default=False)


def passes() -> bool:
    """Return True within a call that is recorded as a whole, whose requests are not recorded again."""
    return _PASSING.get()


@contextmanager
def passing() -> Iterator[None]:
    """Let requests of this task or thread bypass the cassette during a `with` block."""
    token = _PASSING.set(True)
    try:
        yield
    finally:
        _PASSING.reset(token)


_RECORDED: ContextVar[bool] = ContextVar("planguard_recorded", default=False)


def is_recorded() -> bool:
    """Return True if the caller sends on behalf of a client whose requests the cassette records."""
    return _RECORDED.get()


@contextmanager
def recorded() -> Iterator[None]:
    """Mark requests of this task or thread as recorded during a `with` block."""
    before = _RECORDED.get()
    _RECORDED.set(True)
    try:
        yield
    finally:
        _RECORDED.set(before)  # no token: an abandoned coroutine may end in another context


BY_THEMSELVES = frozenset({
    "uname", "lsb_release", "sw_vers",  # platform and distro, for the headers of SDKs
    "sysctl", "lscpu", "nvidia-smi",  # libraries that count processors or look for a graphics card
    "ldconfig", "gcc", "cc", "ld", "objdump",  # ctypes.util.find_library
    "git",  # build information: only subcommands that read the working copy
    "stty", "tput",  # the size and the colours of a terminal
})  # fmt: skip
"""Programs that libraries start on their own. Only the system's program counts: a script may have the same name."""
_COMPILERS, _LISTS_FILES = ("gcc", "cc"), "-Wl,-t"
"""What they compile may send. `ctypes.util.find_library` only has them list the files of a library."""
READING_GIT = frozenset({
    "branch", "cat-file", "check-ignore", "config", "describe", "diff", "diff-index", "for-each-ref", "hash-object",
    "log", "ls-files", "ls-tree", "name-rev", "rev-list", "rev-parse", "show", "status", "symbolic-ref", "tag",
    "version", "--version",
})  # fmt: skip
"""Subcommands of git that reach no remote. Others may be the user's scripts: `git x` runs any `git-x`."""
_FOLDERS = frozenset({"/bin", "/usr/bin", "/sbin", "/usr/sbin"})
"""Folders that only packages of the system write to."""
_TAKES_VALUE = frozenset({"-C", "-c"})
"""Options of git before its subcommand whose value is a separate word."""


def starts_by_itself(words: Sequence[str], environment: Mapping[str, str] | None = None) -> bool:
    """Return True if a command is one of `BY_THEMSELVES`, judged by its name, folder and subcommand.

    `environment` is that of the child; None for the one of this process.
    """
    name = base_name(words[0])
    if name not in BY_THEMSELVES or not _of_the_system(words[0], environment):
        return False
    if name in _COMPILERS:
        return _LISTS_FILES in words
    return name != "git" or _subcommand(words[1:]) in READING_GIT


def base_name(program: str) -> str:
    """Return 'curl' for `/usr/bin/curl` and `curl.exe`."""
    return program.replace("\\", "/").rpartition("/")[2].removesuffix(".exe")


def _of_the_system(program: str, environment: Mapping[str, str] | None) -> bool:
    path = shutil.which(program, path=None if environment is None else environment.get("PATH"))
    if path is None:  # nothing will start
        return True
    folder = os.path.dirname(path)  # noqa: PTH120  # compared as text
    if sys.platform == "win32":
        roots = (os.environ.get("SYSTEMROOT", ""), os.environ.get("PROGRAMFILES", ""))
        return any(root and folder.lower().startswith(root.lower()) for root in roots)
    return folder in _FOLDERS


def _subcommand(arguments: Sequence[str]) -> str:
    """Return 'log' for `-C folder -c a.b=c --no-pager log --oneline`."""
    words = iter(arguments)
    for word in words:
        if word in _TAKES_VALUE:
            next(words, None)
        elif not word.startswith("-") or word in READING_GIT:
            return word
    return ""
