"""Decide for each rule, and for all rules together, if the candidate is better, worse, or neither.

All functions take only comparable cases, because other cases don't show which run is better.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

from ...contract.comparison.score import mean
from ...document.path_pattern import walk
from ...statistics import Evidence, Paired, Rate, sum_of_known
from ..model.broken_rules import broken_rules
from ..model.judged_answers import value_of
from ..value_diff import ChangeKind, diff_values
from ..value_diff_options import DiffOptions, fits
from .classification import pair_cases
from .run_diff import Bucket, Disagreement, RuleDelta, VerdictTable

if TYPE_CHECKING:
    from ...document.path import Path
    from ...document.path_pattern import PathPattern
    from ..model.judged_answers import Judged
    from ..model.run import CaseRow, Run
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
        # A conversation that only one run has agrees and disagrees with nothing.
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


COPIED_OUTCOME = "false_convergence"
COPIED_CHECK = "copied"


@dataclass(frozen=True, slots=True)
class Strategy:
    """Statistics of one run. A task is a conversation."""

    name: str
    tasks: int
    valid_by: tuple[int, ...]
    """How many tasks have a valid answer after attempt 1, 2, …"""
    failed_first: int
    """Number of tasks whose first answer was not valid."""
    rescued: int
    """How many of `failed_first` have a valid last answer."""
    outcomes: tuple[tuple[str, int], ...]
    """How the tasks ended, most frequent first: "converged", "stuck", "false_convergence", …"""
    false_convergence: int
    """Number of tasks whose last answer is valid, but copies the prompt, an example or the feedback."""
    calls: int
    """Total number of answers."""
    input_tokens: int | None
    output_tokens: int | None

    def ended(self, outcome: str) -> int:
        """Return how many tasks had this outcome."""
        return dict(self.outcomes).get(outcome, 0)


@dataclass(frozen=True, slots=True)
class StrategyPair:
    """Two strategies, compared on their common tasks by how often the last answer is valid."""

    one: str
    other: str
    paired: Paired
    """The paired comparison. `better` counts tasks that are valid only in `other`."""


@dataclass(frozen=True, slots=True)
class StrategyTable:
    """The comparison of several strategies."""

    strategies: tuple[Strategy, ...]
    pairs: tuple[StrategyPair, ...]


def compare_strategies(runs: Sequence[Run]) -> StrategyTable:
    """Return the statistics of each run, and an exact McNemar test for each pair."""
    strategies = tuple(_strategy(run) for run in runs)
    attempts = max((len(strategy.valid_by) for strategy in strategies), default=0)
    level = tuple(_levelled(strategy, attempts) for strategy in strategies)
    return StrategyTable(level, tuple(_pair(one, other) for one, other in combinations(runs, 2)))


def _strategy(run: Run) -> Strategy:
    judged = [each for row in run.rows for each in row.judged if each.attempts and each.outcome]
    most = max((len(each.attempts) for each in judged), default=0)
    failed = [each for each in judged if each.valid_at != 1]
    tokens = [(a.input_tokens, a.output_tokens) for each in judged for a in each.attempts]
    outcomes = Counter(each.outcome for each in judged)
    return Strategy(
        run.name,
        len(judged),
        tuple(
            sum(each.valid_at is not None and each.valid_at <= number for each in judged)
            for number in range(1, most + 1)
        ),
        len(failed),
        sum(each.attempts[-1].ok for each in failed),
        tuple(sorted(outcomes.items(), key=lambda item: (-item[1], item[0]))),
        sum(map(_is_copied, judged)),
        sum(len(each.attempts) for each in judged),
        sum_of_known([found for found, _ in tokens]),
        sum_of_known([found for _, found in tokens]),
    )


def _is_copied(judged: Judged) -> bool:
    """Return True if the outcome says so, or the check, which only warns if the contract allows copies."""
    return judged.outcome == COPIED_OUTCOME or any(check.name == COPIED_CHECK for check in judged.checks)


def _levelled(strategy: Strategy, attempts: int) -> Strategy:
    """Return the strategy with as many columns as the longest one. A task that became valid stays valid."""
    if len(strategy.valid_by) == attempts:
        return strategy
    last = strategy.valid_by[-1:] or (0,)  # nothing was judged, so nothing is valid
    more = strategy.valid_by + last * (attempts - len(strategy.valid_by))
    return replace(strategy, valid_by=more)


def _pair(one: Run, other: Run) -> StrategyPair:
    pairs = [(case.base, case.candidate) for case in pair_cases(one.rows, other.rows) if case.base and case.candidate]
    answered = [pair for pair in pairs if all(row.judged for rows in pair for row in rows)]
    return StrategyPair(one.name, other.name, _delta("", answered, lambda row: row.valid).paired)
