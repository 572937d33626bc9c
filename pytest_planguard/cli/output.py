"""The only output of the command line. All text passes here, so none of it can control the terminal.

Any message may quote a file, its name or the command line. So nothing else in `cli` prints, which ruff enforces.
"""

from __future__ import annotations

import os
import re
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO, TypeVar

import click

from ..printable import visible

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderResult


INTERRUPTED = 130
"""Exit code after ctrl-C, as shells have it: 128 and the number of the signal."""
# The only escapes of planguard are those of `Style` in reports, such as "\x1b[31m". All others are foreign.
_FOREIGN_ESCAPE = re.compile(r"\x1b(?!\[(?:0|1|2|31|32|33)m)")


def say(text: str = "", *, err: bool = False, nl: bool = True, painted: bool = False, commands: bool = False) -> None:
    """Print a text.

    Args:
        text: one line or several.
        err: True to print to stderr.
        nl: True to end with a line break.
        painted: True to keep planguard's colours. Words from files in it must already be safe.
        commands: True if the text consists of commands to a build log, which are kept.
    """
    if painted and in_color():
        text = visible(_FOREIGN_ESCAPE.sub(r"\\x1b", text), keep="\n\t\x1b", commands=commands)
    else:
        text = visible(text, commands=commands)
    click.echo(text, err=err, nl=nl)


def in_color() -> bool:
    """Return True if text may have colours: on a terminal, unless `NO_COLOR` is set."""
    return is_terminal(sys.stdout) and "NO_COLOR" not in os.environ


def is_terminal(stream: TextIO | None) -> bool:
    """Return True for a terminal. A stream that was closed before the start, as by `>&-`, is None."""
    return stream is not None and stream.isatty()


def agreed(question: str, *, err: bool = False) -> bool:
    """Ask the user. Raises click.Abort if no one can answer."""
    return click.confirm(visible(question), err=err)


def say_traceback(error: BaseException) -> None:
    """Print the traceback of a defect to stderr."""
    import traceback

    say("".join(traceback.format_exception(error)), err=True, nl=False)


def say_warnings() -> None:
    """Print Python's warnings here from now on."""

    def show(message: Warning | str, category: type[Warning], filename: str, lineno: int, *_: object) -> None:
        say(warnings.formatwarning(message, category, filename, lineno, ""), err=True, nl=False)

    warnings.showwarning = show  # type: ignore[assignment]  # typeshed names the parameters


@contextmanager
def printable_errors() -> Iterator[None]:
    """Make the text of click's errors printable, because they quote options, values and files."""
    try:
        yield
    except click.ClickException as error:
        text = visible(error.format_message())
        vars(error)["format_message"] = lambda: text
        raise


def console(*, err: bool = False) -> Console:
    """Return a console for panels and progress bars. Its texts are made printable like all others."""
    from rich.console import Console

    made = Console(stderr=err, highlight=False, markup=False, emoji=False)
    made.push_render_hook(_PrintableTexts())  # type: ignore[arg-type]  # the hook's base class would load rich
    return made


class _PrintableTexts:
    """rich's hook before it prints."""

    def process_renderables(self, renderables: Iterable[ConsoleRenderable]) -> list[ConsoleRenderable]:
        """Return printable versions of the renderables."""
        return [_Printable(one) for one in renderables]


class _Printable:
    """A renderable with printable texts. rich's own cursor movements are kept."""

    def __init__(self, inner: ConsoleRenderable) -> None:
        self._inner = inner

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.segment import Segment

        for segment in console.render(self._inner, options):
            yield segment if segment.control else Segment(visible(segment.text), segment.style)


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


def lines_with_progress(lines: Iterator[bytes], size: int, doing: str) -> Iterator[bytes]:
    """Yield the lines of a file of `size` bytes, with a bar on stderr once they take longer than `PATIENCE_S`."""
    yield from _shown(lines, size, doing, len, every=LINES_A_LOOK)


def _shown(items: Iterator[Item], total: int, doing: str, size: Callable[[Item], int], *, every: int) -> Iterator[Item]:
    """Yield the items. The clock is read and the bar moved once for every `every` items."""
    if not is_terminal(sys.stderr):
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
