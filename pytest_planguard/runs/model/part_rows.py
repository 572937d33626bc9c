"""Rows of plan searches and of pipelines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .foreign_fields import RowError, count, inner, listed, maybe_text, seen, text
from .header import NOTHING

if TYPE_CHECKING:
    from ...search.result import SearchResult


@dataclass(frozen=True, slots=True)
class SearchRow:
    """How one search of a case ended, and what it took. Its path is among the checked answers of the case."""

    policy: str
    succeeded: bool
    reason: str
    """Why it ended: "success", "all_pruned" and so on."""
    calls: int
    """Answers asked for, and calls of a classifier."""
    classify_calls: int = 0
    misses: int = 0
    """Calls that no cassette answers."""
    bound_by: tuple[str, ...] = ()
    """What kept a prefix from another answer."""
    calls_by_step: Mapping[str, int] = field(default_factory=lambda: NOTHING)
    reopenings: Mapping[str, int] = field(default_factory=lambda: NOTHING)
    jumps: tuple[int, ...] = ()
    """Levels of each return to an earlier step, in order."""
    error: str | None = None
    """What a step raised; None where none did."""


def search_row(result: SearchResult) -> SearchRow:
    """Return what a row keeps of a search."""
    return SearchRow(
        result.policy, result.succeeded, result.termination_reason.value, result.total_calls, result.classify_calls,
        result.misses, result.bound_by, result.calls_by_step, result.reopenings, result.jumps,
        None if result.error is None else str(result.error),
    )  # fmt: skip


def search_row_data(row: SearchRow) -> dict[str, Any]:
    """Return a search as plain data."""
    return {
        "policy": row.policy,
        "succeeded": row.succeeded,
        "reason": row.reason,
        "calls": row.calls,
        "classify_calls": row.classify_calls,
        "misses": row.misses,
        "bound_by": list(row.bound_by),
        "calls_by_step": dict(row.calls_by_step),
        "reopenings": dict(row.reopenings),
        "jumps": list(row.jumps),
        "error": row.error,
    }


def read_search_row(data: dict[str, Any]) -> SearchRow:
    """Return the search of plain data. Raises RowError."""
    return SearchRow(
        text(data, "policy"),
        data.get("succeeded") is True,
        text(data, "reason"),
        count(data, "calls") or 0,
        count(data, "classify_calls") or 0,
        count(data, "misses") or 0,
        tuple(map(str, listed(data, "bound_by"))),
        _counts(data, "calls_by_step"),
        _counts(data, "reopenings"),
        tuple([_levels(item) for item in listed(data, "jumps")]),
        maybe_text(data, "error"),
    )


def _counts(data: dict[str, Any], name: str) -> Mapping[str, int]:
    by_step = inner(data, name)
    return {step: count(by_step, step) or 0 for step in by_step} or NOTHING


def _levels(value: Any) -> int:
    if type(value) is not int or value < 1:
        raise RowError(f"the field 'jumps' must list numbers of levels from 1 on, got {seen(value)}")
    return value


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


def pipeline_row_data(row: PipelineRow) -> dict[str, Any]:
    """Return the use of a part as plain data."""
    return {"part": row.part, "outcome": row.outcome, "task": row.task, "notes": list(row.notes)}


def read_pipeline_row(data: dict[str, Any]) -> PipelineRow:
    """Return the use of a part from plain data. Raises RowError."""
    notes = tuple(map(str, listed(data, "notes")))
    return PipelineRow(text(data, "part"), text(data, "outcome"), maybe_text(data, "task"), notes)
