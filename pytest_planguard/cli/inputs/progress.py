"""A progress bar on a terminal, for work that takes longer than a moment."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from typing import IO, TypeVar

from ..output import console

PATIENCE_S = 1.0
"""Work that is done sooner shows no bar."""

LINES_A_LOOK = 256
"""Lines between two looks at the clock, and between two updates of a bar over a file."""

Item = TypeVar("Item")


def with_progress(items: Sequence[Item], doing: str) -> Iterator[Item]:
    """Yield the items one by one, with a bar on stderr once they take longer than `PATIENCE_S`.

    None without a terminal.
    """
    if not sys.stderr.isatty():
        yield from items
        return
    started = time.monotonic()
    rest = iter(items)
    for done, item in enumerate(rest, 1):
        yield item
        if time.monotonic() - started > PATIENCE_S and done < len(items):
            yield from _with_bar(rest, done, len(items), doing)


def lines_with_progress(file: IO[bytes], size: int, doing: str) -> Iterator[bytes]:
    """Yield the lines of a file of `size` bytes, with a bar on stderr once they take longer than `PATIENCE_S`."""
    from .answer_stream import lines_of

    lines = lines_of(file)
    if not sys.stderr.isatty():
        yield from lines
        return
    started, read = time.monotonic(), 0
    for number, line in enumerate(lines):
        yield line
        read += len(line)
        if number % LINES_A_LOOK == 0 and time.monotonic() - started > PATIENCE_S:
            yield from _with_byte_bar(lines, read, size, doing)


def _with_byte_bar(lines: Iterator[bytes], read: int, size: int, doing: str) -> Iterator[bytes]:
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(err=True), transient=True) as bar:
        task = bar.add_task(doing, total=size, completed=read)
        for number, line in enumerate(lines):
            yield line
            read += len(line)
            if number % LINES_A_LOOK == 0:  # an update for each line would take longer than its judgement
                bar.update(task, completed=read)


def _with_bar(rest: Iterator[Item], done: int, total: int, doing: str) -> Iterator[Item]:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(err=True), transient=True) as bar:
        task = bar.add_task(doing, total=total, completed=done)
        for item in rest:
            yield item
            bar.advance(task)
