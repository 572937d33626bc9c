"""The options of `planguard diff` that decide whether a comparison passes, and what they ask for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .diff_settings import Known, budgets, fail_on
from .options import Command, added

if TYPE_CHECKING:
    from ..runs.gate.gate import Budgets, FailOn


@dataclass(frozen=True, slots=True)
class GateWords:
    """What was asked of the gate, as typed."""

    fail: tuple[str, ...]
    baseline: Path | None
    baseline_update: bool
    baseline_prune: bool
    max_cost_increase: str | None
    max_tokens_increase: str | None
    max_latency_increase: str | None
    prices: Path | None
    """No gate by itself: what a budget of cost goes by."""

    def given(self) -> tuple[str, ...]:
        """The options that were, by name: three and more runs have no gate."""
        limits = (self.max_cost_increase, self.max_tokens_increase, self.max_latency_increase)
        named = {"--fail-on": self.fail, "--baseline": self.baseline, "--max-…-increase": any(limits)}
        return tuple(option for option, value in named.items() if value)

    def fail_on(self) -> tuple[FailOn, ...]:
        """What fails the gate. Raises UsageError."""
        return fail_on(self.fail)

    def budgets(self) -> Budgets:
        """How much more may be used. Raises UsageError."""
        return budgets(self.max_cost_increase, self.max_tokens_increase, self.max_latency_increase)

    def known(self) -> Known:
        """The list of known failures, and what is to be done with it."""
        return Known(self.baseline, self.baseline_update, self.baseline_prune)


_OPTIONS = (
    click.option(
        "--fail-on",
        "fail",
        multiple=True,
        metavar="WORD",
        help="What fails the comparison: new, worse, changed, stale, any, none; several with a comma.  [default: new]",
    ),
    click.option(
        "--baseline",
        metavar="FILE",
        type=click.Path(path_type=Path, dir_okay=False),
        help="A list of known failures: what it lists fails nothing.",
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
    return added(command, _OPTIONS)
