"""A progress bar on a terminal, for work that takes longer than a moment."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import IO, TypeVar

from ..framework.output import console

PATIENCE_S = 1.0
"""Number of seconds of work before a bar appears."""

LINES_A_LOOK = 256
"""Number of lines between two checks of the clock, and between two updates of a file's bar."""

Item = TypeVar("Item")


def with_progress(items: Sequence[Item], doing: str) -> Iterator[Item]:
    """Yield the items one by one, with a bar on stderr once they take longer than `PATIENCE_S`.

    Without a terminal there is no bar.
    """
    yield from _shown(iter(items), len(items), doing, lambda _: 1, every=1)


def lines_with_progress(file: IO[bytes], size: int, doing: str) -> Iterator[bytes]:
    """Yield the lines of a file of `size` bytes, with a bar on stderr once they take longer than `PATIENCE_S`."""
    from .answer_stream import lines_of

    yield from _shown(lines_of(file), size, doing, len, every=LINES_A_LOOK)


def _shown(items: Iterator[Item], total: int, doing: str, size: Callable[[Item], int], *, every: int) -> Iterator[Item]:
    """Yield the items. The clock is read and the bar moved once for every `every` items."""
    if not sys.stderr.isatty():
        yield from items
        return
    started, done = time.monotonic(), 0
    for number, item in enumerate(items):
        yield item
        done += size(item)
        if number % every == 0 and time.monotonic() - started > PATIENCE_S and done < total:
            yield from _with_bar(items, done, total, doing, size, every)


def _with_bar(
    items: Iterator[Item], done: int, total: int, doing: str, size: Callable[[Item], int], every: int
) -> Iterator[Item]:
    from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    amount = MofNCompleteColumn() if every == 1 else DownloadColumn()
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), amount, TimeRemainingColumn())
    with Progress(*columns, console=console(err=True), transient=True) as bar:
        task = bar.add_task(doing, total=total, completed=done)
        for number, item in enumerate(items):
            yield item
            done += size(item)
            if number % every == 0:  # updating for each line would take longer than judging it
                bar.update(task, completed=done)
