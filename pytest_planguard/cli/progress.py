"""A progress bar on a terminal, for work that takes longer than a moment."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from typing import TypeVar

PATIENCE_S = 1.0
"""Work that is done sooner shows no bar."""

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


def _with_bar(rest: Iterator[Item], done: int, total: int, doing: str) -> Iterator[Item]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing, total=total, completed=done)
        for item in rest:
            yield item
            bar.advance(task)
