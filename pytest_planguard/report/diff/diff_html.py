"""A comparison as one self-contained HTML page: only what changed by default, with filters, readable without script."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...document.words import ChangePart, ChangePiece, change_pieces
from ...printable import one_line
from ...runs.compare.run_diff import Bucket
from ...runs.value_diff.change import ChangeKind
from ..media.html_page import render_page
from ..run.row_page import KEY, LINE, RowView, key_parts, row_views, shared_limit
from ..run.run_html import history_chart
from ..words.baseline_text import ENTRIES, OPEN, about_entry, groups
from ..words.change_text import rule_text, sides, value_text
from ..words.comparison_words import (
    RULES,
    axis_text,
    case_title,
    evidence_text,
    figure_text,
    metric_text,
    rate_text,
    title,
)
from ..words.phrases import (
    about_run,
    age_lines,
    broken_text,
    case_reason,
    change_line,
    finding_lines,
    models_of,
    name_of,
    place_of,
    reasons_of,
    ruled,
    rules_of,
    verdict_line,
    verdict_word,
)
from .prompt_diff import PROMPT, prompt_changes

if TYPE_CHECKING:
    from ...runs.compare.run_diff import CaseDiff, RuleDelta, RunDiff, VerdictTable
    from ...runs.value_diff.change import FieldChange
    from ..words.comparison_words import DiffReport

LINE_LIMIT = 400
PIECE_LIMIT = 400
"""Characters of one piece of a changed text."""
DISAGREEMENTS = 50
"""Turns of a conclusion that are listed."""


def render_html(report: DiffReport) -> str:
    """Return the page. It loads nothing from anywhere."""
    diff = report.diff
    cases = list(case_views(report))
    line = verdict_line(report).partition(": ")[2]
    return render_page(
        "run_diff.html",
        "run_diff.js" if cases else None,
        word=verdict_word(report),
        line=line,
        base=name_of(diff.base),
        candidate=name_of(diff.candidate),
        about=(about_run(diff.base, report.now), about_run(diff.candidate, report.now)),
        reasons=[one_line(reason, LINE_LIMIT) for reason in reasons_of(report) if reason not in line],
        ages=list(age_lines(report)),
        prompt=prompt_changes(diff),
        axes=[one_line(axis_text(axis), LINE_LIMIT) for axis in diff.axes if not axis.name.startswith(PROMPT)],
        chart=history_chart(report.history),
        buckets=_buckets(diff, cases),
        rules=sorted({rule for case in cases for rule in case.rules}),
        models=sorted({model for case in cases for model in case.models}),
        overall=_overall(diff),
        deltas=[_delta(delta) for delta in diff.rules],
        baseline=_baseline(report),
        legend=RULES,
        evidence=[delta.evidence.value.replace(" ", "-") for delta in diff.rules],
        figures=[[one_line(cell, LINE_LIMIT) for cell in cells] for cells in _figures(diff)],
        verdicts=[_verdicts(table) for table in diff.verdicts],
        notes=[one_line(note, LINE_LIMIT) for note in diff.notes],
    )


def _baseline(report: DiffReport) -> list[dict[str, Any]]:
    """Return the list of known failures, kind by kind."""
    held = report.gate.baseline if report.gate is not None else None
    if held is None:
        return []
    return [
        {
            "title": f"{len(entries):,} {heading}",
            "open": kind in OPEN,
            "more": max(0, len(entries) - ENTRIES),
            "entries": [
                [one_line(t, LINE_LIMIT) for t in (e.case, e.broken, about_entry(e))] for e in entries[:ENTRIES]
            ],
        }
        for kind, heading, entries in groups(held)
    ]


def _buckets(diff: RunDiff, cases: list[CaseView]) -> list[dict[str, Any]]:
    """Return every bucket that has cases, in the order of a report."""
    found = []
    for bucket in Bucket:
        inside = [case for case in cases if case.bucket == bucket.value]
        if inside:
            heading = title(bucket, len(inside), judged=diff.judged)
            found.append({"name": bucket.value, "title": heading, "cases": inside, "same": bucket is Bucket.UNCHANGED})
    return found


def _overall(diff: RunDiff) -> str:
    if not diff.judged or not diff.overall.paired.pairs:
        return ""
    before, after = rate_text(diff.overall.before), rate_text(diff.overall.after)
    return f"Good cases: {before} before, {after} now: {evidence_text(diff.overall)}."


def _delta(delta: RuleDelta) -> tuple[str, ...]:
    return one_line(delta.rule, 120), f"{delta.cases_before:,}", f"{delta.cases_after:,}", evidence_text(delta)


def _figures(diff: RunDiff) -> list[tuple[str, ...]]:
    return [*map(figure_text, diff.figures), *map(metric_text, diff.metrics)]


def _verdicts(table: VerdictTable) -> dict[str, Any]:
    turns = [
        (value_text(before), value_text(after), f"{number:,}") for before, after, number in table.turns[:DISAGREEMENTS]
    ]
    return {"field": one_line(table.field, LINE_LIMIT), "agree": table.agree, "total": table.total, "turns": turns}


# A comparison as the values of its page: every text already safe to show, long ones clipped.

CHANGES = 100
"""Changes of a case that are listed."""


@dataclass(frozen=True, slots=True)
class ChangeView:
    """A changed field."""

    where: str
    pieces: tuple[ChangePiece, ...]
    """Both values word by word."""
    rules: str
    breaks: bool
    verdict: bool


@dataclass(frozen=True, slots=True)
class CaseView:
    """A case."""

    id: str
    """8 hex digits of the key: the same in every page."""
    key: tuple[tuple[str, ...], tuple[str, ...]]
    """Its name whole, as `key_parts` breaks it."""
    bucket: str
    title: str
    known: bool
    fails: bool
    """Whether a gate for new failures fails on it."""
    words: tuple[str, ...]
    """What is newly wrong, in the findings' own words."""
    brief: str
    """What matters most, on one line."""
    why: str
    broken: tuple[tuple[str, str], ...]
    """Verb and rule: "breaks", "fixes", "still breaks", "leaves open"."""
    rules: tuple[str, ...]
    models: tuple[str, ...]
    changes: tuple[ChangeView, ...]
    more_changes: int
    metrics: tuple[tuple[str, ...], ...]
    sides: tuple[tuple[str, tuple[RowView, ...]], ...]
    """"Base" and "Candidate" with their rows; () for a case that did not change."""


