"""What the reports about three and more runs show: the arms side by side, and every two of them compared."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...runs.compare.arms import Arm, ArmPair, ArmsTable
    from ...runs.compare.run_diff import RunDiff


PAIR_HEAD = ("arm", "against", "result", "evidence")
"""The head of the table of pairs."""


@dataclass(frozen=True, slots=True)
class ArmsReport:
    """Three or more runs, compared."""

    table: ArmsTable | None
    """None where nothing judged any of them."""
    comparisons: tuple[RunDiff, ...]
    """Every two runs, in the order in which they were named."""
    notes: tuple[str, ...] = ()
    """What a reader must know of any of the comparisons, each once."""


def arm_head(table: ArmsTable) -> tuple[str, ...]:
    """Return the head of the table of arms: a column for each attempt that any arm needed."""
    attempts = max((len(arm.valid_by) for arm in table.arms), default=0)
    by = tuple(f"valid by {number}" for number in range(1, attempts + 1))
    return ("arm", "tasks", *by, "rescued", "stuck", "false convergence", "calls", "tokens")


def arm_cells(arm: Arm) -> tuple[str, ...]:
    """Return an arm's row: its name as it was given, then figures."""
    tokens = [number for number in (arm.input_tokens, arm.output_tokens) if number is not None]
    return (
        arm.name,
        f"{arm.tasks:,}",
        *(f"{number:,}" for number in arm.valid_by),
        f"{arm.rescued:,}/{arm.failed_first:,}",
        f"{arm.ended('stuck'):,}",
        f"{arm.false_convergence:,}",
        f"{arm.calls:,}",
        f"{sum(tokens):,}" if tokens else "-",
    )


def pair_evidence(pair: ArmPair, one: str, other: str) -> tuple[str, str]:
    """Return 'no evidence', and 'only inject 3, only blind 3 of 48 tasks, exact McNemar p = 1', with these names."""
    from .comparison_words import p_text

    paired = pair.paired
    split = f"only {other} {paired.better:,}, only {one} {paired.worse:,} of {paired.pairs:,} tasks"
    return paired.evidence.value, f"{split}, exact McNemar {p_text(paired.p)}"
