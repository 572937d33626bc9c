"""The options of `planguard diff` that decide whether a comparison passes."""

from __future__ import annotations

from pathlib import Path

import click

from .options import Command

_OPTIONS = (
    click.option(
        "--fail-on",
        "fail",
        multiple=True,
        metavar="WORD",
        help="What fails the gate: new, worse, changed, stale, any, none; several with a comma.  [default: new]",
    ),
    click.option(
        "--baseline",
        metavar="FILE",
        type=click.Path(path_type=Path, dir_okay=False),
        help="The list of known failures.",
    ),
    click.option("--baseline-update", is_flag=True, help="With --baseline: add the candidate's failures to it."),
    click.option(
        "--baseline-prune", is_flag=True, help="With --baseline: take out of it what the candidate no longer fails."
    ),
    click.option("--max-cost-increase", metavar="SHARE", help="How much more the candidate may cost: 10%."),
    click.option("--max-tokens-increase", metavar="SHARE", help="How many more tokens it may take: 10%."),
    click.option(
        "--max-latency-increase", metavar="SHARE", help="How much longer its answers may have taken when recorded: 10%."
    ),
    click.option(
        "--prices",
        metavar="FILE",
        type=click.Path(path_type=Path, dir_okay=False),
        help="A table of prices, added to planguard's own; both runs are then priced by it.",
    ),
)


def gate_options(command: Command) -> Command:
    """Add them to a command, in this order."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
