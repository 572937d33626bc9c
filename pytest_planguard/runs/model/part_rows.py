"""Rows of plan searches and of pipelines."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...document.path import Count

if TYPE_CHECKING:
    from ...search.result import SearchResult


@dataclass(frozen=True, slots=True)
class SearchRow:
    """How one search of a case ended, and what it took. Its path is among the checked answers of the case."""

    policy: str
    succeeded: bool
    reason: str
    """Why it ended: "success", "all_pruned" and so on."""
    calls: Count
    """Answers asked for, and calls of a classifier."""
    classify_calls: Count = 0
    misses: Count = 0
    """Calls that no cassette answers."""
    bound_by: tuple[str, ...] = ()
    """What kept a prefix from another answer."""
    calls_by_step: dict[str, Count] = field(default_factory=dict)
    reopenings: dict[str, Count] = field(default_factory=dict)
    jumps: tuple[Count, ...] = ()
    """Levels of each return to an earlier step, in order."""
    error: str | None = None
    """What a step raised; None where none did."""


def search_row(result: SearchResult) -> SearchRow:
    """Return what a row keeps of a search."""
    return SearchRow(
        result.policy, result.succeeded, result.termination_reason.value, result.total_calls, result.classify_calls,
        result.misses, result.bound_by, dict(result.calls_by_step), dict(result.reopenings), result.jumps,
        None if result.error is None else str(result.error),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class PipelineRow:
    """One use of a part."""

    part: str
    """"stream", "gate", "models" or "stage"."""
    outcome: str
    """Of a stream "ended" or "aborted", of a gate what became of the pause or "open", of models who kept the contract
    or "none", of a stage how it ended."""
    task: str | None = None
    """The task that it was used for; None where nobody says."""
    notes: tuple[str, ...] = ()
    """One line each: a finding of a stream, the condition of a gate and its event, what each model did."""
