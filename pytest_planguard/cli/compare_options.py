"""The options of `planguard diff` that say how two answers are compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from .diff_settings import field_options
from .options import Command, added

if TYPE_CHECKING:
    from ..contract import Contract
    from ..runs.compare.compare import CompareOptions


@dataclass(frozen=True, slots=True)
class CompareWords:
    """How answers are to be compared, as typed."""

    keys: tuple[str, ...]
    ignore: tuple[str, ...]
    verdicts: tuple[str, ...]
    digits: int | None
    metrics: bool

    def options(self, contracts: tuple[Contract, ...]) -> CompareOptions:
        """The same for the comparison, with the contracts of the candidate. Raises UsageError."""
        from ..runs.compare.compare import CompareOptions

        fields = field_options(self.keys, self.ignore, self.verdicts, self.digits)
        return CompareOptions(fields, contracts, self.metrics)


_OPTIONS = (
    click.option(
        "--key",
        "keys",
        multiple=True,
        metavar="[LIST=]KEY",
        help="Key by which items of lists are matched, of one list or of all; several times for several.  "
        "[default: found by the content]",
    ),
    click.option(
        "--ignore",
        multiple=True,
        metavar="PATH",
        help="Leave out a path, or what a normaliser knows: uuid, timestamp, …; several times for several.",
    ),
    click.option(
        "--verdict",
        "verdicts",
        multiple=True,
        metavar="PATH",
        help="A field that is the answer's conclusion: called out first. Several times for several.",
    ),
    click.option(
        "--digits", type=click.IntRange(0), metavar="N", help="Digits after the point to which numbers are compared."
    ),
    click.option("--metrics", is_flag=True, help="Compare by metrics instead of field by field."),
)


def compare_options(command: Command) -> Command:
    """Add them to a command, in this order."""
    return added(command, _OPTIONS)
