"""Where the values of a document stand in the whole answer. Runs only when something is to be reported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .json_scan import locate_many as locate_json
from .line_index import LineIndex

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .answer import Document
    from .path import Path
    from .span import Span


def locate_many(document: Document, paths: Iterable[Path]) -> dict[Path, Span]:
    """The place of each path that leads somewhere; nothing for a document that could not be read."""
    offsets = _offsets(document, paths) if document.body else {}
    if not offsets:
        return {}
    places = LineIndex(document.text)
    shift = document.offset
    return {path: places.span(shift + start, shift + end) for path, (start, end) in offsets.items()}


def _offsets(document: Document, paths: Iterable[Path]) -> dict[Path, tuple[int, int]]:
    """Offsets in the body."""
    whole = (0, len(document.body))
    if document.data is None or document.format == "markdown":
        return {path: whole for path in paths if path == ()}
    if document.format == "json":
        equal_keys = any(problem.code == "duplicate_key" for problem in document.problems)
        return locate_json(document.body, paths, unique_keys=not equal_keys)
    from .yaml_load import locate_yaml

    return locate_yaml(document.body, paths)
