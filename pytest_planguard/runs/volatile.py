"""Values that change from run to run and mean nothing: taken out, or rewritten by named normalisers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..document.path import Path
    from ..document.path_pattern import PathPattern

IGNORED = "<ignored>"
"""What stands for an ignored item of a list; an ignored field is left out."""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A named rewriting of one text."""

    name: str
    apply: Callable[[str], str]


def named_rewrites(names: Iterable[str]) -> tuple[tuple[Rewrite, ...], tuple[str, ...]]:
    """The normalisers among the names, and the names that are none (paths, then)."""
    from ..replay.matching.normalise import NORMALISERS

    known = {normaliser.name: normaliser for normaliser in NORMALISERS}
    asked = list(names)
    rewrites = tuple(Rewrite(name, known[name].apply) for name in asked if name in known)
    return rewrites, tuple(name for name in asked if name not in known)


def without(value: Any, ignore: tuple[PathPattern, ...], rewrites: tuple[Rewrite, ...]) -> Any:
    """A copy of the value without the ignored places, every text rewritten."""
    taken = {path for pattern in ignore for path, _ in pattern.select(value)}
    return _copied(value, (), taken, rewrites)


def _copied(value: Any, path: Path, taken: set[Path], rewrites: tuple[Rewrite, ...]) -> Any:
    if isinstance(value, dict):
        inner = {key: (*path, key) for key in value}
        return {key: _copied(value[key], inner[key], taken, rewrites) for key in value if inner[key] not in taken}
    if isinstance(value, list):
        return [
            IGNORED if (*path, index) in taken else _copied(item, (*path, index), taken, rewrites)
            for index, item in enumerate(value)
        ]
    if isinstance(value, str):
        for rewrite in rewrites:
            value = rewrite.apply(value)
    return value
