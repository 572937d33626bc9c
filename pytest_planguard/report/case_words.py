"""The words for cases, their findings and the list of known failures, the same in every form of a report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ..document.path import to_dotted, wildcard
from ..printable import one_line
from ..runs.compare.run_diff import Bucket
from ..runs.model.broken_rules import CHECK, GAVE_UP, OUTCOME, TEST
from .comparison_words import age_days
from .explain import meanings, render_explanations
from .finding_text import place
from .page import Facts, Foreign, Listing
from .plain_text import count

if TYPE_CHECKING:
    from datetime import datetime

    from ..contract.finding import Finding
    from ..runs.compare.run_diff import CaseDiff
    from ..runs.gate.known_failures import Baseline, BaselineReport, KnownFailure
    from ..runs.model.broken_rules import Broken
    from ..runs.model.judged_answers import FedBackRow
    from ..runs.model.run import CaseRow, RunHeader


ENTRY_LIMIT = 240
"""Maximum number of characters of an entry's case and of its reason."""


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
        ("without a model", 'listed without a model, though the case is for one: add "model"', report.without_model),
        ("known", "failed as listed", report.known),
    )
    yield from ((kind, heading, entries) for kind, heading, entries in kinds if entries)


def counts_line(report: BaselineReport) -> str:
    """Return the kinds with entries: '2 known, 1 expired, 1 gone, 3 not listed, 4 not seen'."""
    kinds = [(kind, len(entries)) for kind, _, entries in groups(report)]
    order = ("known", "expired", "gone", "not listed", "without a model")
    counts = [f"{number:,} {kind}" for kind, number in sorted(kinds, key=lambda kind: order.index(kind[0]))]
    return ", ".join([*counts, *([f"{len(report.unseen):,} not seen"] if report.unseen else [])]) or "nothing listed"


OPEN = ("expired", "gone", "not listed", "without a model")
"""Kinds that are shown unfolded, because they need action."""


def baseline_blocks(report: BaselineReport, path: str, now: datetime | None) -> Iterator[Facts | Listing]:
    """Yield the list compared with a run: the counts, then each kind with its entries."""
    everything = (*report.known, *report.expired, *report.fixed, *report.without_model, *report.unseen)
    label = ("baseline ", Foreign(path, ENTRY_LIMIT)) if path else "baseline"
    yield Facts(((label, f"{counts_line(report)}{oldest(everything, now)}"),))
    for kind, heading, entries in groups(report):
        lines = tuple(Foreign(entry_line(entry), 3 * ENTRY_LIMIT) for entry in entries)
        yield Listing(f"{len(entries):,} {heading}", lines, folded=kind not in OPEN)


def entry_line(entry: KnownFailure) -> str:
    """Return 'printer: enum at priority (until 2027-01-31, owner ann: the model is replaced in spring)'."""
    about = about_entry(entry)
    return f"{one_line(str(entry), LIMIT)}{f' ({about})' if about else ''}"


def about_entry(entry: KnownFailure) -> str:
    """Return text such as 'until 2027-01-31, owner ann: the model is replaced in spring', or ""."""
    parts = [f"until {entry.expires}"] if entry.expires else []
    parts += [f"owner {one_line(entry.owner, 60)}"] if entry.owner else []
    reason = one_line(entry.reason, ENTRY_LIMIT) if entry.reason else ""
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
    names = ", ".join(one_line(case, ENTRY_LIMIT) for case in cases[:shown])
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


NAME_LIMIT = 120
"""Maximum number of characters of a case key, a run's name or a place."""
LIMIT = 240
"""Maximum number of characters of one piece of a line, such as a reason."""
SHOWN = 3
"""Maximum number of findings of one case to list. Its conversation has them all."""
HELP_LIMIT = 300
"""Maximum number of characters of a rule, its expectation and its hint, each."""


def about_run(header: RunHeader, now: datetime | None) -> str:
    """Return text such as 'commit 0123456789ab with uncommitted changes, 2026-11-20 10:00 (3 days old)'.

    Return "" if nothing is known.
    """
    parts = []
    if header.commit:
        dirty = " with uncommitted changes" if header.dirty else ""
        parts.append(f"commit {one_line(header.commit[:12], NAME_LIMIT)}{dirty}")
    if header.created:
        days = age_days(header.created, now)
        age = "" if days is None else f" ({count(days, 'day')} old)"
        parts.append(f"{one_line(header.created[:16].replace('T', ' '), 40)}{age}")
    return ", ".join(parts)


def broken_text(broken: Broken) -> str:
    """Return text such as 'one_of at recommendation'."""
    return one_line(str(broken), NAME_LIMIT)


def ruled(case: CaseDiff) -> tuple[tuple[str, tuple[Broken, ...]], ...]:
    """Return verb and rules: those that the candidate breaks, fixes, still breaks, and leaves open."""
    known = ("breaks", case.broken), ("fixes", case.repaired), ("still breaks", case.still_broken)
    return (*known, ("leaves open", case.open))


