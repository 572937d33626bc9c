"""The result of comparing two runs. Reports only render it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from ...statistics import Evidence, Paired, Rate
from ..list_alignment import fingerprint

if TYPE_CHECKING:
    from ...replay.session.rerecord import RerecordHint
    from ..model.broken_rules import Broken
    from ..model.run import CaseRow, RunHeader
    from ..value_diff import FieldChange, UnstableList


class Bucket(StrEnum):
    """How a case changed. Reports use the order of definition."""

    NEW_FAILURE = "new_failure"
    """Good before, bad now."""
    FIXED = "fixed"
    STILL_FAILING = "still_failing"
    CHANGED_VALID = "changed_valid"
    """Good on both sides, or judged on neither, but with a different value."""
    UNCHANGED = "unchanged"
    """Good on both sides, or judged on neither, with the same value."""
    STALE = "stale"
    """A cassette no longer matches the requests, so it proves nothing about either side."""
    UNSTABLE = "unstable"
    """The samples of one run disagree."""
    ADDED = "added"
    """Only the candidate has the case."""
    REMOVED = "removed"
    """Only the base has the case."""
    NOT_COMPARABLE = "not_comparable"
    """The key is the same, but the question is different."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One overall difference between the runs: the model, the prompt, the contract, a package."""

    name: str
    before: tuple[str, ...]
    """The values in the base, sorted; () if none is known."""
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of both runs."""

    name: str
    """The measured quantity, with the place if it is in an answer: "items of levers"."""
    before: float | None
    """The value in the base; None if there is nothing to measure."""
    after: float | None
    unit: str = ""
    """"tokens", "s", "attempts", or "share" for a number from 0 to 1; "" for a plain number."""
    cases: int = 0
    """How many cases have the number on both sides. Others are ignored. 0 for a number over all answers."""

    @property
    def change(self) -> float | None:
        """The relative change: 0.1 means 10 % more. None if the base is 0, or a side is unknown."""
        return (self.after - self.before) / self.before if self.before and self.after is not None else None


@dataclass(frozen=True, slots=True)
class ValueDiff:
    """The difference between the final answers of one conversation (or judged answer) of a case."""

    name: str
    """The name of the conversation; "" if the case has only one."""
    changes: tuple[FieldChange, ...] = ()
    unstable: tuple[UnstableList, ...] = ()
    """Lists whose items have no stable key. Their fields are in `metrics` instead of `changes`."""
    metrics: tuple[Figure, ...] = ()


@dataclass(frozen=True, slots=True)
class CaseDiff:
    """How one case changed."""

    key: str
    bucket: Bucket
    why: str = ""
    """The reason if the case is stale, unstable or not comparable; otherwise ""."""
    base: tuple[CaseRow, ...] = ()
    """The case's rows in the base. Several rows are samples."""
    candidate: tuple[CaseRow, ...] = ()
    values: tuple[ValueDiff, ...] = ()
    broken: tuple[Broken, ...] = ()
    """Rules that only the candidate breaks."""
    repaired: tuple[Broken, ...] = ()
    """Rules that only the base broke."""
    still_broken: tuple[Broken, ...] = ()
    """Rules that both runs break."""
    open: tuple[Broken, ...] = ()
    """Rules that one run breaks in a conversation that the other run could not finish, because a request got no answer.
    """

    @property
    def changes(self) -> tuple[FieldChange, ...]:
        """All changes in all of the case's answers."""
        return tuple(change for value in self.values for change in value.changes)

    @property
    def comparable(self) -> bool:
        """True if the case can show which run is better."""
        return self.bucket not in (Bucket.ADDED, Bucket.REMOVED, Bucket.STALE, Bucket.NOT_COMPARABLE)

    @property
    def rerecord(self) -> RerecordHint | None:
        """How to record a stale case again, if a row has the command."""
        return next((row.rerecord for row in (*self.candidate, *self.base) if row.rerecord is not None), None)

    @property
    def fails(self) -> bool:
        """True if all of the case's rows in the candidate are bad, and none of them is stale."""
        return bool(self.candidate) and not any(row.ok or row.stale for row in self.candidate)

    @property
    def is_new_failure(self) -> bool:
        """True if the case is bad now, and was good before or is new. A gate for new failures then fails."""
        return self.bucket is Bucket.NEW_FAILURE or (self.bucket is Bucket.ADDED and self.fails)


