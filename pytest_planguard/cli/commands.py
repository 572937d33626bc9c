"""The parts of every command: lazy groups, options with one name and meaning, and the end of the help."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from _typeshed import DataclassInstance

    from ..runs.gate.known_failures import Baseline
    from ..runs.gate.weakening import Weakening
    from ..runs.model.run import CaseRow

    Words = TypeVar("Words", bound=DataclassInstance)


Table = Mapping[str, tuple[str, str]]
"""Command name to (module:function below `cli`, one line of help), so that the group's help needs no imports."""


class LazyGroup(click.Group):
    """A group with a table of its commands."""

    def __init__(self, *args: Any, table: Table, **more: Any) -> None:
        super().__init__(*args, **more)
        self.table = table

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click calls it by position
        """Return the names of all commands, in the order of the table."""
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - the same
        """Return the command of that name, or None."""
        if cmd_name not in self.table:
            return None
        module, _, attribute = self.table[cmd_name][0].partition(":")
        command = getattr(import_module(f"pytest_planguard.cli.{module}"), attribute)
        if not isinstance(command, click.Command):
            raise TypeError(f"{module}.{attribute} is not a click command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve a command as click does. For an unknown name, the error offers the nearest one or all names."""
        # For an unknown option click has a good message itself.
        if args and not args[0].startswith("-") and args[0] not in self.table:
            from difflib import get_close_matches

            near = get_close_matches(args[0], self.table, 1)
            offer = f"Did you mean {near[0]!r}?" if near else f"There are: {', '.join(self.table)}."
            ctx.fail(f"No such command {args[0]!r}. {offer}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - the same
        """Write the list of commands from the table."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in self.table.items()])


def every_command(group: LazyGroup, above: str = "") -> Iterator[tuple[str, click.Command]]:
    """Yield the commands of a group and of the groups in it, each with its full name, such as "gate status"."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, LazyGroup):
            yield from every_command(command, f"{above}{name} ")
        elif command is not None:
            yield f"{above}{name}", command


Command = TypeVar("Command", bound=Callable[..., Any])

CONTRACT = click.option(
    "-c",
    "--contract",
    "specs",
    multiple=True,
    metavar="WHERE",
    help="Judge by module:NAME or file.py:NAME, a Contract or a pydantic model. May be given more than once. "
    "Without it, or with auto, the schema is taken from each request: rules that only the app knows are not judged.",
)
EXTRACT = click.option(
    "--extract",
    type=click.Choice(["whole", "embedded"]),
    help="Require the answer to be only the document, or allow surrounding prose or a code fence.  "
    "[default: the contract's setting]",
)
MAX_ATTEMPTS = click.option(
    "--max-attempts",
    type=click.IntRange(1),
    metavar="N",
    default=3,
    show_default=True,
    help="Attempts allowed in a conversation, including the first.",
)
EXTENSIONS = click.option(
    "-p",
    "extensions",
    multiple=True,
    metavar="MODULE",
    help="Import a module that registers extensions. May be given more than once.",
)


ESCALATES = click.option(
    "--escalates",
    "escalates",
    multiple=True,
    metavar="NAME",
    help="A model or tool that a task may be handed over to, or words of the final message; repeatable.",
)


class Options:
    """A decorator that adds several options to a command, in this order."""

    def __init__(self, *options: Callable[[Any], Any]) -> None:
        self._options = options

    def __call__(self, command: Command) -> Command:
        """Return the command with the options."""
        for option in reversed(self._options):
            command = option(command)
        return command


baseline_options = Options(
    click.option(
        "--baseline",
        metavar="FILE",
        type=click.Path(path_type=Path, dir_okay=False),
        help="A list of known failures, which do not fail the run.",
    ),
    click.option("--baseline-update", is_flag=True, help="With --baseline: add the failures of this run to it."),
    click.option("--baseline-prune", is_flag=True, help="With --baseline: remove entries that no longer fail."),
)
"""The options for the list of known failures, for the commands with a gate."""


@dataclass(frozen=True, slots=True)
class BaselineFile:
    """The options for the list of known failures, as typed."""

    baseline: Path | None
    baseline_update: bool
    baseline_prune: bool

    def read(self) -> Baseline | None:
        """Read the baseline; None if none is named. With --baseline-update it need not exist yet."""
        if self.baseline is None:
            if self.baseline_update or self.baseline_prune:
                raise UsageError("--baseline-update and --baseline-prune need --baseline FILE")
            return None
        from ..runs.gate.known_failures import Baseline, read_baseline

        return Baseline() if self.baseline_update and not self.baseline.exists() else read_baseline(self.baseline)

    def write(
        self,
        known: Baseline,
        base: Sequence[CaseRow],
        candidate: Sequence[CaseRow],
        today: date,
        weakened: Sequence[Weakening] = (),
    ) -> str | None:
        """Update the baseline with the candidate. Return a line that reports it, or None if nothing was requested."""
        from ..runs.gate.known_failures import pruned, updated, write_baseline
        from ..runs.gate.weakening import with_weakenings, without_spent

        if self.baseline is None or not (self.baseline_update or self.baseline_prune):
            return None
        found = with_weakenings(updated(known, candidate, today), weakened, today) if self.baseline_update else known
        found = without_spent(pruned(found, candidate, today, base), weakened) if self.baseline_prune else found
        write_baseline(self.baseline, found)
        before, after = ({entry.identity for entry in listed.entries} for listed in (known, found))
        return f"{self.baseline}: {len(after - before)} added, {len(before - after)} removed, {len(after)} listed"


def field_option(default: str) -> Callable[[Command], Command]:
    """Return `--field`, with the description of its default."""
    text = (
        "Field of a JSON line that holds the answer; dots and numbers reach deeper (response.text, choices.0.text).  "
        f"[default: {default}]"
    )
    return click.option("--field", metavar="NAME", help=text)


def format_option(forms: tuple[str, ...]) -> Callable[[Command], Command]:
    """Return `--format` with a command's forms. The default is text."""
    return click.option(
        "--format",
        "output",
        type=click.Choice(forms),
        default="text",
        show_default=True,
        help="The form of the output.",
    )


def picked(kind: type[Words], given: Mapping[str, object]) -> Words:
    """Return a dataclass with the command's options that it has fields for, as the user typed them."""
    return kind(**{field.name: given[field.name] for field in fields(kind)})


def needs(option: str, given: object, other: str, there: object) -> None:
    """Reject an option that has no meaning without another.

    Raises:
        click.UsageError: the option is given without the other.
    """
    if given and not there:
        raise click.UsageError(f"{option} works only together with {other}: add {other}, or leave out {option}.")


def excludes(option: str, given: object, other: str, there: object) -> None:
    """Reject two options that exclude each other. Raises click.UsageError."""
    if given and there:
        raise click.UsageError(f"{option} and {other} exclude each other: leave out one of them.")


def keep_inputs(*outputs: Path | None) -> None:
    """Reject an output that is a file the command reads, before it replaces it.

    Raises:
        click.UsageError: an argument or another option names the file.
    """
    words = [word for value in click.get_current_context().params.values() for word in _words(value)]
    read = [str(word) for word in words if not any(word is output for output in outputs)]
    for output in outputs:
        if output is not None and output.exists() and any(_is_file(word, output) for word in read):
            raise click.UsageError(f"{output} is read by this command, and the output would replace it: name another.")


def _words(value: object) -> Iterator[object]:
    if isinstance(value, tuple):
        yield from value
    elif isinstance(value, (str, Path)):
        yield value


def _is_file(word: str, file: Path) -> bool:
    """Return whether a word names the file or a folder of answers with it: `new.jsonl`, `b=new/`, `app.py:TICKET`."""
    from ..runs.store.project_files import SUFFIXES

    names = (word, word.partition("=")[2], word.rpartition(":")[0])
    there = [Path(name) for name in names if name and os.path.exists(name)]  # noqa: PTH110 - any text
    is_answer = file.suffix in SUFFIXES
    return any(
        file.samefile(one) or (is_answer and one.is_dir() and file.resolve().is_relative_to(one.resolve()))
        for one in there
    )


def epilog(examples: str, codes: Mapping[int, str]) -> str:
    """Return the end of a command's help: examples, one per line, and the meaning of each exit code."""
    listed = "\n".join(f"  {code}  {meaning}" for code, meaning in codes.items())
    return f"\b\nExamples:\n{examples.strip(chr(10))}\n\n\b\nExit code:\n{listed}\n"
