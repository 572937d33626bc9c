"""What the comparison of two runs says, as values: every report renders these, none decides anything."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from ...statistics import Evidence, Paired, Rate
from ..value_diff.equality import fingerprint

if TYPE_CHECKING:
    from ...replay.session.rerecord import RerecordHint
    from ..model.broken_rules import Broken
    from ..model.header import RunHeader
    from ..model.run import CaseRow
    from ..value_diff.change import FieldChange
    from ..value_diff.field_diff import UnstableList


class Bucket(StrEnum):
    """What became of a case. The order of definition is the order of a report."""

    NEW_FAILURE = "new_failure"
    """Good before, bad now."""
    FIXED = "fixed"
    STILL_FAILING = "still_failing"
    CHANGED_VALID = "changed_valid"
    """Good on both sides, or judged on neither, with another value."""
    UNCHANGED = "unchanged"
    """Good on both sides, or judged on neither, with the same value."""
    STALE = "stale"
    """A cassette no longer fits what is sent: it is no evidence for either side."""
    UNSTABLE = "unstable"
    """Samples of one run disagree about the case."""
    ADDED = "added"
    """Only the candidate has the case."""
    REMOVED = "removed"
    """Only the base has the case."""
    NOT_COMPARABLE = "not_comparable"
    """The same key, but not the same question."""


@dataclass(frozen=True, slots=True)
class Axis:
    """Something in which the runs differ as a whole: the model, the prompt, the contract, a package."""

    name: str
    before: tuple[str, ...]
    """The values in the base, sorted; () where none is known."""
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Metric:
    """One number on both sides."""

    name: str
    """What is measured, with the place: "items of levers"."""
    before: float | None
    """None where there is nothing to measure."""
    after: float | None
    share: bool = False
    """From 0 to 1, to be shown in per cent."""
    higher_is_better: bool | None = None
    """None where neither direction is good as such."""


@dataclass(frozen=True, slots=True)
class ValueDiff:
    """The difference between the final answers of one conversation (or judged answer) of a case."""

    name: str
    """Which of the case's conversations; "" where it has only one."""
    changes: tuple[FieldChange, ...] = ()
    unstable: tuple[UnstableList, ...] = ()
    """Lists whose items have no stable key: their fields are not in `changes`, `metrics` compare them."""
    metrics: tuple[Metric, ...] = ()


@dataclass(frozen=True, slots=True)
class CaseDiff:
    """What became of one case."""

    key: str
    bucket: Bucket
    why: str = ""
    """Why it is stale, unstable or not comparable; "" where the bucket says it all."""
    base: tuple[CaseRow, ...] = ()
    """The case's rows in the base: more than one are samples."""
    candidate: tuple[CaseRow, ...] = ()
    values: tuple[ValueDiff, ...] = ()
    broken: tuple[Broken, ...] = ()
    """Rules that only the candidate breaks."""
    repaired: tuple[Broken, ...] = ()
    """Rules that only the base broke."""
    still_broken: tuple[Broken, ...] = ()
    """Rules that both break."""
    open: tuple[Broken, ...] = ()
    """Rules that one side breaks, while a request without an answer cut the other side's conversation short."""

    @property
    def changes(self) -> tuple[FieldChange, ...]:
        """All changes of all its answers."""
        return tuple(change for value in self.values for change in value.changes)

    @property
    def comparable(self) -> bool:
        """Whether the case says something about which run is better."""
        return self.bucket not in (Bucket.ADDED, Bucket.REMOVED, Bucket.STALE, Bucket.NOT_COMPARABLE)

    @property
    def rerecord(self) -> RerecordHint | None:
        """How a stale case is re-recorded, where a row has the command."""
        return next((row.rerecord for row in (*self.candidate, *self.base) if row.rerecord is not None), None)

    @property
    def fails(self) -> bool:
        """Whether the candidate's rows of the case are bad, all of them, on a cassette that is not stale."""
        return bool(self.candidate) and not any(row.ok or row.stale for row in self.candidate)

    @property
    def is_new_failure(self) -> bool:
        """Whether a gate for new failures fails on it: good before and bad now, or new and bad."""
        return self.bucket is Bucket.NEW_FAILURE or (self.bucket is Bucket.ADDED and self.fails)


