"""Items to decide after a run: snapshots that did not match, and failures that the baseline gets wrong."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from ...document.path import wildcard
from ...errors import RunError
from ..snapshots import PendingSnapshot, PendingStore
from .known_failures import Baseline, KnownFailure, check_baseline, is_of, read_baseline, write_baseline

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from ...contract.finding import Finding
    from ..model.run import CaseRow, Run

RENEWED_DAYS = 30
"""Number of days that an accepted expired failure gets: a month, so that it soon comes up again."""


class Question(StrEnum):
    """The question that a review item asks."""

    SNAPSHOT = "snapshot changed"
    NEW_SNAPSHOT = "new snapshot"
    EXPECTED = "another value than expected"
    NEW = "failure that is not listed"
    EXPIRED = "listed failure that has expired"
    FIXED = "listed failure that no longer fails"


@dataclass(frozen=True, slots=True)
class ReviewItem:
    """One item to decide."""

    question: Question
    subject: PendingSnapshot | KnownFailure
    row: CaseRow | None = None
    """The case of a failure, if the run has it."""
    outdated: bool = False
    """True if the snapshot changed after its test ran. Then the test must run again."""

    @property
    def name(self) -> str:
        """The test, or the case and the rule."""
        return self.subject.test if isinstance(self.subject, PendingSnapshot) else str(self.subject)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings of the case's last answers about the rule."""
        entry = self.subject
        if self.row is None or not isinstance(entry, KnownFailure):
            return ()
        found = (finding for judged in self.row.judged if judged.last for finding in judged.last.findings)
        return tuple(f for f in found if f.code == entry.rule and wildcard(f.path) == entry.path)


@dataclass(frozen=True, slots=True)
class Reviewer:
    """Writes accepted items into the snapshots and the baseline."""

    store: PendingStore
    baseline: Path | None
    """The list of known failures. If None, only snapshots are reviewed."""
    today: date

    def items(self, run: Run | None) -> tuple[ReviewItem, ...]:
        """Return all items to decide: snapshots first, then failures. Raises RunError."""
        snapshots = [_snapshot(pending, self.store) for pending in self.store.all()]
        return (*snapshots, *(_failures(run, self._listed(), self.today) if run is not None else ()))

    def accept(self, item: ReviewItem) -> str:
        """Write an accepted item atomically. Return a line that says what was written. Raises RunError."""
        if isinstance(item.subject, PendingSnapshot):
            self.store.accept(item.subject)
            return f"{_place(item.subject)}: written"
        if self.baseline is None:
            raise RunError("no baseline is named: --baseline FILE")
        entry = item.subject
        others = [listed for listed in self._listed().entries if listed.identity != entry.identity]
        decided = _decided(item.question, entry, self.today)
        write_baseline(self.baseline, Baseline((*others, *decided)))
        until = next((f" until {kept.expires}" for kept in decided if kept.expires), "")
        return f"{self.baseline}: {f'listed{until}' if decided else 'removed'}"

    def reject(self, item: ReviewItem) -> str:
        """Leave the snapshot and baseline unchanged, and forget a pending snapshot. Raises RunError."""
        if isinstance(item.subject, PendingSnapshot):
            self.store.drop(item.subject.path, item.subject.case)
            if item.subject.case:
                return "the expected value stays: its test fails until the answer is right"
            return "the snapshot stays: its test fails until the value is as before"
        stays = "the entry stays" if item.question is Question.FIXED else "it stays a failure"
        return f"{stays}: nothing is written"

    def command(self, item: ReviewItem) -> str:
        """Return the command that accepts the item without a terminal.

        It runs the test again and writes the new result. Entries that no longer fail are removed together, since all
        tests of a case must run to show that.
        """
        if isinstance(item.subject, PendingSnapshot) and item.subject.case:
            return f"planguard review in a terminal, or edit {_place(item.subject)}"
        if isinstance(item.subject, PendingSnapshot):
            return f"pytest {shlex.quote(item.subject.test)} --snapshot-update"
        file = shlex.quote(str(self.baseline))
        if item.question is Question.EXPIRED:
            return f'edit {file}: extend the "expires" date of the entry, or fix the failure'
        listed = f"--planguard-baseline={file} --planguard-baseline"
        if item.question is Question.FIXED:
            return f"pytest {listed}-prune"
        return (
            f"pytest {shlex.quote(item.row.test)} {listed}-update"
            if item.row is not None
            else f"pytest {listed}-update"
        )

    def _listed(self) -> Baseline:
        """Read the baseline again, since another process may have written to it."""
        if self.baseline is None or not self.baseline.exists():
            return Baseline()
        return read_baseline(self.baseline)


def _place(pending: PendingSnapshot) -> str:
    return f"{pending.path}, case {pending.case}" if pending.case else pending.path


def _snapshot(pending: PendingSnapshot, store: PendingStore) -> ReviewItem:
    changed = Question.EXPECTED if pending.case else Question.SNAPSHOT
    question = Question.NEW_SNAPSHOT if pending.before is None else changed
    return ReviewItem(question, pending, outdated=not store.is_current(pending))


def _failures(run: Run, listed: Baseline, today: date) -> Iterator[ReviewItem]:
    report = check_baseline(listed, run.rows, today)
    for question, entries in (
        (Question.NEW, report.new),
        (Question.EXPIRED, report.expired),
        (Question.FIXED, report.fixed),
    ):
        for entry in entries:
            yield ReviewItem(question, entry, _row(run.rows, entry))


def _row(rows: Sequence[CaseRow], entry: KnownFailure) -> CaseRow | None:
    return next((row for row in rows if is_of(entry, row)), None)


def _decided(question: Question, entry: KnownFailure, today: date) -> tuple[KnownFailure, ...]:
    if question is Question.FIXED:
        return ()
    if question is Question.EXPIRED:
        return (replace(entry, expires=(today + timedelta(days=RENEWED_DAYS)).isoformat()),)
    return (replace(entry, first_seen=today.isoformat()),)