def case_views(report: DiffReport) -> Iterator[CaseView]:
    """Yield all cases, in the order of the comparison."""
    limit = answer_limit(report.diff)
    for case in report.diff.cases:
        yield _case(report, case, limit)


def answer_limit(diff: RunDiff) -> int:
    """Return characters of each answer that are shown."""
    shown = [case for case in diff.cases if case.bucket is not Bucket.UNCHANGED]
    return shared_limit(
        sum(len(j.attempts) for case in shown for row in (*case.base, *case.candidate) for j in row.judged)
    )


def _case(report: DiffReport, case: CaseDiff, limit: int) -> CaseView:
    from ..words.comparison_words import metric_text

    changes = sorted(case.changes, key=lambda change: not (change.verdict or change.breaks or change.fixes))
    same = case.bucket is Bucket.UNCHANGED
    sides_of = () if same else (("Base", case.base), ("Candidate", case.candidate))
    metrics = [metric_text(metric) for value in case.values for metric in value.metrics]
    return CaseView(
        hashlib.sha256(case.key.encode(errors="backslashreplace")).hexdigest()[:8],
        key_parts(one_line(case.key, KEY)),
        case.bucket.value,
        case_title(case) if report.diff.judged else title(case.bucket, 1, judged=False),
        report.is_known(case),
        case.is_new_failure and not report.is_known(case),
        tuple(finding_lines(case)),
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
    """Return the first change that touches a rule, else the reason, else the first change."""
    first = next(iter(changes), None)
    if first is not None and (first.breaks or first.fixes):
        return change_line(first)
    return case_reason(case) or (change_line(first) if first is not None else "")


def _broken(case: CaseDiff) -> Iterator[tuple[str, str]]:
    for verb, rules in ruled(case):
        yield from ((verb, broken_text(found)) for found in rules)


def _change(change: FieldChange) -> ChangeView:
    return ChangeView(place_of(change), _pieces(change), rule_text(change), bool(change.breaks), change.verdict)


def _pieces(change: FieldChange) -> tuple[ChangePiece, ...]:
    if change.kind is ChangeKind.MOVED:
        old, new = change.path[-1], change.path_after[-1]
        return (ChangePiece(ChangePart.SAME, f"moved from item {int(old) + 1} to item {int(new) + 1}"),)
    if isinstance(change.before, str) and isinstance(change.after, str):
        pieces = change_pieces(change.before, change.after)
        if pieces:
            return tuple(ChangePiece(piece.part, one_line(piece.text, PIECE_LIMIT)) for piece in pieces)
    before, after = sides(change)
    return (ChangePiece(ChangePart.GONE, before), ChangePiece(ChangePart.NEW, after))
