"""Samples of one case: taken apart for rates and paired tests, where a case counts once, by its share of good ones."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..model.run import BadSample, SamplesRow
from .classification import bucket_of, good_samples

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..model.judged_answers import Judged
    from ..model.run import CaseRow
    from .run_diff import CaseDiff

MOST = 10_000
"""Samples of one case that are taken apart; a row that claims more is taken as one."""
_NUMBER = re.compile(r" \(sample ([1-9][0-9]{0,5})\)\Z")
"""How the name of a conversation ends that belongs to another sample than the first."""


def each_sample(row: CaseRow) -> tuple[CaseRow, ...]:
    """One row for each sample, with its conversations, its result, and its part of cost and latency; else the row.

    A sample that the row does not name as bad is good where its conversations are.
    """
    samples = row.samples
    if samples is None or not 1 < samples.total <= MOST:
        return (row,)
    judged, bad = _by_number(row, samples), {sample.number for sample in samples.bad}
    return tuple(
        replace(
            row,
            judged=tuple(judged[number]),
            result="failed" if number in bad else None if len(bad) < samples.total - samples.good else "passed",
            cost=None if row.cost is None else row.cost / samples.total,
            latency_s=None if row.latency_s is None else row.latency_s / samples.total,
            samples=None,
        )
        for number in range(1, samples.total + 1)
    )


def each_of(rows: Sequence[CaseRow]) -> tuple[CaseRow, ...]:
    """The samples of all rows of a case."""
    return tuple(sample for row in rows for sample in each_sample(row))


def is_sampled(rows: Sequence[CaseRow]) -> bool:
    """Whether a row of a case stands for several samples."""
    return any(row.samples is not None for row in rows)


def by_sample(cases: Sequence[CaseDiff]) -> Sequence[CaseDiff]:
    """The cases as they count in rates and paired tests: with a row for each sample on both sides."""
    return [_spread(case) if is_sampled((*case.base, *case.candidate)) else case for case in cases]


def shares(base: Sequence[CaseRow], candidate: Sequence[CaseRow]) -> str:
    """'3 of 4 samples good before, 2 of 4 samples good now'; "" where no row has samples."""
    if not is_sampled((*base, *candidate)):
        return ""
    return f"{good_samples(each_of(base))} before, {good_samples(each_of(candidate))} now"


def judged_again(row: CaseRow, judged: tuple[Judged, ...]) -> SamplesRow | None:
    """The samples of a row whose conversations were judged again.

    A bad sample whose conversations were good stays bad: planguard does not know why it was.
    """
    samples = row.samples
    if samples is None or not 1 < samples.total <= MOST:
        return samples
    before, after = _by_number(row, samples), _by_number(replace(row, judged=judged), samples)
    bad = tuple(_bad(samples, before, after))
    return replace(samples, good=samples.total - len(bad), bad=bad)


def _bad(samples: SamplesRow, before: dict[int, list[Judged]], after: dict[int, list[Judged]]) -> Iterator[BadSample]:
    known = {sample.number: sample for sample in samples.bad}
    for number, judged in after.items():
        unexplained = number in known and all(each.ok for each in before[number])
        if unexplained or not all(each.ok for each in judged):
            yield known.get(number, BadSample(number, "the last answer breaks the contract"))


def _by_number(row: CaseRow, samples: SamplesRow) -> dict[int, list[Judged]]:
    """The conversations of each sample. Single answers are those of the last one: a row keeps no others."""
    found: dict[int, list[Judged]] = {number: [] for number in range(1, samples.total + 1)}
    for judged in row.judged:
        named = _NUMBER.search(judged.name)
        number = samples.total if judged.single else int(named[1]) if named else 1
        found.get(number, found[1]).append(judged)
    return found


def _spread(case: CaseDiff) -> CaseDiff:
    base, candidate = each_of(case.base), each_of(case.candidate)
    return replace(case, bucket=bucket_of(base, candidate)[0], base=base, candidate=candidate)
