"""The mouth of the command line: every word that it says passes here, and none is an order to the terminal.

What a file, its name or the command line says may be in any message. So nothing else of `cli` prints: ruff refuses it.
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from ...printable import visible

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderResult

# "\x1b[31m" is ours, and every other escape is not: only what `Style` of the reports paints with.
_FOREIGN_ESCAPE = re.compile(r"\x1b(?!\[(?:0|1|2|31|32|33)m)")


def say(text: str = "", *, err: bool = False, nl: bool = True, painted: bool = False, commands: bool = False) -> None:
    """Print a text.

    Args:
        text: what to say, one line or several.
        err: to stderr.
        nl: with a line break at its end.
        painted: our colours stay. Words of files in it must have been made safe before.
        commands: the text is made of commands to a build log, which stay.
    """
    if painted and in_color():
        text = visible(_FOREIGN_ESCAPE.sub(r"\\x1b", text), keep="\n\t\x1b", commands=commands)
    else:
        text = visible(text, commands=commands)
    click.echo(text, err=err, nl=nl)


def in_color() -> bool:
    """Return whether text may have colours: on a terminal, unless `NO_COLOR` is set."""
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ


def agreed(question: str, *, err: bool = False) -> bool:
    """Ask the user. Raises click.Abort where there is nobody to answer."""
    return click.confirm(visible(question), err=err)


def say_traceback(error: BaseException) -> None:
    """Print the traceback of a defect to stderr."""
    import traceback

    say("".join(traceback.format_exception(error)), err=True, nl=False)


def say_warnings() -> None:
    """Have Python's warnings said here from now on."""

    def show(message: Warning | str, category: type[Warning], filename: str, lineno: int, *_: Any) -> None:
        say(warnings.formatwarning(message, category, filename, lineno, ""), err=True, nl=False)

    warnings.showwarning = show  # type: ignore[assignment]  # typeshed names the parameters that nobody passes by name


@contextmanager
def printable_errors() -> Iterator[None]:
    """Make the text of errors that click shows printable: they quote options, values and files."""
    try:
        yield
    except click.ClickException as error:
        text = visible(error.format_message())
        vars(error)["format_message"] = lambda: text
        raise


def console(*, err: bool = False) -> Console:
    """Return a console for panels and progress bars, whose texts are made printable like all others."""
    from rich.console import Console

    made = Console(stderr=err, highlight=False, markup=False, emoji=False)
    made.push_render_hook(_PrintableTexts())  # type: ignore[arg-type]  # the hook's base class would load rich
    return made


class _PrintableTexts:
    """What rich asks before it prints."""

    def process_renderables(self, renderables: Iterable[ConsoleRenderable]) -> list[ConsoleRenderable]:
        """Return what is printed in their place."""
        return [_Printable(one) for one in renderables]


class _Printable:
    """A renderable whose texts are printable; what moves the cursor is rich's own, and stays."""

    def __init__(self, inner: ConsoleRenderable) -> None:
        self._inner = inner

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        from rich.segment import Segment

        for segment in console.render(self._inner, options):
            yield segment if segment.control else Segment(visible(segment.text), segment.style)
