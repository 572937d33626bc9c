"""A comparison as the values of its page: every text already safe to show, long ones clipped."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..document.path import to_dotted
from ..runs.bucket import Bucket
from ..runs.change import ChangeKind
from .change_text import rule_text, sides
from .diff_phrases import broken_text, carried_text, case_reason, change_line, models_of, place_of, rules_of
from .diff_words import anew_text, case_title, title
from .html_page import block
from .sanitise import one_line
from .word_window import Part, Piece, word_window

if TYPE_CHECKING:
    from ..contract.finding import Finding
    from ..runs.change import FieldChange
    from ..runs.run import AttemptRow, CaseRow, Judged
    from ..runs.run_diff import CaseDiff, RunDiff
    from .diff_report import DiffReport

ANSWER_LIMIT = 20_000
"""Characters of an answer that the page shows."""
ALL_ANSWERS = 12_000_000
"""Characters of all answers together: with very many cases each is clipped sooner, so that a browser can hold them."""
LEAST = 400
CHANGES = 100
"""Changes of a case that are listed."""
FINDINGS = 50
SAMPLES = 10
"""Rows of a side that are shown."""
LINE = 400


@dataclass(frozen=True, slots=True)
class ChangeView:
    """A changed field."""

    where: str
    pieces: tuple[Piece, ...]
    """Both values word by word."""
    rules: str
    breaks: bool
    verdict: bool


@dataclass(frozen=True, slots=True)
class AttemptView:
    """A judged answer."""

    number: int
    about: str
    ok: bool
    findings: tuple[tuple[str, str, str], ...]
    """Severity, place, message."""
    answer: str
    carried: tuple[tuple[str, str], ...] = ()
    """What the next request did with each finding: grade, and place with the words that carry it, or why it is lost."""


@dataclass(frozen=True, slots=True)
class TalkView:
    """A conversation, or an answer that a test had judged."""

    headline: str
    ok: bool
    checks: tuple[tuple[str, str], ...]
    """Status, and name with message."""
    attempts: tuple[AttemptView, ...]


@dataclass(frozen=True, slots=True)
class RowView:
    """A row of a case: one of its samples."""

    about: tuple[str, ...]
    """Where it comes from, line by line."""
    talks: tuple[TalkView, ...]


@dataclass(frozen=True, slots=True)
class CaseView:
    """A case."""

    id: str
    """8 hex digits of the key: the same in every page."""
    key: str
    bucket: str
    title: str
    known: bool
    brief: str
    """What matters most, on one line."""
    why: str
    broken: tuple[tuple[str, str], ...]
    """Verb and rule: "breaks", "mends", "still breaks"."""
    rules: tuple[str, ...]
    models: tuple[str, ...]
    changes: tuple[ChangeView, ...]
    more_changes: int
    metrics: tuple[tuple[str, ...], ...]
    sides: tuple[tuple[str, tuple[RowView, ...]], ...]
    """"Base" and "Candidate" with their rows; () for a case that did not change."""


def case_views(report: DiffReport) -> Iterator[CaseView]:
    """All cases, in the order of the comparison."""
    limit = answer_limit(report.diff)
    for case in report.diff.cases:
        yield _case(report, case, limit)


def answer_limit(diff: RunDiff) -> int:
    """Characters of each answer that are shown."""
    shown = [case for case in diff.cases if case.bucket is not Bucket.UNCHANGED]
    return shared_limit(
        sum(len(j.attempts) for case in shown for row in (*case.base, *case.candidate) for j in row.judged)
    )


def shared_limit(answers: int) -> int:
    """Characters of each of so many answers that a page shows."""
    return min(ANSWER_LIMIT, max(LEAST, ALL_ANSWERS // max(answers, 1)))


def _case(report: DiffReport, case: CaseDiff, limit: int) -> CaseView:
    from .diff_words import metric_text

    changes = sorted(case.changes, key=lambda change: not (change.verdict or change.breaks or change.mends))
    same = case.bucket is Bucket.UNCHANGED
    sides_of = () if same else (("Base", case.base), ("Candidate", case.candidate))
    metrics = [metric_text(metric) for value in case.values for metric in value.metrics]
    return CaseView(
        hashlib.sha256(case.key.encode(errors="backslashreplace")).hexdigest()[:8],
        one_line(case.key, LINE),
        case.bucket.value,
        case_title(case) if report.diff.judged else title(case.bucket, 1, judged=False),
        report.is_known(case),
        _brief(case, changes),
        one_line(case.why, LINE),
        tuple(_broken(case)),
        rules_of(case),
        models_of(case),
        tuple(_change(change) for change in changes[:CHANGES]),
        max(0, len(changes) - CHANGES),
        tuple(tuple(one_line(cell, LINE) for cell in metric) for metric in metrics),
        tuple((name, row_views(rows, limit)) for name, rows in sides_of if rows),
    )


def _brief(case: CaseDiff, changes: Sequence[FieldChange]) -> str:
    """The first change that touches a rule, else the reason, else the first change."""
    first = next(iter(changes), None)
    if first is not None and (first.breaks or first.mends):
        return change_line(first)
    return case_reason(case) or (change_line(first) if first is not None else "")


def _broken(case: CaseDiff) -> Iterator[tuple[str, str]]:
    for verb, rules in (("breaks", case.broken), ("mends", case.mended), ("still breaks", case.still_broken)):
        yield from ((verb, broken_text(found)) for found in rules)


def _change(change: FieldChange) -> ChangeView:
    return ChangeView(place_of(change), _pieces(change), rule_text(change), bool(change.breaks), change.verdict)


def _pieces(change: FieldChange) -> tuple[Piece, ...]:
    if change.kind is ChangeKind.MOVED:
        old, new = change.path[-1], change.path_after[-1]
        return (Piece(Part.SAME, f"moved from item {int(old) + 1} to item {int(new) + 1}"),)
    if isinstance(change.before, str) and isinstance(change.after, str):
        words = word_window(change.before, change.after)
        if words:
            return words
    before, after = sides(change)
    return (Piece(Part.GONE, before), Piece(Part.NEW, after))


def row_views(rows: Sequence[CaseRow], limit: int) -> tuple[RowView, ...]:
    """The rows of one side of a case, each answer clipped to `limit` characters."""
    return tuple(_row(row, number, len(rows), limit) for number, row in enumerate(rows[:SAMPLES], 1))


def _row(row: CaseRow, number: int, total: int, limit: int) -> RowView:
    about = [f"sample {number} of {total}"] if total > 1 else []
    about += [one_line(text, LINE) for text in (row.test, row.model, row.variant) if text]
    about += [f"recording {one_line(row.recording, LINE)}"] if row.recording and row.recording != row.test else []
    about += [f"stale: {one_line(reason, LINE)}" for reason in row.stale]
    about += [anew_text(row.anew)] if row.anew is not None else []
    return RowView(tuple(about), tuple(_talk(judged, limit) for judged in row.judged))


def _talk(judged: Judged, limit: int) -> TalkView:
    name = "answer" if judged.single else f"conversation {one_line(judged.name, 80)}"
    outcome = one_line(judged.outcome, 80).replace("_", " ") or "not judged"
    by = f" by {one_line(judged.contract, 80)}" if judged.contract else ""
    checks = tuple((one_line(c.status, 40), one_line(f"{c.name}: {c.message}", LINE)) for c in judged.checks)
    attempts = tuple(_attempt(attempt, number, limit) for number, attempt in enumerate(judged.attempts, 1))
    return TalkView(f"{name}{by}: {outcome}", judged.ok, checks, attempts)


def _attempt(attempt: AttemptRow, number: int, limit: int) -> AttemptView:
    about = [one_line(attempt.model, 80)] if attempt.model else []
    about += [f"finish {one_line(attempt.finish, 40)}"] if attempt.finish else []
    tokens = [number for number in (attempt.input_tokens, attempt.output_tokens) if number is not None]
    about += [f"{sum(tokens):,} tokens"] if tokens else []
    about += [one_line(attempt.kind, 40)] if attempt.kind else []
    findings = tuple(_finding(finding) for finding in attempt.findings[:FINDINGS])
    carried = tuple(carried_text(found) for found in attempt.carried[:FINDINGS])
    return AttemptView(number, ", ".join(about), attempt.ok, findings, block(attempt.answer, limit), carried)


def _finding(finding: Finding) -> tuple[str, str, str]:
    place = one_line(to_dotted(finding.path), 160)
    where = f"{place} (line {finding.span.line}, column {finding.span.column})" if finding.span else place
    return finding.severity.value, where, one_line(f"{finding.message} [{finding.code}]", LINE)
