"""Where two runs agree on a conclusion, and where not: one table for every field that is marked as a verdict."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ...document.path_pattern import walk
from ..model.judged_answers import value_of
from ..value_diff.change import ChangeKind
from ..value_diff.diff_options import DiffOptions, fits
from ..value_diff.field_diff import diff_values
from .run_diff import Disagreement, VerdictTable

if TYPE_CHECKING:
    from ...document.path import Path
    from ...document.path_pattern import PathPattern
    from ..model.run import CaseRow
    from .run_diff import CaseDiff


def verdict_tables(cases: Iterable[CaseDiff], options: DiffOptions) -> tuple[VerdictTable, ...]:
    """Return a table for every verdict field of the options, over the cases that have one row on each side."""
    pairs = [
        (case.key, case.base[0], case.candidate[0]) for case in cases if len(case.base) == len(case.candidate) == 1
    ]
    return tuple(_table(pattern, pairs, options) for pattern in options.verdicts)


def _table(pattern: PathPattern, pairs: list[tuple[str, CaseRow, CaseRow]], options: DiffOptions) -> VerdictTable:
    single = DiffOptions(options.keys, options.ignore, options.rewrites, (pattern,), options.rich)
    agree, only_base, only_candidate = 0, 0, 0
    differ: list[Disagreement] = []
    for key, base, candidate in pairs:
        for before, after in zip(_values(base), _values(candidate), strict=False):
            changes = diff_values(before, after, single).changes
            turned = [c for c in changes if c.kind is ChangeKind.CHANGED and _is_site(single, c.path_after)]
            old, new = _sites(before, single), _sites(after, single)
            removed = _inside(old, [c.path for c in changes if c.kind is ChangeKind.REMOVED])
            added = _inside(new, [c.path_after for c in changes if c.kind is ChangeKind.ADDED])
            differ += [Disagreement(key, change) for change in turned]
            agree += len(old) - removed - len(turned)
            only_base, only_candidate = only_base + removed, only_candidate + added
    return VerdictTable(pattern.text, agree, tuple(differ), only_base, only_candidate)


def _values(row: CaseRow) -> list[Any]:
    return [value_of(answer) for answer in row.answers]


def _sites(value: Any, options: DiffOptions) -> list[Path]:
    """Return the places that the pattern names."""
    return [path for path, _ in walk(value) if _is_site(options, path)]


def _is_site(options: DiffOptions, path: Path) -> bool:
    (pattern,) = options.verdicts
    if len(pattern.steps) == 1 and path:
        return path[-1] == pattern.steps[0]
    return fits(pattern, path)


def _inside(paths: list[Path], changed: list[Path]) -> int:
    """Return how many of the paths are at or below one that was added or removed."""
    tops = set(changed)
    return sum(any(path[:length] in tops for length in range(len(path) + 1)) for path in paths)
