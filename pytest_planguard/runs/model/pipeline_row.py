"""What a test saw of the parts of a pipeline: a watched stream, a gate, a choice of models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .foreign_fields import listed, maybe_text, text


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
