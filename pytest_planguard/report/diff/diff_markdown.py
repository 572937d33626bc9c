"""A comparison as Markdown, for a job's summary: the verdict on the first line, then only what changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...runs.compare.run_diff import Bucket
from ..media.escaping import code, listed, table
from ..words.baseline_text import baseline_tables, counts_line
from ..words.change_text import rule_text, sides, value_text
from ..words.comparison_words import (
    RULES,
    added_mark,
    axis_name,
    evidence_word,
    figure_text,
    legend_lines,
    metric_text,
    p_text,
    rate_text,
    title,
)
from ..words.phrases import (
    about_run,
    age_lines,
    broken_text,
    case_reason,
    finding_lines,
    place_of,
    reasons_of,
    ruled,
    verdict_line,
)

if TYPE_CHECKING:
    from ...runs.compare.run_diff import CaseDiff, RuleDelta, RunDiff
    from ...runs.value_diff.change import FieldChange
    from ..words.comparison_words import DiffReport

CASES = 50
"""Cases of a bucket that are listed; the rest is counted. A job's summary holds one megabyte."""
CHANGES = 6
"""Changes of a case that are listed."""
NOTES = 20
OPEN = (Bucket.NEW_FAILURE, Bucket.FIXED)
"""Buckets that are shown unfolded; the others fold."""
MARKS = {"FAIL": "❌", "PASS": "✅", "UNPROVEN": "❔", "SAME": "✅", "DIFFERENT": "🔍"}


def render_markdown(report: DiffReport, *, cases: int = CASES) -> str:
    """Return the whole comparison; everything that a model, a file or a user wrote is in code spans.

    Of every bucket the first `cases` are listed.
    """
    diff = report.diff
    details = (verdict_tables(diff), _buckets(report, cases), _baseline(report), _figures(diff), _notes(report))
    parts = (_head(report), _axes(diff), *details)
    return "\n".join(line for part in parts for line in part)


def _head(report: DiffReport) -> Iterator[str]:
    word, _, counts = verdict_line(report).partition(": ")
    yield f"{MARKS[word]} **planguard: {word}** {counts}"
    yield ""
    diff = report.diff
    for label, header in (("Base", diff.base), ("Candidate", diff.candidate)):
        about = about_run(header, report.now)
        yield f"{label}: {code(header.name) or '(no name)'}{f', {code(about)}' if about else ''}  "
    yield ""
    for reason in reasons_of(report):
        yield f"- {code(reason)}"
    yield from age_lines(report)
    if diff.judged and diff.overall.paired.pairs:
        yield ""
        before, after = rate_text(diff.overall.before), rate_text(diff.overall.after)
        yield f"Good cases: {before} before, {after} now: {_evidence(diff.overall)}."


def _baseline(report: DiffReport) -> Iterator[str]:
    held = report.gate.baseline if report.gate is not None else None
    if held is not None:
        yield ""
        yield f"Baseline {code(report.baseline_path)}: {counts_line(held)}."
        yield from baseline_tables(held)


def _axes(diff: RunDiff) -> Iterator[str]:
    if diff.axes:
        yield ""
        rows = [
            (code(axis_name(axis)), code(", ".join(axis.before)) or "unknown", code(", ".join(axis.after)) or "unknown")
            for axis in diff.axes
        ]
        yield from table(("The runs differ in", "before", "now"), rows)


def _buckets(report: DiffReport, limit: int) -> Iterator[str]:
    for bucket in Bucket:
        cases = report.diff.of(bucket)
        if cases and bucket is not Bucket.UNCHANGED:
            heading = f"{len(cases):,} {title(bucket, len(cases), judged=report.diff.judged)}"
            yield ""
            yield from _bucket(report, heading, cases, limit, fold=bucket not in OPEN)


