"""Give findings their line and column in the text of the answer, and sort them by place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..document.path import leading
from .finding import Finding, Severity

if TYPE_CHECKING:
    from ..document.answer import Document
    from ..document.path import Path
    from ..document.positions import Span


def with_positions(found: Sequence[Finding], document: Document) -> list[Finding]:
    """Return the findings with line and column; a missing value gets the position of its parent."""
    asked = {item.path for item in found if item.span is None} | {one.path for item in found for one in item.related}
    paths = {leading(document.data, path) for path in asked}
    spans = document.locate_many(paths)
    absent = paths - spans.keys()
    if absent:  # an alias or a merge key of YAML brings values that are written elsewhere
        spans |= document.locate_many({path[:depth] for path in absent for depth in range(len(path))})
    return [_at_span(item, spans) for item in found]


def _at_span(found: Finding, spans: Mapping[Path, Span]) -> Finding:
    if found.span is not None or found.severity is Severity.INFO:
        return found
    span = _nearest(found.path, spans)
    related = [item if item.span else replace(item, span=_nearest(item.path, spans)) for item in found.related]
    return replace(found, span=span, related=tuple(related))


def _nearest(path: Path, spans: Mapping[Path, Span]) -> Span | None:
    """Return the span of the path, or of its nearest parent that exists."""
    return next((spans[path[:depth]] for depth in range(len(path), -1, -1) if path[:depth] in spans), None)


def in_order(found: Finding) -> tuple[int, bool, int, int]:
    """Return a sort key: by phase, then place. Findings without a place come last in their phase, in their order."""
    span = found.span
    phase = found.kind.phase.rank
    return (phase, True, 0, 0) if span is None else (phase, False, span.line, span.column)
