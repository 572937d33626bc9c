"""Findings about the document: syntax problems, refusals, truncation, and prose that only looks like a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...document.path import LineIndex
from ...document.prose import classify, loop_message, repeated_end
from ..failure_kinds import FailureKind
from ..finding import Finding, Related, Severity
from ..phrasing import as_json, clip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...document.answer import Document
    from ...document.formats.reading import Problem
    from ..constraints.constraint import ContentConstraint
    from ..schema.schema import SchemaCheck


REFUSED = ("refusal", "content_filter")
"""Finish reasons that mean that the model declined."""
CUT = "length"
"""The finish reason of an answer that reached the token limit."""


def refusal_finding(finish: str | None, refusal: str | None) -> Finding | None:
    """Return the finding for a refusal; None if the provider reports none."""
    if refusal:
        return Finding("refusal", (), f"the model declined: {as_json(refusal)}", FailureKind.REFUSAL)
    if finish in REFUSED:
        return Finding("refusal", (), f"the model declined (finish reason {finish})", FailureKind.REFUSAL)
    return None


def parse_findings(document: Document, finish: str | None) -> list[Finding]:
    """Return the document's syntax problems, and notes on the text that was stripped around it."""
    found = [_problem(problem) for problem in document.problems]
    notes = [
        Finding(note.code, (), note.message, FailureKind(note.code), Severity.INFO, note.span)
        for note in document.notes
    ]
    if finish == CUT:
        found = [_cut_off_finding(document, found)]
    return notes + found


def _problem(problem: Problem) -> Finding:
    return Finding(
        code=problem.code,
        path=problem.path,
        message=problem.message,
        kind=FailureKind(problem.code),
        span=problem.span,
        expected=problem.expected,
        actual=None if problem.actual is None else clip(problem.actual),
        related=tuple(Related(message, span=span) for message, span in problem.related),
        validator_message=problem.parser_message,
    )


def _cut_off_finding(document: Document, found: list[Finding]) -> Finding:
    """Return the finding for an answer that reached the token limit.

    It is only a warning if the document is complete anyway (a closed JSON value or a closed fence). An answer that
    repeats itself up to the limit is a loop: a higher limit would only make it longer.
    """
    repeated = repeated_end(document.text) if found else None
    if repeated is not None:
        message = f"{loop_message(repeated)}, at the token limit"
        return Finding("loop", (), message, FailureKind.LOOP, span=found[0].span)
    after = document.text[document.offset + len(document.body) :]
    if found or not (document.format == "json" or "```" in after or "~~~" in after):
        span = found[0].span if found else None
        reason = f" ({found[0].message})" if found else ""
        message = f"the answer was cut off at the token limit{reason}"
        return Finding("truncated", (), message, FailureKind.TRUNCATED, span=span)
    message = "the token limit was reached, but the document is complete"
    return Finding("truncated", (), message, FailureKind.TRUNCATED, Severity.WARN)


# Prose that happens to parse: Markdown although data is expected, or "k1: some words" without a schema.


def stray_text(document: Document, schema: SchemaCheck, constraints: Sequence[ContentConstraint]) -> Finding | None:
    """Return the finding for a text that only looks like a document; None for a real document."""
    if document.format == "markdown" and _wants_data(schema):
        wanted = "JSON"
    elif document.format == "yaml" and schema.json_schema() is None and _one_remark(document.data, constraints):
        wanted = "YAML"
    else:
        return None
    kind, message = classify(document.text)
    span = LineIndex(document.text).span(document.offset, document.offset + len(document.body))
    return Finding(kind, (), f"{message}; there is no {wanted} document in it", FailureKind(kind), span=span)


def _wants_data(schema: SchemaCheck) -> bool:
    """Return True if the schema describes an object or a list, so that plain text can never be the answer."""
    described = schema.json_schema() or {}
    reference = str(described.get("$ref", "")).removeprefix("#/$defs/")
    root = described.get("$defs", {}).get(reference, described)
    return root.get("type") in ("object", "array") or "properties" in root


def _one_remark(data: object, constraints: Sequence[ContentConstraint]) -> bool:
    """Return True if a mapping is one key with some words, and no constraint is about that key."""
    if not isinstance(data, dict) or len(data) != 1:
        return False
    ((key, value),) = data.items()
    asked = any(rule.field == key or rule.field.startswith(f"{key}.") for rule in constraints)
    return isinstance(value, str) and len(value.split()) > 1 and not asked
