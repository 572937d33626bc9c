"""Decide for each rule, and for all rules together, if the candidate is better, worse, or neither.

All functions take only comparable cases, because other cases don't show which run is better.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...contract.comparison.score import mean
from ...document.path_pattern import walk
from ...statistics import Evidence, Paired, Rate
from ..model.broken_rules import broken_rules
from ..model.judged_answers import value_of
from ..value_diff.diff_options import DiffOptions, fits
from ..value_diff.field_diff import ChangeKind, diff_values
from .run_diff import Bucket, Disagreement, RuleDelta, VerdictTable

if TYPE_CHECKING:
    from ...document.path import Path
    from ...document.path_pattern import PathPattern
    from ..model.run import CaseRow
    from .run_diff import CaseDiff


_GOOD = (Bucket.UNCHANGED, Bucket.CHANGED_VALID)
"""Buckets whose cases satisfy all rules on both sides. These cases are only counted."""
_ORDER = (Evidence.WORSE, Evidence.BETTER, Evidence.NONE)
_ROUNDING = 1e-9
"""Tolerance for rounding errors of scores, such as the mean of ten fields of which nine are right."""
_Keeps = Callable[["CaseRow"], bool]
_Pairs = Sequence[tuple[Sequence["CaseRow"], Sequence["CaseRow"]]]


def overall_delta(cases: Iterable[CaseDiff]) -> RuleDelta:
    """Return the change in good cases, over all rules together."""
    return _delta("", [(case.base, case.candidate) for case in cases], lambda row: row.ok)


def valid_delta(cases: Iterable[CaseDiff]) -> RuleDelta:
    """Return the change in valid last answers, over cases with a judged answer on both sides."""
    pairs = [(case.base, case.candidate) for case in cases]
    answered = [pair for pair in pairs if all(row.is_judged and row.judged for rows in pair for row in rows)]
    return _delta("", answered, lambda row: row.valid)


def score_delta(cases: Iterable[CaseDiff]) -> Paired | None:
    """Return in how many cases the score of expected values rose or fell."""
    scores = [[_score(rows) for rows in (case.base, case.candidate)] for case in cases]
    changes = [new - old for old, new in scores if old is not None and new is not None]
    return (
        Paired(sum(c > _ROUNDING for c in changes), sum(c < -_ROUNDING for c in changes), len(changes))
        if changes
        else None
    )


def _score(rows: Sequence[CaseRow]) -> float | None:
    known = [row.score for row in rows if row.score is not None]
    return mean(known) if known else None


def rule_deltas(cases: Sequence[CaseDiff]) -> tuple[RuleDelta, ...]:
    """Return a delta for each rule that a case breaks.

    Rules that got worse come first, then by number of changed cases.
    """
    good = [(case.base, case.candidate) for case in cases if case.bucket in _GOOD]
    rest = [case for case in cases if case.bucket not in _GOOD]
    rows = (row for case in rest for row in (*case.base, *case.candidate))
    broken = {id(row): {found.rule for found in broken_rules([row])} for row in rows}
    rules = sorted({rule for found in broken.values() for rule in found})
    deltas = [_delta(rule, _decidable(rest, rule), lambda row, r=rule: r not in broken[id(row)]) for rule in rules]  # type: ignore[misc]
    broken_somewhere = [delta for delta in deltas if delta.cases_before or delta.cases_after]
    return tuple(sorted((_with_kept(delta, good) for delta in broken_somewhere), key=_rank))


def _decidable(cases: Sequence[CaseDiff], rule: str) -> _Pairs:
    """Return the cases for which both sides show if they satisfy the rule."""
    return [(c.base, c.candidate) for c in cases if not any(found.rule == rule for found in c.open)]


def _delta(rule: str, pairs: _Pairs, keeps: _Keeps) -> RuleDelta:
    better, worse, cases_before, cases_after = 0, 0, 0, 0
    hits, totals = [0, 0], [0, 0]
    for base, candidate in pairs:
        old = sum(map(keeps, base))
        new = old if base == candidate else sum(map(keeps, candidate))
        # Compare shares as products of integers, so that rounding never changes a sign.
        difference = new * len(base) - old * len(candidate)
        better, worse = better + (difference > 0), worse + (difference < 0)
        cases_before, cases_after = cases_before + (old < len(base)), cases_after + (new < len(candidate))
        hits = [hits[0] + old, hits[1] + new]
        totals = [totals[0] + len(base), totals[1] + len(candidate)]
    before, after = Rate(hits[0], totals[0]), Rate(hits[1], totals[1])
    return RuleDelta(rule, before, after, Paired(better, worse, len(pairs)), cases_before, cases_after)


def _with_kept(delta: RuleDelta, rest: _Pairs) -> RuleDelta:
    """Return the delta with the cases added that satisfy all rules on both sides."""
    base, candidate = sum(len(b) for b, _ in rest), sum(len(c) for _, c in rest)
    return RuleDelta(
        delta.rule,
        Rate(delta.before.hits + base, delta.before.total + base),
        Rate(delta.after.hits + candidate, delta.after.total + candidate),
        Paired(delta.paired.better, delta.paired.worse, delta.paired.pairs + len(rest)),
        delta.cases_before,
        delta.cases_after,
    )


def _rank(delta: RuleDelta) -> tuple[int, int, int, str]:
    """Return the sort key: first rules that got worse, then net worse cases, cases that now break the rule, and name.

    For example, 2 worse and 0 better comes before 2 worse and 1 better. The name breaks ties.
    """
    paired = delta.paired
    return (_ORDER.index(delta.evidence), paired.better - paired.worse, -delta.cases_after, delta.rule)


def verdict_tables(cases: Iterable[CaseDiff], options: DiffOptions) -> tuple[VerdictTable, ...]:
    """Return a table for every verdict field of the options, over the cases with one row on each side."""
    pairs = [
        (case.key, case.base[0], case.candidate[0]) for case in cases if len(case.base) == len(case.candidate) == 1
    ]
    return tuple(_table(pattern, pairs, options) for pattern in options.verdicts)


def _table(pattern: PathPattern, pairs: list[tuple[str, CaseRow, CaseRow]], options: DiffOptions) -> VerdictTable:
    single = replace(options, verdicts=(pattern,))
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


def _values(row: CaseRow) -> list[object]:
    return [value_of(answer) for answer in row.answers]


def _sites(value: object, options: DiffOptions) -> list[Path]:
    """Return the places that match the pattern."""
    return [path for path, _ in walk(value) if _is_site(options, path)]


def _is_site(options: DiffOptions, path: Path) -> bool:
    (pattern,) = options.verdicts
    if len(pattern.steps) == 1 and path:
        return path[-1] == pattern.steps[0]
    return fits(pattern, path)


def _inside(paths: list[Path], changed: list[Path]) -> int:
    """Return how many of the paths are at or below an added or removed path."""
    tops = set(changed)
    return sum(any(path[:length] in tops for length in range(len(path) + 1)) for path in paths)
