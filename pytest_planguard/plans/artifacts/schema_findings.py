"""Findings of a plan's rules and of its format's schema as one list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .validate import COMPLETED, validate_document

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...contract.finding import Finding
    from ...document.answer import Document
    from ..model.plan import Plan

FAMILY = "autospec"
"""The family of formats that has schemas."""
_REPORTED_BY_SCHEMA = frozenset({"root-shape", "status-enum"})
"""Rules whose breaches the schema reports too, with the field that it expects."""
_SCHEMA_CODES = frozenset({"missing", "type", "enum", "format", "length", "extra"})
"""Codes of the findings that only a schema makes."""


def schema_kind(format_name: str) -> str | None:
    """Return the schema of a format: "spec" for "autospec-spec"; None where the format has none."""
    return format_name.removeprefix(f"{FAMILY}-") if format_name.startswith(f"{FAMILY}-") else None


def with_schema(
    plan: Plan, document: Document, findings: Iterable[Finding], *, version: str = COMPLETED
) -> tuple[Finding, ...]:
    """Return the findings of rules and schema by their place; what both report is reported once, by the schema.

    Args:
        plan: what was read from the document.
        document: the text of the plan; findings of its schema have their places in it.
        findings: what the rules found.
        version: the schema's version, "completed" or "implemented": which words a feature's status may have.
    """
    kind = schema_kind(plan.format)
    if kind is None:
        return tuple(findings)
    breaches = validate_document(document, kind, strict=True, version=version).findings
    kept = [finding for finding in findings if finding.code not in _REPORTED_BY_SCHEMA]
    known = {finding.identity for finding in kept}
    kept += [one for one in breaches if one.code in _SCHEMA_CODES and one.identity not in known]
    return tuple(sorted(kept, key=lambda one: (one.span.line, one.span.column) if one.span else (0, 0)))
