"""Classify a compared case as new failure, fixed, still failing, stale and so on, with the reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from ..model.case_samples import each_of, is_sampled
from .run_diff import Bucket

if TYPE_CHECKING:
    from ..model.run import CaseRow
    from .run_diff import CaseDiff


class Status(StrEnum):
    """The combined status of a case's rows in one run."""

    GOOD = "good"
    BAD = "bad"
    MIXED = "mixed"
    STALE = "stale"
    UNJUDGED = "not judged"


_DECIDED = {
    (Status.GOOD, Status.BAD): Bucket.NEW_FAILURE,
    (Status.BAD, Status.GOOD): Bucket.FIXED,
    (Status.BAD, Status.BAD): Bucket.STILL_FAILING,
    (Status.GOOD, Status.GOOD): Bucket.UNCHANGED,
    (Status.UNJUDGED, Status.UNJUDGED): Bucket.UNCHANGED,
}


_STATUS = {True: Status.GOOD, False: Status.BAD}


def status_of(rows: Sequence[CaseRow]) -> Status:
    """Return the status of the rows (samples) of one case. There is at least one row."""
    if len(rows) == 1:
        (row,) = rows
        return Status.STALE if _is_stale(row) else Status.UNJUDGED if not row.is_judged else _STATUS[row.ok]
    if any(map(_is_stale, rows)):
        return Status.STALE
    if not any(row.is_judged for row in rows):
        return Status.UNJUDGED
    good = {row.ok for row in rows}
    return Status.MIXED if len(good) > 1 else _STATUS[good == {True}]


def _is_stale(row: CaseRow) -> bool:
    """Return True if the recording no longer fits. A retry without feedback is bad with any recording."""
    return bool(row.stale) and not row.feedback_is_missing


def bucket_of(base: Sequence[CaseRow], candidate: Sequence[CaseRow]) -> tuple[Bucket, str]:
    """Return the bucket of a case, and the reason if the bucket needs one.

    `UNCHANGED` means that the verdicts are the same. Values are compared later.

    Args:
        base: the case's rows in the base, or ().
        candidate: the case's rows in the candidate, or (). At least one side has rows.
    """
    if not base:
        return Bucket.ADDED, "only the candidate has this case"
    if not candidate:
        return Bucket.REMOVED, "only the base has this case"
    if base == candidate:
        before = after = status_of(base)
    else:
        # Before stale and unstable: for another question under the same key neither would say anything.
        if _asked_differently(base, candidate):
            return Bucket.NOT_COMPARABLE, "the declared input changed: it is another question under the same key"
        before, after = status_of(base), status_of(candidate)
    if Status.STALE in (before, after):
        return Bucket.STALE, _stale(base, candidate)
    if Status.MIXED in (before, after):
        return Bucket.UNSTABLE, f"{good_samples(base)} before, {good_samples(candidate)} now"
    if not any(row.judged or row.result for row in (*base, *candidate)):
        return Bucket.NOT_COMPARABLE, "no answer of it could be read in either run"
    if (before, after) in _DECIDED:
        return _DECIDED[before, after], ""
    side = "base" if before is Status.UNJUDGED else "candidate"
    return Bucket.NOT_COMPARABLE, f"nothing judged the {side}: name a contract to judge both sides"


def _asked_differently(base: Sequence[CaseRow], candidate: Sequence[CaseRow]) -> bool:
    before, after = ({row.inputs for row in rows if row.inputs is not None} for rows in (base, candidate))
    return bool(before and after) and before != after


def _stale(base: Sequence[CaseRow], candidate: Sequence[CaseRow]) -> str:
    stale = next(row for row in (*candidate, *base) if _is_stale(row))
    side = "candidate" if any(map(_is_stale, candidate)) else "base"
    return f"the {side}'s recording: {stale.stale[0]}"


# Samples. Rates count every sample. A paired test counts each case once, by its share of good samples.


def by_sample(cases: Sequence[CaseDiff]) -> Sequence[CaseDiff]:
    """Return the cases with one row per sample on both sides, for rates and paired tests."""
    return [_split(case) if is_sampled((*case.base, *case.candidate)) else case for case in cases]


def sample_shares(base: Sequence[CaseRow], candidate: Sequence[CaseRow]) -> str:
    """Return "3 of 4 samples good before, 2 of 4 samples good now", or "" if no row has samples."""
    if not is_sampled((*base, *candidate)):
        return ""
    return f"{good_samples(each_of(base))} before, {good_samples(each_of(candidate))} now"


def good_samples(rows: Sequence[CaseRow]) -> str:
    """Return a count such as "3 of 4 samples good"."""
    return f"{sum(row.ok for row in rows)} of {len(rows)} samples good"


def _split(case: CaseDiff) -> CaseDiff:
    base, candidate = each_of(case.base), each_of(case.candidate)
    return replace(case, bucket=bucket_of(base, candidate)[0], base=base, candidate=candidate)


Coordinates = tuple[str | None, str | None]
"""A variant and a model (as the test names it, if it does), which identify a row of a case within a run."""


@dataclass(frozen=True, slots=True)
class CasePair:
    """The rows of one case on both sides. At least one side has rows."""

    key: str
    base: tuple[CaseRow, ...] = ()
    candidate: tuple[CaseRow, ...] = ()


def pair_cases(base: Sequence[CaseRow], candidate: Sequence[CaseRow]) -> Iterator[CasePair]:
    """Yield the rows that have the same case key, sorted by key.

    If both runs have a case with the same models or variants, its rows are paired by model and variant. Otherwise,
    several rows of a case are its samples.
    """
    old, new = _by_key(base), _by_key(candidate)
    for key in sorted(old.keys() | new.keys()):
        yield from _pairs(key, old.get(key, []), new.get(key, []))


def _by_key(rows: Sequence[CaseRow]) -> dict[str, list[CaseRow]]:
    found: dict[str, list[CaseRow]] = {}
    for row in rows:
        found.setdefault(row.key, []).append(row)
    return found


def _pairs(key: str, base: list[CaseRow], candidate: list[CaseRow]) -> Iterator[CasePair]:
    if len(base) <= 1 and len(candidate) <= 1:
        yield CasePair(key, tuple(base), tuple(candidate))
        return
    old, new = _by_coordinates(base), _by_coordinates(candidate)
    # One model on each side, or no common one: old and new model are compared, and several rows of one are its samples.
    if max(len(old), len(new)) == 1 or not old.keys() & new.keys():
        yield CasePair(key, tuple(base), tuple(candidate))
        return
    for where in sorted(old.keys() | new.keys(), key=lambda found: tuple(part or "" for part in found)):
        name = ", ".join(dict.fromkeys(part for part in where if part))  # a variant may have the name of its model
        yield CasePair(f"{key} ({name})" if name else key, tuple(old.get(where, ())), tuple(new.get(where, ())))


def _by_coordinates(rows: list[CaseRow]) -> dict[Coordinates, list[CaseRow]]:
    found: dict[Coordinates, list[CaseRow]] = {}
    for row in rows:
        found.setdefault((row.variant, row.for_model or row.model), []).append(row)
    return found