@dataclass(frozen=True, slots=True)
class RuleDelta:
    """One rule over all comparable cases; samples of a case count as one, by the share that breaks it."""

    rule: str
    """The finding's code, "check:…", "outcome:…" or "test:…"; "" for all rules together: whether a case is good."""
    before: Rate
    """Rows of the base that keep the rule."""
    after: Rate
    """Rows of the candidate that keep the rule."""
    paired: Paired
    cases_before: int
    """Cases of the base with a row that breaks it."""
    cases_after: int

    @property
    def evidence(self) -> Evidence:
        """Better, worse, or no evidence for either."""
        return self.paired.evidence


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of both runs."""

    name: str
    before: float
    after: float
    cases: int
    """Cases that have the number on both sides; the others are left out."""
    unit: str = ""
    """"tokens", "s", "attempts"; "" for a share from 0 to 1."""
    lower_is_better: bool = True

    @property
    def change(self) -> float | None:
        """Relative change: 0.1 is 10 % more; None where the base is 0."""
        return (self.after - self.before) / self.before if self.before else None


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One conclusion that differs."""

    case: str
    change: FieldChange


@dataclass(frozen=True, slots=True)
class VerdictTable:
    """All conclusions of one field."""

    field: str
    """The path as the user wrote it."""
    agree: int
    """Places that both runs have with the same value."""
    differ: tuple[Disagreement, ...] = ()
    """Places that both have with different values."""
    only_base: int = 0
    only_candidate: int = 0

    @property
    def total(self) -> int:
        """Places that both runs have."""
        return self.agree + len(self.differ)

    @property
    def turned(self) -> int:
        """Conclusions that changed: another value, or none any more."""
        return len(self.differ) + self.only_base

    @property
    def turns(self) -> tuple[tuple[Any, Any, int], ...]:
        """How often one value became another: (before, after, count), the most frequent first."""
        values: dict[tuple[str, str], tuple[Any, Any]] = {}
        counted: Counter[tuple[str, str]] = Counter()
        for found in self.differ:
            key = (fingerprint(found.change.before), fingerprint(found.change.after))
            values[key] = (found.change.before, found.change.after)
            counted[key] += 1
        return tuple((*values[key], n) for key, n in sorted(counted.items(), key=lambda item: (-item[1], item[0])))


@dataclass(frozen=True, slots=True)
class RunDiff:
    """The comparison of two runs: what differs as a whole first, then cases, rules and figures."""

    base: RunHeader
    candidate: RunHeader
    axes: tuple[Axis, ...]
    cases: tuple[CaseDiff, ...]
    """Sorted by bucket, then key."""
    overall: RuleDelta
    valid: RuleDelta
    """Whether the last answer keeps its contract, whatever the checks of its conversation say."""
    rules: tuple[RuleDelta, ...]
    """Rules that either run breaks, those that got worse first."""
    figures: tuple[Figure, ...] = ()
    metrics: tuple[Metric, ...] = ()
    """Metrics over the answers of all comparable cases, where they were asked for."""
    verdicts: tuple[VerdictTable, ...] = ()
    scored: Paired | None = None
    """The cases by their scores of expected values; None if no case has some on both sides."""
    notes: tuple[str, ...] = ()
    """What a reader must know to trust it: what could not be read, what was judged by different contracts."""
    unread: bool = False
    """Whether a part of a run could not be read or judged; `notes` say which."""
    judged: bool = True
    """False where nothing judged either run: then cases are changed or not, but neither good nor bad."""

    @property
    def unproven(self) -> str:
        """Why nothing bad that was found means little: nothing could be compared, or not all; "" where all was."""
        if self.unread:
            return "a part of a run could not be read or judged"
        return "" if any(case.comparable for case in self.cases) else "nothing could be compared"

    @property
    def counts(self) -> dict[Bucket, int]:
        """Number of cases for every bucket, in the order of a report."""
        counted = Counter(case.bucket for case in self.cases)
        return {bucket: counted[bucket] for bucket in Bucket}

    def of(self, *buckets: Bucket) -> tuple[CaseDiff, ...]:
        """Return the cases in these buckets."""
        return tuple(case for case in self.cases if case.bucket in buckets)
