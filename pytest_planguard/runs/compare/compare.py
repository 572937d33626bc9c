"""Compare two runs: pair their cases, judge again if the contracts differ, report what changed, and add up figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING

from ..judge_cases import judge_again
from ..model.broken_rules import broken_rules, open_rules, sorted_rules
from ..model.case_samples import each_of, is_sampled
from ..value_diff_options import DEFAULT, DiffOptions
from .answer_diff import diff_answers
from .classification import CasePair, bucket_of, by_sample, pair_cases, sample_shares
from .deltas import overall_delta, rule_deltas, score_delta, valid_delta, verdict_tables
from .metrics import run_metrics
from .run_axes import axes_of
from .run_diff import Bucket, CaseDiff, Figure, RunDiff

if TYPE_CHECKING:
    from ...contract import Contract
    from ..model.judged_answers import Judged
    from ..model.run import CaseRow, Run
    from .run_diff import ValueDiff


UNJUDGED = (
    "No case was judged, so the comparison shows only what changed, not whether it is good or bad. "
    "Name a contract with --contract module:NAME"
)


def compare(
    base: Run,
    candidate: Run,
    fields: DiffOptions = DEFAULT,
    *,
    contracts: Sequence[Contract] = (),
    metrics: bool = False,
) -> RunDiff:
    """Compare two runs. Cases with the same key are the same case, unless their declared input changed.

    The result depends only on the arguments. Equal runs have no differences, and swapping the runs swaps the two sides
    of the result.

    Args:
        base: the run before.
        candidate: the run now.
        fields: how answers are compared, from `diff_options`.
        contracts: the candidate's. On both sides, they judge every answer that they have not judged yet.
        metrics: True to compare answers by metrics instead of field by field.
    """
    notes = (*base.problems, *candidate.problems)
    if contracts:
        base, candidate = judge_again(base, tuple(contracts)), judge_again(candidate, tuple(contracts))
    pairs = [*pair_cases(base.rows, candidate.rows)]
    found = (_case_diff(pair, fields, metrics=metrics) for pair in pairs)
    cases = sorted(found, key=lambda case: (_ORDER[case.bucket], case.key))
    compared = [case for case in cases if case.comparable]
    rows = (*base.rows, *candidate.rows)
    counted = by_sample(compared) if is_sampled(rows) else compared
    judged = any(row.is_judged for row in rows)
    return RunDiff(
        base=base.header,
        candidate=candidate.header,
        axes=axes_of(base, candidate, pairs),
        cases=tuple(cases),
        overall=overall_delta(counted),
        valid=valid_delta(counted),
        rules=rule_deltas(counted),
        figures=figures_of(counted),
        metrics=run_metrics(compared) if metrics else (),
        verdicts=verdict_tables(cases, fields) if fields.verdicts else (),
        scored=score_delta(compared),
        notes=(*notes, *_notes(compared), *([] if judged or not cases else [UNJUDGED])),
        unread=bool(base.problems or candidate.problems),
        judged=judged,
    )


_ORDER = {bucket: number for number, bucket in enumerate(Bucket)}  # new failures first, as reports show them


def _case_diff(pair: CasePair, fields: DiffOptions, *, metrics: bool) -> CaseDiff:
    """Return how one case changed."""
    bucket, why = bucket_of(pair.base, pair.candidate)
    # Nearly all cases of a rerun: no answer is parsed for them.
    if bucket is Bucket.UNCHANGED and len(pair.base) == 1 and pair.base == pair.candidate:
        return CaseDiff(pair.key, bucket, why, pair.base, pair.candidate)
    why = why or sample_shares(pair.base, pair.candidate)
    values = _values(pair, bucket, fields)  # also needed with metrics, to see if anything changed
    if bucket is Bucket.UNCHANGED and (values or _answers(pair.base) != _answers(pair.candidate)):
        # {"a":1} and {"a": 1} are other texts with the same value. Samples have no value to compare, so their texts
        # count.
        bucket = Bucket.UNCHANGED if not values and _alone(pair) else Bucket.CHANGED_VALID
    if bucket is Bucket.UNCHANGED:
        return CaseDiff(pair.key, bucket, why, pair.base, pair.candidate)
    before, after = set(broken_rules(pair.base)), set(broken_rules(pair.candidate))
    unknown = open_rules(pair.base, pair.candidate) - after | open_rules(pair.candidate, pair.base) - before
    return CaseDiff(
        pair.key,
        bucket,
        why,
        pair.base,
        pair.candidate,
        values=() if metrics else values,
        broken=tuple(sorted_rules(after - before - unknown)),
        repaired=tuple(sorted_rules(before - after - unknown)),
        still_broken=tuple(sorted_rules(before & after)),
        open=tuple(sorted_rules(unknown)),
    )


def _values(pair: CasePair, bucket: Bucket, options: DiffOptions) -> tuple[ValueDiff, ...]:
    """Compare fields if each side has one answer. Samples are compared by their pass rates instead."""
    comparable = bucket not in (Bucket.ADDED, Bucket.REMOVED, Bucket.NOT_COMPARABLE)
    if not comparable or not _alone(pair):
        return ()
    return diff_answers(pair.base[0], pair.candidate[0], options)


def _alone(pair: CasePair) -> bool:
    """Return True if each side has exactly one answer."""
    return len(pair.base) == len(pair.candidate) == 1 and not is_sampled((*pair.base, *pair.candidate))


def _answers(rows: Sequence[CaseRow]) -> list[tuple[str, ...]]:
    return sorted(row.answers for row in each_of(rows))


def _notes(cases: Sequence[CaseDiff]) -> Iterator[str]:
    """Yield a note if the two sides were judged by different contracts."""
    differ = sum(
        _digests(case.base) != _digests(case.candidate) and all(map(_digests, (case.base, case.candidate)))
        for case in cases
    )
    if differ:
        yield (
            f"{differ:,} {'case was' if differ == 1 else 'cases were'} judged by different contracts in the two runs. "
            "Name the candidate's with --contract module:NAME, and both sides are judged by it"
        )


def _digests(rows: Sequence[CaseRow]) -> set[str]:
    return {judged.digest for row in rows for judged in row.judged if judged.digest is not None}


# Figures: numbers of both runs, over the cases that have them on both sides.


@dataclass(frozen=True, slots=True)
class _Kind:
    """One figure: how it is measured in a row, and how the cases add up."""

    name: str
    unit: str
    measure: Callable[[CaseRow], float | None]
    """The row's number; None if it is unknown."""
    mean: bool = False
    """True for the mean over cases, False for their sum."""