def _bucket(report: DiffReport, heading: str, cases: tuple[CaseDiff, ...], limit: int, *, fold: bool) -> Iterator[str]:
    yield f"<details><summary>{heading}</summary>" if fold else f"### {heading}"
    yield ""
    rows = [row for case in cases[:limit] for row in _case(report, case)]
    yield from table(("case", "field", "before", "now", "what is wrong"), rows)
    if len(cases) > limit:
        yield ""
        yield f"… and {len(cases) - limit:,} more."
    if fold:
        yield ""
        yield "</details>"


def _case(report: DiffReport, case: CaseDiff) -> Iterator[tuple[str, ...]]:
    """Yield a row for each change, those that touch a rule or a conclusion first; one for what no change explains.

    The findings' own words follow, one a row.
    """
    name = code(case.key) + (" (known)" if report.is_known(case) else added_mark(case))
    changes = sorted(case.changes, key=lambda change: not (change.verdict or change.breaks or change.fixes))
    shown = {rule for change in changes[:CHANGES] for rule in (*change.breaks, *change.fixes)}
    unexplained = [found for _, rules in ruled(case) for found in rules if found.rule not in shown]
    if case.why or unexplained or not changes:
        yield (
            name,
            "",
            "",
            "",
            code(case_reason(case) if case.why or not shown else ", ".join(map(broken_text, unexplained))),
        )
        name = ""
    for change in changes[:CHANGES]:
        yield name, *_change(change)
        name = ""
    if len(changes) > CHANGES:
        yield name, f"… and {len(changes) - CHANGES:,} more", "", "", ""
    yield from (("", "", "", "", code(line)) for line in finding_lines(case))


def _change(change: FieldChange) -> tuple[str, str, str, str]:
    before, after = ("", "moved") if change.kind == "moved" else map(code, sides(change))
    place = code(place_of(change))
    return f"**{place}**" if change.verdict else place, before, after, code(rule_text(change))


def _figures(diff: RunDiff) -> Iterator[str]:
    if diff.rules:
        yield ""
        rows = [(code(d.rule), f"{d.cases_before:,}", f"{d.cases_after:,}", _evidence(d)) for d in diff.rules]
        yield from table(("rule", "cases that break it before", "now", "evidence"), rows)
        yield from listed(legend_lines(RULES))
    numbers = [*map(figure_text, diff.figures), *map(metric_text, diff.metrics)]
    if numbers:
        yield ""
        yield from table(("figure", "before", "now", "change"), [(code(name), *cells) for name, *cells in numbers])


def _evidence(delta: RuleDelta) -> str:
    paired = delta.paired
    return f"{evidence_word(delta)} ({paired.better:,} better, {paired.worse:,} worse, {p_text(paired.p)})"


def _notes(report: DiffReport) -> Iterator[str]:
    notes = report.diff.notes
    if notes:
        yield ""
        yield from (f"- note: {code(note)}" for note in notes[:NOTES])
        if len(notes) > NOTES:
            yield f"- … and {len(notes) - NOTES:,} more notes"
    yield ""


# Conclusions of two runs as Markdown: how often they agree, and which value became which.

TURNS = 20
"""Turns of a field that are listed; the rest is counted."""


def verdict_tables(diff: RunDiff, before: str = "") -> Iterator[str]:
    """Yield a heading for every field that is marked as a verdict, and a table where values differ.

    `before` is put in front of each field's name.
    """
    for found in diff.verdicts:
        yield ""
        only = f" (only before: {found.only_base:,}; only now: {found.only_candidate:,})"
        lone = only if found.only_base or found.only_candidate else ""
        yield f"**{before}{code(found.field)}**: {found.agree:,} of {found.total:,} agree{lone}"
        if found.turns:
            yield ""
            rows = [(code(value_text(a)), code(value_text(b)), f"{n:,}") for a, b, n in found.turns[:TURNS]]
            yield from table(("before", "now", "times"), rows)
        if len(found.turns) > TURNS:
            yield ""
            yield f"… and {len(found.turns) - TURNS:,} more."
