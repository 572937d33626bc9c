"""Fields that a constraint speaks of and an answer does not have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..document.path_pattern import PathPattern, Wildcard
from .content.scene import Violation, wrong

if TYPE_CHECKING:
    from ..document.path import Path

_ABSENT = "required, missing"


def absences(pattern: PathPattern, data: Any) -> Iterator[tuple[str, Violation]]:
    """Code and violation for every place where the pattern's way breaks off: a missing key, or no object or list.

    An empty list lacks nothing: what must be in it is a `count` constraint's business.
    """
    for depth, step in enumerate(pattern.steps):
        for path, value in PathPattern(pattern.steps[:depth], pattern.text).select(data):
            if isinstance(step, Wildcard):
                yield from _no_container("a list" if step.lists else "an object", path, value)
            elif isinstance(step, str):
                yield from _no_key(step, path, value)
            elif isinstance(step, int) and isinstance(value, list) and step >= len(value):
                yield "missing", Violation((*path, step), _ABSENT)


def _no_container(expected: str, path: Path, value: Any) -> Iterator[tuple[str, Violation]]:
    if not isinstance(value, list if expected == "a list" else dict):
        yield _wrong_type(expected, path, value)


def _no_key(key: str, path: Path, value: Any) -> Iterator[tuple[str, Violation]]:
    if value is None:
        yield "missing", Violation((*path, key), _ABSENT)
    elif not isinstance(value, dict):
        yield _wrong_type("an object", path, value)
    elif key not in value:
        yield "missing", Violation((*path, key), _ABSENT)


def _wrong_type(expected: str, path: Path, value: Any) -> tuple[str, Violation]:
    found = wrong(expected, value)
    return "type", Violation(path, found.message, found.expected, found.actual)
