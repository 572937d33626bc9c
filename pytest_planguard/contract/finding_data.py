"""A finding as plain JSON types: one shape for rows, reports and machines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..document.path import to_pointer

if TYPE_CHECKING:
    from .finding import Finding


def finding_data(finding: Finding) -> dict[str, Any]:
    """A finding; `path` is a JSON pointer, `line` and `column` count from 1 and are null without a place."""
    return {
        "code": finding.code,
        "path": to_pointer(finding.path),
        "kind": finding.kind.value,
        "severity": finding.severity.value,
        "message": finding.message,
        "line": finding.span.line if finding.span else None,
        "column": finding.span.column if finding.span else None,
        "expected": finding.expected,
        "actual": finding.actual,
        "hint": finding.hint,
    }