def missing_lines(row: CaseRow) -> Iterator[str]:
    """Yield a line such as 'missing on the way to attempt 2: priority, steps' for each retry that drops findings.

    Further lines begin with 'wrong on the way to …', or with 'unclear …' for findings that it may feed back.
    """
    for judged in row.judged:
        for number, attempt in enumerate(judged.attempts, 1):
            for grade in ("missing", "wrong", "unclear"):
                named = [one_line(to_dotted(one.path), 60) for one in attempt.fed_back if one.grade == grade]
                if named:
                    places = ", ".join(dict.fromkeys(named))
                    yield f"{grade} on the way to attempt {number + 1}: {one_line(places, LIMIT)}"


def fed_back_text(found: FedBackRow) -> tuple[str, str]:
    """Return the grade or firmness, and 'priority [enum]: the words that feed it back, or the reason'."""
    why = found.evidence or found.reason
    reason = f": {one_line(why, LIMIT)}" if why else ""
    where, code = one_line(to_dotted(found.path), NAME_LIMIT), one_line(found.code, NAME_LIMIT)
    return one_line(found.how or found.grade, 40), f"{where} [{code}]{reason}"


def path_text(calls: Sequence[Sequence[str]]) -> str:
    """Return text such as 'search → search + price → book', turn by turn with parallel calls together."""
    return " → ".join(" + ".join(turn) for turn in calls)


def models_of(rows: Iterable[CaseRow]) -> tuple[str, ...]:
    """Return the models of some rows, sorted."""
    return tuple(sorted({one_line(row.model, NAME_LIMIT) for row in rows if row.model}))


def new_lines(case: CaseDiff) -> Iterator[str]:
    """Yield the newly broken rules, such as 'total (line 1, column 12): total is 1.0, but the lines add up to 42.0'."""
    rules = (*case.broken, *case.still_broken) if case.bucket is Bucket.ADDED else case.broken
    yield from clipped_lines(line for broken in rules for line in lines_of(case, broken))


def row_lines(row: CaseRow) -> Iterator[str]:
    """Yield such lines for all broken rules of one row, without a comparison."""
    yield from clipped_lines(map(finding_line, bad_findings(row)))


def clipped_lines(lines: Iterable[str]) -> Iterator[str]:
    """Yield the first `SHOWN` distinct lines, then the number of others."""
    different = list(dict.fromkeys(lines))
    yield from different[:SHOWN]
    if len(different) > SHOWN:
        more = len(different) - SHOWN
        yield f"and {more:,} more finding{'' if more == 1 else 's'}"


def lines_of(case: CaseDiff, broken: Broken) -> Iterator[str]:
    """Yield the place and message of each finding that breaks a rule in the candidate's last answers."""
    yield from map(finding_line, findings_of(case, broken))


def findings_of(case: CaseDiff, broken: Broken) -> Iterator[Finding]:
    """Yield each finding that breaks a rule in the candidate's last answers."""
    for row in case.candidate:
        yield from (f for f in bad_findings(row) if (f.code, wildcard(f.path)) == (broken.rule, broken.path))


def bad_findings(row: CaseRow) -> Iterator[Finding]:
    """Yield the findings that make a row's last answers bad: those of severity retry or fail, and wrong values."""
    for judged in row.judged:
        findings = judged.last.findings if judged.last is not None else ()
        yield from (finding for finding in findings if finding.severity.bad)
    if not row.ok:
        yield from (finding for score in row.expected for finding in score.findings)


def finding_line(finding: Finding) -> str:
    """Return text such as 'total (line 1, column 12): total is 1.0, but the lines add up to 42.0'."""
    return f"{place(finding)}: {one_line(finding.message, LIMIT)}"


_TITLES = {
    CHECK: "The check {} of a conversation.",
    OUTCOME: "A conversation that ends as {}.",
    GAVE_UP: "The exception {} after a rejected answer.",
    TEST: "A test that is {}.",
}


def rule_title(rule: str) -> str:
    """Return the kind of a rule as a sentence, such as 'The check feedback of a conversation.'."""
    prefix, colon, name = rule.partition(":")
    return _TITLES[prefix].format(name) if colon and prefix in _TITLES else f"The rule {rule} of a contract."


def rule_help(rule: str, finding: Finding | None) -> str:
    """Return what a rule demands and what to do. The text comes from `planguard explain`, if it has the rule.

    `finding` is a breach of the rule, or None. It describes a rule that the user wrote.
    """
    entries = meanings(rule)
    if entries:
        return render_explanations(entries)
    demand = f"The rule {one_line(rule, HELP_LIMIT)} of a contract"
    hint = f" {one_line(finding.hint, HELP_LIMIT)}" if finding is not None and finding.hint else ""
    expected = finding.expected if finding is not None else None
    return f"{demand} expects {one_line(expected, HELP_LIMIT)}.{hint}" if expected else f"{demand}.{hint}"
