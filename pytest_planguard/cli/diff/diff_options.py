"""The options of `planguard diff` as typed and as values: the runs, how answers are compared, what fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...errors import UsageError, nearest, offer
from ..commands import BaselineFile, Options, baseline_options, needs
from .sides import HEAD, load_revisions, load_sides, sides_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from ...contract import Contract
    from ...runs.compare.run_diff import RunDiff
    from ...runs.gate.gate import Budgets, FailOn
    from ...runs.load.source import LoadOptions
    from ...runs.model.run import Run

    Compare = Callable[[Run, Run], RunDiff]


def today() -> date:
    """Return the day in UTC, so that it is the same on a laptop and in CI."""
    return datetime.now(UTC).date()


def _share(name: str, text: str | None) -> float | None:
    if text is None:
        return None
    try:
        share = float(text.strip().removesuffix("%")) / (100 if text.strip().endswith("%") else 1)
    except ValueError:
        # NaN is within no bounds, so the message below is the only one.
        share = float("nan")
    if not 0 <= share < float("inf"):
        raise UsageError(f"--max-{name} {text!r}: expected a share like 10% or 0.1")
    return share


def with_costs(runs: Sequence[Run], file: Path | None) -> Sequence[Run]:
    """Return the runs with costs: their own, or else those of planguard's table.

    If the user names a table, it prices all cases.

    Raises RunError for a file that is not a table of prices.
    """
    from ...runs.prices import priced, read_prices

    prices = read_prices(file)
    return tuple(priced(run, prices, again=file is not None) for run in runs)


def cost_notes(runs: Sequence[Run], file: Path | None, found: RunDiff, limits: Budgets) -> Iterator[str]:
    """Yield the dates of the prices if a cost is shown, and the gaps in the data for a budget if one was set."""
    from ...runs.prices import read_prices, unpriced_models

    if any(row.cost is not None and row.input_tokens is not None for run in runs for row in run.rows):
        sources = ", ".join(map(str, read_prices(file).sources))
        yield f"costs that no run recorded are by list prices: {sources}; name others with --prices FILE"
    if (limits.cost is not None or file is not None) and (unknown := unpriced_models(runs)):
        yield f"no price is known for {', '.join(unknown)}: their cases have no cost; add one with --prices FILE"
    yield from _partial(found, limits)


def _partial(found: RunDiff, limits: Budgets) -> Iterator[str]:
    """Yield a note for each budget that covers only a part of the cases."""
    from ...runs.gate.gate import FIGURES

    compared = sum(case.comparable for case in found.cases)
    for kind, names in FIGURES.items():
        known = [figure.cases for figure in found.figures if figure.name in names]
        if getattr(limits, kind) is not None and known and min(known) < compared:
            yield f"the budget for {kind} looked at {min(known):,} of {compared:,} cases: the others lack it in a run"


@dataclass(frozen=True, slots=True)
class CompareArguments:
    """The options for comparing answers, as the user typed them."""

    keys: tuple[str, ...]
    ignore: tuple[str, ...]
    verdicts: tuple[str, ...]
    digits: int | None
    metrics: bool

    def comparison(self, contracts: tuple[Contract, ...]) -> Compare:
        """Return the function that compares two runs, with the contracts of the candidate. Raises UsageError."""
        from ...runs.compare.compare import compare
        from ...runs.value_diff_options import diff_options

        fields = diff_options(self.keys, self.ignore, self.verdicts, significant_digits=self.digits)
        return partial(compare, fields=fields, contracts=contracts, metrics=self.metrics)


compare_options = Options(
    click.option(
        "--key",
        "keys",
        multiple=True,
        metavar="[LIST=]KEY",
        help="Key that matches items of lists, for one list or for all. May be given more than once.  "
        "[default: found by the content]",
    ),
    click.option(
        "--ignore",
        multiple=True,
        metavar="PATH",
        help="Leave out a path, or what a normaliser knows: uuid, timestamp, …. May be given more than once.",
    ),
    click.option(
        "--verdict",
        "verdicts",
        multiple=True,
        metavar="PATH",
        help="A field that is the answer's conclusion: shown first. May be given more than once.",
    ),
    click.option("--digits", type=click.IntRange(0), metavar="N", help="Decimal places to which numbers are compared."),
    click.option("--metrics", is_flag=True, help="Compare by metrics instead of field by field."),
)


# The options of `planguard diff` that decide whether a comparison passes, and their values.


@dataclass(frozen=True, slots=True)
class GateArguments(BaselineFile):
    """The options of the gate, as typed."""

    fail: tuple[str, ...]
    max_cost_increase: str | None
    max_tokens_increase: str | None
    max_latency_increase: str | None
    max_length_change: str | None
    prices: Path | None
    """Not a gate itself: the basis for a budget of cost."""

    def given(self) -> tuple[str, ...]:
        """Return the names of the given options. Three or more runs have no gate."""
        grown = (self.max_cost_increase, self.max_tokens_increase, self.max_latency_increase)
        named = {
            "--fail-on": self.fail,
            "--baseline": self.baseline,
            "--max-…-increase": any(grown),
            "--max-length-change": self.max_length_change,
        }
        return tuple(option for option, value in named.items() if value)

    def fail_on(self, verdicts: tuple[str, ...]) -> tuple[FailOn, ...]:
        """Return what fails the gate. `verdicts` are the fields of `--verdict`. Raises UsageError."""
        from ...runs.gate.gate import FailOn

        given = [part.strip() for word in self.fail for part in word.split(",") if part.strip()]
        for word in given:
            if word not in list(FailOn):
                known = [what.value for what in FailOn]
                raise UsageError(f"--fail-on {word!r} is unknown{offer(nearest(word, known), known, listed='Valid')}")
        needs("--fail-on verdict", "verdict" in given, "--verdict PATH", verdicts)
        return tuple(FailOn(word) for word in given) or (FailOn.NEW,)

    def budgets(self) -> Budgets:
        """Return the budgets, from values such as "10%" or "0.1". Raises UsageError."""
        from ...runs.gate.gate import Budgets

        names = ("cost_increase", "tokens_increase", "latency_increase", "length_change")
        return Budgets(*(_share(name.replace("_", "-"), getattr(self, f"max_{name}")) for name in names))


gate_options = Options(
    click.option(
        "--fail-on",
        "fail",
        multiple=True,
        metavar="WORD",
        help="What fails the comparison: new, worse, changed, weakened, stale, verdict, fields, any, none; several "
        "with a comma.  [default: new]",
    ),
    baseline_options,
    click.option("--max-cost-increase", metavar="SHARE", help="How much more the candidate may cost: 10%."),
    click.option("--max-tokens-increase", metavar="SHARE", help="How many more tokens it may take: 10%."),
    click.option(
        "--max-latency-increase", metavar="SHARE", help="How much longer its answers may have taken when recorded: 10%."
    ),
    click.option(
        "--max-length-change",
        metavar="SHARE",
        help="How much longer or shorter the texts of its answers may be together: 20%.",
    ),
    click.option(
        "--prices",
        metavar="FILE",
        type=click.Path(path_type=Path, dir_okay=False),
        help="A table of prices, added to planguard's own; both runs are then priced by it.",
    ),
)


# The arguments and options of `planguard diff` that name the runs.


@dataclass(frozen=True, slots=True)
class SideArguments:
    """The named runs, as typed."""

    runs: tuple[str, ...]
    run_a: str | None
    run_b: str | None
    revision: str | None
    allow_empty_base: bool
    tasks: tuple[str, ...]
    base_contracts: tuple[str, ...]

    def load(self, options: LoadOptions) -> Sequence[Run]:
        """Return the runs, limited to the named tasks. Raises RunError or UsageError."""
        needs("--allow-empty-base", self.allow_empty_base, "--git REV", self.revision)
        if self.revision is None:
            return load_sides(sides_of(self.runs, self.run_a, self.run_b), options, self.tasks)
        if len(self.runs) > 1 or self.run_a or self.run_b:
            raise click.UsageError("--git takes one revision to compare with; it is HEAD where none is given.")
        return load_revisions(self.revision, self.candidate_revision, options, self.tasks)

    @property
    def candidate_revision(self) -> str:
        """With --git: the revision of the candidate."""
        return self.runs[0] if self.runs else HEAD


side_options = Options(
    click.argument("runs", nargs=-1, metavar="[NAME=]RUN…"),
    click.option("--run-a", metavar="RUN", help="The base, in place of the first RUN."),
    click.option("--run-b", metavar="RUN", help="The candidate, in place of the second RUN."),
    click.option(
        "--git", "revision", metavar="REV", help="Compare cassettes committed at REV with those at HEAD, or at RUN."
    ),
    click.option(
        "--allow-empty-base",
        is_flag=True,
        help="Exit with 0 if REV has no cassettes yet, as in a first pull request. This does not cover a RUN without "
        "cassettes.",
    ),
    click.option(
        "--base-contract",
        "base_contracts",
        multiple=True,
        metavar="WHERE",
        help="What each --contract was before: show which recorded answers, fields and tools its change breaks. "
        "With --git it is read from REV; needed there only if its name has changed.",
    ),
    click.option(
        "--task",
        "tasks",
        multiple=True,
        metavar="NAME",
        help="Show only this case, with its fields one below another. May be given more than once.",
    ),
)