@dataclass(frozen=True, slots=True)
class RuleDelta:
    """The change of one rule over all comparable cases.

    All samples of a case count as one case, by the share of samples that break the rule.
    """

    rule: str
    """The finding's code, "check:…", "outcome:…" or "test:…". "" means all rules together."""
    before: Rate
    """The share of the base's rows that satisfy the rule."""
    after: Rate
    """The share of the candidate's rows that satisfy the rule."""
    paired: Paired
    cases_before: int
    """Number of cases in the base with a row that breaks the rule."""
    cases_after: int

    @property
    def evidence(self) -> Evidence:
        """Better, worse, or no evidence for either."""
        return self.paired.evidence


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One verdict that differs."""

    case: str
    change: FieldChange


@dataclass(frozen=True, slots=True)
class VerdictTable:
    """All verdicts of one field."""

    field: str
    """The path as the user wrote it."""
    agree: int
    """Number of places with the same value in both runs."""
    differ: tuple[Disagreement, ...]
    """Places with different values in the two runs."""
    only_base: int
    only_candidate: int

    @property
    def total(self) -> int:
        """The number of places that both runs have."""
        return self.agree + len(self.differ)

    @property
    def turned(self) -> int:
        """The number of verdicts that changed or disappeared."""
        return len(self.differ) + self.only_base

    @property
    def turns(self) -> tuple[tuple[Any, Any, int], ...]:
        """How often a value changed to another: (before, after, count), most frequent first."""
        values: dict[tuple[str, str], tuple[object, object]] = {}
        counted: Counter[tuple[str, str]] = Counter()
        for found in self.differ:
            key = (fingerprint(found.change.before), fingerprint(found.change.after))
            values[key] = (found.change.before, found.change.after)
            counted[key] += 1
        return tuple((*values[key], n) for key, n in sorted(counted.items(), key=lambda item: (-item[1], item[0])))


@dataclass(frozen=True, slots=True)
class RunDiff:
    """The comparison of two runs: overall differences, cases, rules and figures."""

    base: RunHeader
    candidate: RunHeader
    axes: tuple[Axis, ...]
    cases: tuple[CaseDiff, ...]
    """The compared cases, sorted by bucket, then key."""
    overall: RuleDelta
    valid: RuleDelta
    """The change in last answers that satisfy their contract. Checks of conversations are ignored."""
    rules: tuple[RuleDelta, ...]
    """The rules that either run breaks. Those that got worse come first."""
    figures: tuple[Figure, ...] = ()
    metrics: tuple[Figure, ...] = ()
    """Metrics over the answers of all comparable cases, if requested."""
    verdicts: tuple[VerdictTable, ...] = ()
    scored: Paired | None = None
    """The paired comparison of scores against expected values; None if no case has scores on both sides."""
    notes: tuple[str, ...] = ()
    """Limits that a reader must know: unreadable parts, and cases judged by different contracts."""
    unread: bool = False
    """True if a part of a run could not be read or judged. `notes` says which."""
    judged: bool = True
    """False if nothing judged either run. Cases may then have changed, but are neither good nor bad."""

    @property
    def unproven(self) -> str:
        """Why a lack of failures proves little: some or all cases could not be compared.

        "" if all could be compared.
        """
        if self.unread:
            return "a part of a run could not be read or judged"
        return "" if any(case.comparable for case in self.cases) else "nothing could be compared"

    @property
    def counts(self) -> dict[Bucket, int]:
        """Number of cases per bucket, in the order of reports."""
        counted = Counter(case.bucket for case in self.cases)
        return {bucket: counted[bucket] for bucket in Bucket}

    def of(self, *buckets: Bucket) -> tuple[CaseDiff, ...]:
        """Return the cases in these buckets."""
        return tuple(case for case in self.cases if case.bucket in buckets)
