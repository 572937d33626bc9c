"""A comparison as one self-contained HTML page: only what changed by default, with filters, readable without script."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..runs.compare.classification import Bucket
from .baseline_markdown import ENTRIES, OPEN
from .baseline_text import about_entry, groups
from .change_text import value_text
from .diff_page import case_views
from .diff_phrases import about_run, age_lines, name_of, reasons_of, verdict_line, verdict_word
from .diff_words import axis_text, evidence_text, figure_text, metric_text, rate_text, title
from .html_page import render_page
from .legend import RULES
from .sanitise import one_line

if TYPE_CHECKING:
    from ..runs.compare.run_diff import RuleDelta, RunDiff
    from ..runs.compare.verdict_table import VerdictTable
    from .diff_page import CaseView
    from .diff_report import DiffReport

LINE = 400
DISAGREEMENTS = 50
"""Turns of a conclusion that are listed."""


def render_html(report: DiffReport) -> str:
    """The page. It loads nothing from anywhere."""
    diff = report.diff
    cases = list(case_views(report))
    return render_page(
        "run_diff.html",
        "run_diff.js" if cases else None,
        word=verdict_word(report),
        line=verdict_line(report).partition(": ")[2],
        base=name_of(diff.base),
        candidate=name_of(diff.candidate),
        about=(about_run(diff.base, report.now), about_run(diff.candidate, report.now)),
        reasons=[one_line(reason, LINE) for reason in reasons_of(report)],
        ages=list(age_lines(report)),
        axes=[one_line(axis_text(axis), LINE) for axis in diff.axes],
        buckets=_buckets(diff, cases),
        rules=sorted({rule for case in cases for rule in case.rules}),
        models=sorted({model for case in cases for model in case.models}),
        overall=_overall(diff),
        deltas=[_delta(delta) for delta in diff.rules],
        baseline=_baseline(report),
        legend=RULES,
        evidence=[delta.evidence.value.replace(" ", "-") for delta in diff.rules],
        figures=[[one_line(cell, LINE) for cell in cells] for cells in _figures(diff)],
        verdicts=[_verdicts(table) for table in diff.verdicts],
        notes=[one_line(note, LINE) for note in diff.notes],
    )


def _baseline(report: DiffReport) -> list[dict[str, Any]]:
    """The list of known failures, kind by kind."""
    held = report.gate.baseline if report.gate is not None else None
    if held is None:
        return []
    return [
        {
            "title": f"{len(entries):,} {heading}",
            "open": kind in OPEN,
            "more": max(0, len(entries) - ENTRIES),
            "entries": [[one_line(t, LINE) for t in (e.case, e.broken, about_entry(e))] for e in entries[:ENTRIES]],
        }
        for kind, heading, entries in groups(held)
    ]


def _buckets(diff: RunDiff, cases: list[CaseView]) -> list[dict[str, Any]]:
    """Every bucket that has cases, in the order of a report."""
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
    return {"field": one_line(table.field, LINE), "agree": table.agree, "total": table.total, "turns": turns}
