"""Files judged in their own process, so that a file that ends it, or never ends, is an error and not the end.

The child is a fork: contracts, extensions, `sys.path` and the working directory are as they are. It judges, prints and
exits as this process would have. Where it dies, another fork judges again what went before, prints nothing twice, and
goes on behind the file that it died of. That costs a second pass, and only where a file ends the process.
"""

from __future__ import annotations

import faulthandler
import io
import os
import select
import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, redirect_stdout, suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import NoReturn

import click

from ...errors import PlanguardError
from ..inputs.sources import STDIN, Source
from ..main import OWN_PROCESS

BYTES_A_SECOND = 100_000
"""Bytes for which a file may take a second more: the slowest real cassette takes a tenth of that."""
SMALL = 20_000
"""Bytes of a single file that is judged without a child, which would take a tenth of the command's time."""
MOST_ENDED = 20
"""Files that may end the process; behind them nothing is judged."""
MEMORY_SHARE = 0.75
"""Share of the machine's memory that the child may take: the system would end some process, perhaps another one."""


def watched(sources: Sequence[Source], seconds: float) -> Watch:
    """Return in a child that is watched; this process ends as the child does.

    Without a child for one small file, where the command is a part of another program, where there are other threads
    (one of them may hold a lock that a fork would wait for), and where the system cannot fork.

    Raises:
        PlanguardError: more than `MOST_ENDED` files end the process, or it ends before the first one or after the last.
    """
    if not _may_fork():
        return Watch()
    if len(sources) == 1 and _size(sources[0].path) <= SMALL:
        faulthandler.enable()  # no process is left to say what happened
        return Watch()
    if any(source.path == STDIN for source in sources):
        sys.stdin = io.TextIOWrapper(io.BytesIO(sys.stdin.buffer.read()))  # for every child
    return _Watcher([source.path for source in sources], seconds).forked()


def _may_fork() -> bool:
    context = click.get_current_context(silent=True)
    alone = context is not None and context.find_root().obj == OWN_PROCESS
    return alone and hasattr(os, "fork") and threading.active_count() == 1 and _threads() == 1


def _threads() -> int:
    """Return the threads of this process, those of libraries too; 1 where the system does not list them."""
    with suppress(OSError):
        return sum(1 for _ in Path("/proc/self/task").iterdir())
    return 1


class _Watcher:
    """The parent of the processes that judge."""

    def __init__(self, paths: Sequence[Path], seconds: float) -> None:
        self._paths = paths
        self._seconds = seconds
        self._ended: dict[Path, str] = {}
        self._told = 0
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
                return Watch(numbers, self._ended, self._told, self._one_by_one, writing)
            os.close(writing)
            self._learn(_Followed(child, reading, self._paths, self._seconds).to_its_end())

    def _learn(self, child: _Followed) -> None:
        """Learn from a child that has ended what the next one must not judge. Ends this process where none is due."""
        if os.WIFEXITED(child.status):
            raise SystemExit(os.WEXITSTATUS(child.status))
        how = f"took more than {child.limit:.0f} s" if child.late else _ended_by(os.WTERMSIG(child.status))
        if child.file is None or len(self._ended) == MOST_ENDED:
            where = "" if child.file is None else f" at {child.file}, after {MOST_ENDED} other files"
            raise PlanguardError(f"the process that judges {how}{where}: what is behind that was not judged")
        self._told = max(self._told, child.told)
        if child.together and not self._one_by_one:
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
    """A child while it judges: what it has told, and how it ended."""

    def __init__(self, child: int, pipe: int, paths: Sequence[Path], seconds: float) -> None:
        self._child = child
        self._pipe = pipe
        self._paths = paths
        self._seconds = seconds
        self._rest = b""
        self.file: Path | None = None
        self.together = False
        self.told = 0
        self.limit = seconds
        """Seconds that may pass until it tells the next thing."""
        self.status = 0
        self.late = False

    def to_its_end(self) -> _Followed:
        """Wait until it ends. It is killed when it is late, and when this process must end."""
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
        """Hear what it tells until it closes the pipe, or tells nothing for too long while it judges a file."""
        while not self.late:
            if not select.select([self._pipe], [], [], self.limit)[0]:
                self.late = self.file is not None
                continue
            new = os.read(self._pipe, 65_536)
            if not new:
                return
            *lines, self._rest = (self._rest + new).split(b"\n")
            for line in lines:
                self._hear(*line.decode().split())

    def _hear(self, what: str, word: str) -> None:
        number = int(word)
        if what == TOLD:
            self.told = number
        elif what == TOGETHER:
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
    """Leave Ctrl-C to the parent, which ends the child, and bound the memory where the system can."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    import resource

    with suppress(OSError, ValueError):  # no such figures on this system, or a lower limit is set already
        most = int(MEMORY_SHARE * os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


BEGINS, TOGETHER, TOLD, DONE = "begins", "together", "told", "done"
"""What a message begins with; a number follows: of the file, of bytes, of reports, of reports."""


@dataclass(slots=True)
class Watch:
    """Where a process is among its files. Without a watcher nothing is written."""

    numbers: Mapping[Path, int] = field(default_factory=dict)
    """The files by number."""
    ended: Mapping[Path, str] = field(default_factory=dict)
    """Files that ended a process before this one, and how: they are not judged again."""
    told_before: int = 0
    """Reports that a process before this one has printed."""
    one_by_one: bool = False
    """Whether files that are judged together must be judged one by one before that: one of them ended a process."""
    pipe: int | None = None

    def begins(self, path: Path) -> None:
        """Tell that a file is judged from now on."""
        if path in self.numbers:
            self._tell(BEGINS, self.numbers[path])

    def together(self, size: int) -> None:
        """Tell that several files are judged at once, of so many bytes in all."""
        self._tell(TOGETHER, size)

    def told(self, reports: int) -> None:
        """Tell how many reports are printed."""
        if self.pipe is not None:
            sys.stdout.flush()
            self._tell(TOLD, reports)

    def done(self, reports: int) -> None:
        """Tell that every file is judged."""
        self._tell(DONE, reports)

    def printing(self, number: int) -> AbstractContextManager[object]:
        """Return what a report is printed in, by its number from zero: one that is printed already prints nothing."""
        return redirect_stdout(io.StringIO()) if number < self.told_before else nullcontext()

    def _tell(self, what: str, number: int) -> None:
        if self.pipe is None:
            return
        try:
            os.write(self.pipe, f"{what} {number}\n".encode())
        except BrokenPipeError:  # nobody waits for the result any more
            os._exit(1)
