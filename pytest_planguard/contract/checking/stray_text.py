"""Prose that happens to look like a document: Markdown where data was due, and "k1: some words" without a schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...document.prose import classify
from ...document.span import LineIndex
from ..failure_kinds import FailureKind
from ..finding import Finding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...document.answer import Document
    from ..constraints.constraint import ContentConstraint
    from ..schema.schema import SchemaCheck


def stray_text(document: Document, schema: SchemaCheck, constraints: Sequence[ContentConstraint]) -> Finding | None:
    """Return what kind of text an answer is that was read as a document only by its looks; None for a document."""
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
    """Whether the schema describes an object or a list, so that a text can never be the answer."""
    described = schema.json_schema() or {}
    reference = str(described.get("$ref", "")).removeprefix("#/$defs/")
    root = described.get("$defs", {}).get(reference, described)
    return root.get("type") in ("object", "array") or "properties" in root


def _one_remark(data: Any, constraints: Sequence[ContentConstraint]) -> bool:
    """Whether a mapping is one word, a colon and some more words, and nothing asks for a field of that name."""
    if not isinstance(data, dict) or len(data) != 1:
        return False
    ((key, value),) = data.items()
    asked = any(rule.field == key or rule.field.startswith(f"{key}.") for rule in constraints)
    return isinstance(value, str) and len(value.split()) > 1 and not asked
