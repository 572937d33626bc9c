"""Judge files in a separate process, so that a file that kills it or never ends is only an error.

The child is a fork, so it has the same contracts, extensions, `sys.path` and working directory. It judges, prints and
exits as this process would. If it dies, another fork judges the earlier files again, and continues after the file that
killed it. That costs a second pass, but only if a file kills the process. Nothing is printed before the last file.
"""

from __future__ import annotations

import faulthandler
import os
import select
import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import NoReturn

import click

from ...errors import PlanguardError
from ..inputs.sources import STDIN, Source, input_again
from ..main import OWN_PROCESS

BYTES_A_SECOND = 100_000
"""Number of bytes that add a second to a file's limit. The slowest real cassette takes a tenth of that."""
SMALL = 20_000
"""Maximum number of bytes of a single file to judge without a child. It takes a tenth of the command's time."""
MOST_ENDED = 20
"""Maximum number of files that may kill the process. After that, judging stops."""
MEMORY_SHARE = 0.75
"""The child's share of the machine's memory. Without a limit, the system might kill another process."""


def watched(sources: Sequence[Source], seconds: float) -> Watch:
    """Fork a watched child, and return in it. This process ends as the child does.

    There is no child for one small file, in a part of another program, if there are other threads (one may hold a lock
    that the fork would wait for), and on a system that cannot fork.

    Raises:
        PlanguardError: more than `MOST_ENDED` files kill the process, or it dies before the first file or after the
            last.
    """
    if not _may_fork():
        return Watch()
    if len(sources) == 1 and _size(sources[0].path) <= SMALL:
        faulthandler.enable()  # no other process can report a crash
        return Watch()
    if any(source.path == STDIN for source in sources):
        input_again()  # for every child
    return _Watcher([source.path for source in sources], seconds).forked()


def _may_fork() -> bool:
    context = click.get_current_context(silent=True)
    alone = context is not None and context.find_root().obj == OWN_PROCESS
    return alone and hasattr(os, "fork") and threading.active_count() == 1 and _threads() == 1


def _threads() -> int:
    """Return the number of threads in this process, including libraries; 1 if the system does not list them."""
    with suppress(OSError):
        return sum(1 for _ in Path("/proc/self/task").iterdir())
    return 1


class _Watcher:
    """The parent of the processes that judge."""

    def __init__(self, paths: Sequence[Path], seconds: float) -> None:
        self._paths = paths
        self._seconds = seconds
        self._ended: dict[Path, str] = {}
        self._one_by_one = False

    def forked(self) -> Watch:
        """Return in a child. This process ends as the last child does."""
        numbers = {path: number for number, path in enumerate(self._paths)}
        while True:
            reading, writing = os.pipe()
            sys.stdout.flush()
            sys.stderr.flush()
            child = os.fork()
            if child == 0:
                os.close(reading)
                _limit_child()
                return Watch(numbers, self._ended, self._one_by_one, writing)
            os.close(writing)
            self._learn(_Followed(child, reading, self._paths, self._seconds).to_its_end())

    def _learn(self, child: _Followed) -> None:
        """Note which files the next child must skip, or end this process if no other child is needed."""
        if os.WIFEXITED(child.status):
            raise SystemExit(os.WEXITSTATUS(child.status))
        how = f"took more than {child.limit:.0f} s" if child.late else _ended_by(os.WTERMSIG(child.status))
        if child.file is None or len(self._ended) == MOST_ENDED:
            where = "" if child.file is None else f" at {child.file}, after {MOST_ENDED} other files"
            raise PlanguardError(f"the process that judges {how}{where}: everything after that was not judged")
        if child.together and not self._one_by_one:  # any of them may be the cause: the next child judges each alone
            self._one_by_one = True
        else:
            advice = "Raise --time-limit if that is right." if child.late else "The other files are judged without it."
            self._ended[child.file] = f"cannot be judged: the process {how}. {advice}"


def _ended_by(number: int) -> str:
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    memory = ", as when memory runs out" if name in ("SIGABRT", "SIGKILL") else ""
    return f"was ended by {name}{memory}"


class _Followed:
    """A child that judges: what it has reported, and how it ended."""

    def __init__(self, child: int, pipe: int, paths: Sequence[Path], seconds: float) -> None:
        self._child = child
        self._pipe = pipe
        self._paths = paths
        self._seconds = seconds
        self._rest = b""
        self.file: Path | None = None
        self.together = False
        self.limit = seconds
        """Seconds until its next report is due."""
        self.status = 0
        self.late = False

    def to_its_end(self) -> _Followed:
        """Wait until the child ends. Kill it if its report is late, or if this process must end."""
        before = {number: signal.signal(number, _end) for number in (signal.SIGTERM, signal.SIGHUP)}
        try:
            self._listen()
        finally:
            if self.late or sys.exc_info()[0] is not None:
                with suppress(ProcessLookupError):
                    os.kill(self._child, signal.SIGKILL)
            _, self.status = os.waitpid(self._child, 0)
            os.close(self._pipe)
            for number, handler in before.items():
                signal.signal(number, handler)
        return self

    def _listen(self) -> None:
        """Read its reports until it closes the pipe, or is silent for too long while it judges a file."""
        while not self.late:
            if not select.select([self._pipe], [], [], self.limit)[0]:
                self.late = self.file is not None
                continue
            new = os.read(self._pipe, 65_536)
            if not new:
                return
            # A read may end within a line, whose rest comes with the next one.
            *lines, self._rest = (self._rest + new).split(b"\n")
            for line in lines:
                self._hear(*line.decode().split())

    def _hear(self, what: str, word: str) -> None:
        number = int(word)
        if what == TOGETHER:
            self.together, self.limit = True, self._seconds + number / BYTES_A_SECOND
        elif what == DONE:
            self.file = None
        else:
            self.file, self.together = self._paths[number], False
            self.limit = self._seconds + _size(self.file) / BYTES_A_SECOND


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _end(number: int, _: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)


def _limit_child() -> None:
    """Leave Ctrl-C to the parent, which ends the child, and limit the memory if the system can."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    import resource

    with suppress(OSError, ValueError):  # the system lacks these figures, or a lower limit is already set
        most = int(MEMORY_SHARE * os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


BEGINS, TOGETHER, DONE = "begins", "together", "done"
"""The first word of each message. A number follows: of the file, of bytes, or of files."""


@dataclass(slots=True)
class Watch:
    """The progress of a process through its files. Without a watcher it writes nothing."""

    numbers: Mapping[Path, int] = field(default_factory=dict)
    """The number of each file."""
    ended: Mapping[Path, str] = field(default_factory=dict)
    """Files that killed an earlier process, and how. They are not judged again."""
    one_by_one: bool = False
    """True if files that are judged together must first be judged one by one, because one of them killed a process."""
    pipe: int | None = None

    def begins(self, path: Path) -> None:
        """Report that judging this file begins."""
        if path in self.numbers:
            self._tell(BEGINS, self.numbers[path])

    def together(self, size: int) -> None:
        """Report that several files, with this total size in bytes, are judged together."""
        self._tell(TOGETHER, size)

    def done(self, files: int) -> None:
        """Report that every file is judged."""
        self._tell(DONE, files)

    def _tell(self, what: str, number: int) -> None:
        if self.pipe is None:
            return
        try:
            os.write(self.pipe, f"{what} {number}\n".encode())
        except BrokenPipeError:  # no process waits for the result any more
            os._exit(1)
