"""Line and column of each finding in the model's own text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...document.answer import locate_many
from ..severity import Severity

if TYPE_CHECKING:
    from ...document.answer import Document
    from ...document.path import Path
    from ...document.span import Span
    from ..finding import Finding


def with_positions(found: Sequence[Finding], document: Document) -> list[Finding]:
    """Return the findings with line and column; what is missing gets the position of its parent."""
    paths = {item.path for item in found if item.span is None}
    paths |= {other.path for item in found for other in item.related}
    spans = locate_many(document, paths)
    absent = [path for path in paths if path not in spans]
    if absent:  # asked for only now: the end of an outer value is far away in a long text
        spans |= locate_many(document, {path[:depth] for path in absent for depth in range(len(path))})
    return [_at_span(item, spans) for item in found]


def _at_span(found: Finding, spans: Mapping[Path, Span]) -> Finding:
    if found.span is not None or found.severity is Severity.INFO:
        return found
    span = spans.get(found.path) or _nearest(found.path, spans)
    if not found.related:
        return found.at(span)
    related = [item if item.span else replace(item, span=_nearest(item.path, spans)) for item in found.related]
    return found.at(span, tuple(related))


def _nearest(path: Path, spans: Mapping[Path, Span]) -> Span | None:
    """Return the span of the path, or of the innermost parent that is there."""
    return next((spans[path[:depth]] for depth in range(len(path), -1, -1) if path[:depth] in spans), None)
