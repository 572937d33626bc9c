"""Rows for plan searches and for pipeline features."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...document.path import Count

if TYPE_CHECKING:
    from ...plan_search.result import SearchResult


@dataclass(frozen=True, slots=True)
class SearchRow:
    """How one search of a case ended, and what it cost. Its path is among the case's checked answers."""

    policy: str
    succeeded: bool
    reason: str
    """Why the search ended: "success", "all_pruned" and so on."""
    calls: Count
    """Number of requested answers and classifier calls."""
    classify_calls: Count = 0
    misses: Count = 0
    """Number of calls without an answer in a cassette."""
    bound_by: tuple[str, ...] = ()
    """The limits that stopped the search from requesting another answer for a prefix."""
    calls_by_step: dict[str, Count] = field(default_factory=dict)
    reopenings: dict[str, Count] = field(default_factory=dict)
    jumps: tuple[Count, ...] = ()
    """How many levels each return to an earlier step went back, in order."""
    error: str | None = None
    """The error that a step raised, or None."""


def search_row(result: SearchResult) -> SearchRow:
    """Return the row of a search."""
    return SearchRow(
        result.policy, result.succeeded, result.termination_reason.value, result.total_calls, result.classify_calls,
        result.misses, result.bound_by, dict(result.calls_by_step), dict(result.reopenings), result.jumps,
        None if result.error is None else str(result.error),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class PipelineRow:
    """One use of a pipeline feature."""

    part: str
    """"stream", "gate", "models" or "stage"."""
    outcome: str
    """For a stream: "ended" or "aborted". For a gate: the result of its pause, or "open". For models: the model whose
    answer was valid, or "none". For a stage: how it ended."""
    task: str | None = None
    """The task that it was used for; None if unknown."""
    notes: tuple[str, ...] = ()
    """Details, one line each: a stream's finding, a gate's condition and event, or each model's result."""
