"""How far to go back after one failure: the history first, then the table of codes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ...contract.verdict import Verdict
from .blame_table import GIVE_UP, BlameTable

if TYPE_CHECKING:
    from ...contract.finding import Finding

_DEFAULT = BlameTable()


def backtrack_heuristic(
    step_id: str,
    guard_result: Verdict | Iterable[Finding],
    retry_count: int,
    history: Sequence[Iterable[Finding]] = (),
    *,
    table: BlameTable = _DEFAULT,
) -> int:
    """Return how many levels to go back after a failure: 0 to ask the same step again, -1 to give up.

    Args:
        step_id: name of the step that failed.
        guard_result: the verdict on its answer, or the findings alone.
        retry_count: answers to this prefix so far, this one included.
        history: findings of the earlier failures with this prefix, oldest first, without this one.
        table: the rules.

    Repeated failures are judged before the codes, so that a formatting error that does not go away escalates as well.
    """
    findings = guard_result.findings if isinstance(guard_result, Verdict) else tuple(guard_result)
    levels = table.levels(step_id, findings)
    if levels == GIVE_UP or table.stagnation is None or not table.stagnates([*history, findings]):
        return levels
    return max(levels, table.stagnation.levels_after(retry_count))


def blamed_level(level: int, levels: int) -> int:
    """Return the level that is blamed, from 0 to `level`, whatever number a table or a model gives."""
    return max(0, level - max(0, levels))
