"""Rows of plan searches and of pipelines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...document.path import Count

if TYPE_CHECKING:
    from ...search.result import SearchResult


@dataclass(frozen=True, slots=True)
class SearchRow:
    """How one search of a case ended, and its cost. Its path is among the checked answers of the case."""

    policy: str
    succeeded: bool
    reason: str
    """Why it ended: "success", "all_pruned" and so on."""
    calls: Count
    """Requested answers and calls of a classifier."""
    classify_calls: Count = 0
    misses: Count = 0
    """Calls without an answer in a cassette."""
    bound_by: tuple[str, ...] = ()
    """The limits that kept a prefix from getting another answer."""
    calls_by_step: dict[str, Count] = field(default_factory=dict)
    reopenings: dict[str, Count] = field(default_factory=dict)
    jumps: tuple[Count, ...] = ()
    """Number of levels in each return to an earlier step, in order."""
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
    """One use of a pipeline part."""

    part: str
    """"stream", "gate", "models" or "stage"."""
    outcome: str
    """For a stream "ended" or "aborted"; for a gate the result of its pause, or "open"; for models the one that kept
    the contract, or "none"; for a stage how it ended.
    """
    task: str | None = None
    """The task it was used for; None if unknown."""
    notes: tuple[str, ...] = ()
    """One line each: a finding of a stream, a gate's condition and its event, or the result of each model."""
