"""Compare two runs: pair their cases, judge again if the contracts differ, report what changed, and add up figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    from ..model.run import CaseRow, Run
    from .run_diff import ValueDiff


_Pairs = list[tuple[tuple["CaseRow", ...], tuple["CaseRow", ...]]]
_KINDS = (
    ("valid at the first attempt", "share"),
    ("attempts until valid", "attempts"),
    ("attempts", "attempts"),
    ("input tokens", "tokens"),
    ("output tokens", "tokens"),
    ("cost", "cost"),
    ("recorded latency", "s"),
    ("score of expected values", "score"),
)
"""Pairs of name and unit."""
_MEANS = frozenset(("valid at the first attempt", "attempts until valid", "score of expected values"))
"""Names of figures that are means over cases. The others are sums."""


def figures_of(cases: Sequence[CaseDiff]) -> tuple[Figure, ...]:
    """Return the figures over comparable cases that are known on both sides.

    Latency is the recorded latency, never the time of a replay.
    """
    pairs = [(case.base, case.candidate) for case in cases]
    return (*_figures(pairs), *_scores(pairs))


def _figures(pairs: _Pairs) -> Iterator[Figure]:
    columns = zip(*_known(pairs), strict=True)
    for (name, unit), known in zip(_KINDS, columns, strict=True):
        both = [values for values in known if values is not None]
        if both:
            old, new = (sum(side) for side in zip(*both, strict=True))
            cases = len(both)
            mean = name in _MEANS
            yield Figure(name, old / cases if mean else old, new / cases if mean else new, unit, cases)


def _scores(pairs: _Pairs) -> Iterator[Figure]:
    """Yield the means of the user's own scores."""
    for name in sorted({name for sides in pairs for side in sides for row in side for name in row.scores}):
        known = [(_mean(base, name), _mean(candidate, name)) for base, candidate in pairs]
        both = [(old, new) for old, new in known if old is not None and new is not None]
        if both:
            old, new = (sum(side) / len(both) for side in zip(*both, strict=True))
            yield Figure(f"score {name}", old, new, "score", len(both))


def _mean(rows: Sequence[CaseRow], name: str) -> float | None:
    known = [row.scores[name] for row in rows if name in row.scores]
    return sum(known) / len(known) if known else None


def _known(pairs: _Pairs) -> Iterator[list[tuple[float, float] | None]]:
    """Yield a list for each case: each figure's mean over the rows on both sides, or None if one is unknown."""
    if not pairs:
        yield [None] * len(_KINDS)
    for base, candidate in pairs:
        old = _measured(base)
        new = old if base == candidate else _measured(candidate)
        yield [None if one is None or other is None else (one, other) for one, other in zip(old, new, strict=True)]


def _measured(rows: Sequence[CaseRow]) -> Sequence[float | None]:
    if len(rows) == 1:
        return _measures(rows[0])
    known = [[value for value in column if value is not None] for column in zip(*map(_measures, rows), strict=True)]
    return [sum(values) / len(values) if values else None for values in known]


def _measures(row: CaseRow) -> tuple[float | None, ...]:
    """Return one row's figures in the order of `_KINDS`."""
    judged = [each for each in row.judged if each.attempts and each.outcome]
    first = sum(each.attempts[0].ok for each in judged) / len(judged) if judged else None
    valid = [number for number in (each.valid_at for each in judged) if number is not None]
    until = sum(valid) / len(valid) if valid else None
    attempts = sum(len(each.attempts) for each in row.judged if not each.single)
    return (first, until, attempts or None, row.input_tokens, row.output_tokens, row.cost, row.latency_s, row.score)


_ORDER = {bucket.value: number for number, bucket in enumerate(Bucket)}


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
    found = (case_diff(pair, fields, metrics=metrics) for pair in pairs)
    cases = sorted(found, key=lambda case: (_ORDER[case.bucket.value], case.key))
    compared = [case for case in cases if case.comparable]
    rows = (*base.rows, *candidate.rows)
    counted = by_sample(compared) if is_sampled(rows) else compared
    judged = any(row.is_judged for row in rows)
    return RunDiff(
        base.header,
        candidate.header,
        axes_of(base, candidate, pairs),
        tuple(cases),
        overall_delta(counted),
        valid_delta(counted),
        rule_deltas(counted),
        figures_of(counted),
        run_metrics(compared) if metrics else (),
        verdict_tables(cases, fields) if fields.verdicts else (),
        score_delta(compared),
        (*notes, *_notes(compared), *([] if judged or not cases else [UNJUDGED])),
        unread=bool(base.problems or candidate.problems),
        judged=judged,
    )


def case_diff(pair: CasePair, fields: DiffOptions, *, metrics: bool) -> CaseDiff:
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
        () if metrics else values,
        tuple(sorted_rules(after - before - unknown)),
        tuple(sorted_rules(before - after - unknown)),
        tuple(sorted_rules(before & after)),
        tuple(sorted_rules(unknown)),
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
