"""The list of known failures in words: what failed as listed, has expired, no longer fails, or is not listed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ...printable import one_line
from ..finding_text import count
from ..page import Facts, Foreign, Listing
from .comparison_words import age_days

if TYPE_CHECKING:
    from datetime import datetime

    from ...runs.gate.known_failures import Baseline, BaselineReport, KnownFailure

LIMIT = 240


def baseline_head(path: str, listed: Baseline, now: datetime | None) -> str:
    """Return text such as 'known.json, 47 known failures, the oldest listed 12 days ago'."""
    return f"{one_line(path, LIMIT)}, {count(len(listed.entries), 'known failure')}{oldest(listed.entries, now)}"


def oldest(entries: Iterable[KnownFailure], now: datetime | None) -> str:
    """Return text such as ', the oldest listed 12 days ago'; "" if no entry has a date."""
    days = age_days(min((entry.first_seen for entry in entries if entry.first_seen), default=None), now)
    return "" if days is None else f", the oldest listed {count(days, 'day')} ago"


def groups(report: BaselineReport) -> Iterator[tuple[str, str, tuple[KnownFailure, ...]]]:
    """Yield the facts about the list that a reader must know.

    These are the kind, heading and entries of each kind that has any, worst first.
    """
    kinds = (
        ("expired", "listed, and expired", report.expired),
        ("gone", "listed, and gone", report.fixed),
        ("not listed", "failing, and not listed", report.new),
        ("known", "failed as listed", report.known),
    )
    yield from ((kind, heading, entries) for kind, heading, entries in kinds if entries)


def counts_line(report: BaselineReport) -> str:
    """Return the kinds with entries: '2 known, 1 expired, 1 gone, 3 not listed, 4 not seen'."""
    kinds = [(kind, len(entries)) for kind, _, entries in groups(report)]
    order = ("known", "expired", "gone", "not listed")
    counts = [f"{number:,} {kind}" for kind, number in sorted(kinds, key=lambda kind: order.index(kind[0]))]
    return ", ".join([*counts, *([f"{len(report.unseen):,} not seen"] if report.unseen else [])]) or "nothing listed"


OPEN = ("expired", "gone", "not listed")
"""Kinds that are shown unfolded, because they need action."""


def baseline_blocks(report: BaselineReport, path: str, now: datetime | None) -> Iterator[Facts | Listing]:
    """Yield the list compared with a run: the counts, then each kind with its entries."""
    everything = (*report.known, *report.expired, *report.fixed, *report.unseen)
    label = ("baseline ", Foreign(path, LIMIT)) if path else "baseline"
    yield Facts(((label, f"{counts_line(report)}{oldest(everything, now)}"),))
    for kind, heading, entries in groups(report):
        lines = tuple(Foreign(entry_line(entry), 3 * LIMIT) for entry in entries)
        yield Listing(f"{len(entries):,} {heading}", lines, folded=kind not in OPEN)


def entry_line(entry: KnownFailure) -> str:
    """Return 'printer: enum at priority (until 2027-01-31, owner ann: the model is replaced in spring)'."""
    about = about_entry(entry)
    return f"{one_line(str(entry), LIMIT)}{f' ({about})' if about else ''}"


def about_entry(entry: KnownFailure) -> str:
    """Return text such as 'until 2027-01-31, owner ann: the model is replaced in spring', or ""."""
    parts = [f"until {entry.expires}"] if entry.expires else []
    parts += [f"owner {one_line(entry.owner, 60)}"] if entry.owner else []
    reason = one_line(entry.reason, LIMIT) if entry.reason else ""
    return ", ".join(parts) + (f": {reason}" if parts and reason else reason)


def known_reason(entries: Iterable[KnownFailure]) -> str:
    """Return the reason why a failing case is excused, on one line."""
    reasons = []
    for entry in entries:
        about = about_entry(entry)
        reasons.append(f"{one_line(entry.broken, 120)}{f' ({about})' if about else ''}")
    return f"known failure: {'; '.join(reasons)}"


def left_out(entries: Sequence[KnownFailure], shown: int = 10) -> str:
    """Return the failures that no list excuses, and why, on one line."""
    cases = sorted({entry.case for entry in entries})
    names = ", ".join(one_line(case, LIMIT) for case in cases[:shown])
    more = f" and {len(cases) - shown:,} more" if len(cases) > shown else ""
    own = "the test fails for other reasons" if len(cases) == 1 else "the tests fail for other reasons"
    which = f"{count(len(entries), 'failure')} cannot be listed, since {own}, too: {names}{more}"
    return f"{which} (an exception by which the app gives up is named in planguard_gives_up)"


def ask(report: BaselineReport, update: str, prune: str, *, gone: bool = True) -> Iterator[str]:
    """Yield what the user can do about the list, one line each. `update` and `prune` are the options for it."""
    if report.expired:
        has = "has" if len(report.expired) == 1 else "have"
        which = count(len(report.expired), "known failure")
        yield f'{which} {has} expired: fix the failure, or extend the "expires" date of its entry'
    if report.fixed and gone:
        one = len(report.fixed) == 1
        which = "1 baseline entry no longer fails" if one else f"{len(report.fixed):,} baseline entries no longer fail"
        yield f"{which}, which fails the run: remove with {prune}"
    if report.new:
        which = count(len(report.new), "failure")
        yield f"{which} not listed: fix, or list with {update}"
