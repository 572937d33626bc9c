"""The arguments and options of `planguard diff` that name the runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from .options import Command, added
from .sides import HEAD, load_revisions, load_sides, sides_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..runs.load.load import LoadOptions
    from ..runs.model.run import Run


@dataclass(frozen=True, slots=True)
class SideWords:
    """The runs that were named, as typed."""

    runs: tuple[str, ...]
    run_a: str | None
    run_b: str | None
    revision: str | None
    task: str | None

    def load(self, options: LoadOptions) -> Sequence[Run]:
        """The runs, with one task only where one is named. Raises RunError or UsageError."""
        if self.revision is None:
            return load_sides(sides_of(self.runs, self.run_a, self.run_b), options, self.task)
        if len(self.runs) > 1 or self.run_a or self.run_b:
            raise click.UsageError("--git takes one revision to compare with; it is HEAD where none is given.")
        return load_revisions(self.revision, self.candidate_revision, options, self.task)

    @property
    def candidate_revision(self) -> str:
        """With --git: the revision that is compared with it."""
        return self.runs[0] if self.runs else HEAD


_OPTIONS = (
    click.argument("runs", nargs=-1, metavar="[NAME=]RUN…"),
    click.option("--run-a", metavar="RUN", help="The base, in place of the first RUN."),
    click.option("--run-b", metavar="RUN", help="The candidate, in place of the second RUN."),
    click.option(
        "--git", "revision", metavar="REV", help="Compare recordings committed at REV with those at HEAD, or at RUN."
    ),
    click.option("--task", metavar="NAME", help="Only this case; its fields are shown one below the other."),
)


def side_options(command: Command) -> Command:
    """Add them to a command, in this order."""
    return added(command, _OPTIONS)
