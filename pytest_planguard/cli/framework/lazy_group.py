"""A command group that imports a command's module only when the command runs, so that `--help` is quick."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

import click

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
