"""A comparison as the values of its page: every text already safe to show, long ones clipped."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..runs.compare.classification import Bucket
from ..runs.value_diff.change import ChangeKind
from .change_text import rule_text, sides
from .diff_phrases import broken_text, case_reason, change_line, models_of, place_of, ruled, rules_of
from .diff_words import case_title, title
from .row_page import LINE, RowView, row_views, shared_limit
from .sanitise import one_line
from .word_window import Part, Piece, word_window

if TYPE_CHECKING:
    from ..runs.compare.run_diff import CaseDiff, RunDiff
    from ..runs.value_diff.change import FieldChange
    from .diff_report import DiffReport

CHANGES = 100
"""Changes of a case that are listed."""


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
class CaseView:
    """A case."""

    id: str
    """8 hex digits of the key: the same in every page."""
    key: str
    bucket: str
    title: str
    known: bool
    fails: bool
    """Whether a gate for new failures fails on it."""
    brief: str
    """What matters most, on one line."""
    why: str
    broken: tuple[tuple[str, str], ...]
    """Verb and rule: "breaks", "mends", "still breaks", "leaves open"."""
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
        case.is_new_failure and not report.is_known(case),
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
    for verb, rules in ruled(case):
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