def _share_valid_at_first(row: CaseRow) -> float | None:
    return _mean(each.attempts[0].ok for each in _judged(row))


def _attempts_until_valid(row: CaseRow) -> float | None:
    return _mean(each.valid_at for each in _judged(row) if each.valid_at is not None)


def _attempts(row: CaseRow) -> int | None:
    return sum(len(each.attempts) for each in row.judged if not each.single) or None


def _judged(row: CaseRow) -> Iterator[Judged]:
    return (each for each in row.judged if each.attempts and each.outcome)


_KINDS = (
    _Kind("valid at the first attempt", "share", _share_valid_at_first, mean=True),
    _Kind("attempts until valid", "attempts", _attempts_until_valid, mean=True),
    _Kind("attempts", "attempts", _attempts),
    _Kind("input tokens", "tokens", attrgetter("input_tokens")),
    _Kind("output tokens", "tokens", attrgetter("output_tokens")),
    _Kind("cost", "cost", attrgetter("cost")),
    _Kind("recorded latency", "s", attrgetter("latency_s")),  # never the time of a replay
    _Kind("score of expected values", "score", attrgetter("score"), mean=True),
)


def figures_of(cases: Sequence[CaseDiff]) -> tuple[Figure, ...]:
    """Return the figures over comparable cases that are known on both sides, then the user's own scores by name."""
    names = sorted({name for case in cases for row in (*case.base, *case.candidate) for name in row.scores})
    kinds = (*_KINDS, *(_Kind(f"score {name}", "score", partial(_own_score, name), mean=True) for name in names))
    return tuple(figure for kind in kinds if (figure := _figure(kind, cases)) is not None)


def _own_score(name: str, row: CaseRow) -> float | None:
    return row.scores.get(name)


def _figure(kind: _Kind, cases: Sequence[CaseDiff]) -> Figure | None:
    measured = [(_measured(kind, case.base), _measured(kind, case.candidate)) for case in cases]
    both = [(old, new) for old, new in measured if old is not None and new is not None]
    if not both:
        return None
    before, after = (sum(side) for side in zip(*both, strict=True))
    if kind.mean:
        before, after = before / len(both), after / len(both)
    return Figure(kind.name, before, after, kind.unit, len(both))


def _measured(kind: _Kind, rows: Sequence[CaseRow]) -> float | None:
    """Return the number of a case: that of its row, or the mean over its samples."""
    known = [number for number in map(kind.measure, rows) if number is not None]
    return known[0] if len(known) == 1 else _mean(known)  # one number stays whole: 3 attempts, not 3.0


def _mean(numbers: Iterable[float]) -> float | None:
    listed = list(numbers)
    return sum(listed) / len(listed) if listed else None
