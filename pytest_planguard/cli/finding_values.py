"""A finding as plain values, for the JSON of `planguard check`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..contract.finding import Finding, Related


def finding_values(finding: Finding) -> dict[str, Any]:
    """What every finding has, in an answer or in a plan."""
    return {
        "code": finding.code,
        "path": list(finding.path),
        "message": finding.message,
        "kind": finding.kind.value,
        "severity": finding.severity.value,
        **place_values(finding),
    }


def place_values(thing: Finding | Related) -> dict[str, int | None]:
    """Line and column, from 1; null where it has no place."""
    span = thing.span
    return {"line": span.line if span else None, "column": span.column if span else None}
