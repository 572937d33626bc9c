"""Arms side by side for a terminal: valid by attempt, rescues, how they ended, and every pair tested."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .diff_words import p_text
from .sanitise import one_line
from .table import columns

if TYPE_CHECKING:
    from ..runs.arms import Arm, ArmPair, ArmsTable


def render_arms(table: ArmsTable) -> str:
    """The table of arms, and a line for every pair."""
    attempts = max((len(arm.valid_by) for arm in table.arms), default=0)
    by = tuple(f"valid by {number}" for number in range(1, attempts + 1))
    header = ("arm", "tasks", *by, "rescued", "stuck", "false convergence", "calls", "tokens")
    rows = [header, *(_cells(arm) for arm in table.arms)]
    lines = [columns(rows, right=frozenset(range(1, len(header)))), ""]
    return "\n".join([*lines, *map(_pair, table.pairs)])


def _cells(arm: Arm) -> tuple[str, ...]:
    by = tuple(f"{number:,}" for number in arm.valid_by)
    tokens = [number for number in (arm.input_tokens, arm.output_tokens) if number is not None]
    return (
        arm.name,
        f"{arm.tasks:,}",
        *by,
        f"{arm.rescued:,}/{arm.failed_first:,}",
        f"{arm.ended('stuck'):,}",
        f"{arm.false_convergence:,}",
        f"{arm.calls:,}",
        f"{sum(tokens):,}" if tokens else "-",
    )


def _pair(pair: ArmPair) -> str:
    """'inject against blind: no evidence (only inject 3, only blind 3 of 48 tasks, exact McNemar p = 1)'."""
    one, other, paired = one_line(pair.one, 60), one_line(pair.other, 60), pair.paired
    split = f"only {other} {paired.better:,}, only {one} {paired.worse:,} of {paired.pairs:,} tasks"
    return f"{other} against {one}: {paired.evidence.value} ({split}, exact McNemar {p_text(paired.p)})"
