"""Split a row with several samples into one row each, and judge samples again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from .run import BadSample, SamplesRow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .judged_answers import Judged
    from .run import CaseRow

MOST = 10_000
"""Maximum number of samples to split. A row with more counts as one sample, so that a hostile record cannot exhaust
memory."""
_NUMBER = re.compile(r" \(sample ([1-9][0-9]{0,5})\)\Z")
"""The suffix of a conversation's name in every sample but the first: "driven-1 (sample 3)"."""


def each_sample(row: CaseRow) -> tuple[CaseRow, ...]:
    """Return a row for each sample, with the sample's conversations, result, and share of cost and latency.

    A row of one sample is returned unchanged. A sample that isn't listed as bad is good if all its conversations are
    good.
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
    """Return the samples of all rows of a case."""
    return tuple(sample for row in rows for sample in each_sample(row))


def is_sampled(rows: Sequence[CaseRow]) -> bool:
    """Return True if a row of a case has several samples."""
    return any(row.samples is not None for row in rows)


def judge_samples(row: CaseRow, judged: tuple[Judged, ...]) -> SamplesRow | None:
    """Return the samples of a row after its conversations were judged again.

    A bad sample whose conversations were good stays bad, because planguard doesn't know why it was bad.
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
    """Return the conversations of each sample. Single answers belong to the last sample: a row saves no others."""
    by_number: dict[int, list[Judged]] = {number: [] for number in range(1, samples.total + 1)}
    for judged in row.judged:
        named = _NUMBER.search(judged.name)
        number = samples.total if judged.single else int(named[1]) if named else 1
        by_number.get(number, by_number[1]).append(judged)
    return by_number
