"""A test session as Markdown, for a job's summary: the verdict first, then the baseline, then what fails and why."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from ...runs.model.broken_rules import broken_rules
from ...runs.run_figures import figures_of_run
from ..answer.finding_text import count
from ..media.markdown import code, table
from ..words.baseline_text import ask, baseline_tables, counts_line, oldest
from ..words.phrases import about_run, broken_text
from .run_text import model_table, outcome_line

if TYPE_CHECKING:
    from datetime import datetime

    from ...runs.gate.known_failures import BaselineReport
    from ...runs.model.run import CaseRow, Run

CASES = 50
"""Failing cases that are listed; the rest is counted."""
UPDATE, PRUNE = "--planguard-baseline-update", "--planguard-baseline-prune"


def render_session_markdown(
    run: Run,
    *,
    passed: bool,
    known: Collection[str] = (),
    baseline: BaselineReport | None = None,
    path: str = "",
    now: datetime | None = None,
) -> str:
    """Return a session; everything that a model, a file or a user wrote is in code spans.

    Args:
        run: its header and rows.
        passed: whether the session as a whole passed.
        known: ids of the tests that failed as the baseline lists.
        baseline: the run held against the list of known failures; None where there is none.
        path: of the baseline.
        now: when the summary is made, with a zone; ages are left out where it is None.
    """
    failing = [row for row in run.rows if row.result in ("failed", "error") and row.test not in known]
    lines = [_verdict(run, failing, len(known), passed), "", *_about(run, now)]
    if baseline is not None:
        lines += ["", *_baseline(baseline, path, now)]
    return "\n".join([*lines, "", *_failing(failing), *_kinds(run), ""])


def _verdict(run: Run, failing: list[CaseRow], known: int, passed: bool) -> str:
    """Return '❌ **planguard: FAIL** 2 of 20 cases fail, 3 known failures'."""
    headline = f"{len(failing):,} of {count(len(run.rows), 'case')} {'fails' if len(failing) == 1 else 'fail'}"
    parts = [headline, *([count(known, "known failure")] if known else [])]
    stale = sum(bool(row.stale) for row in run.rows)
    parts += [f"{stale:,} stale"] if stale else []
    return f"{'✅' if passed else '❌'} **planguard: {'PASS' if passed else 'FAIL'}** {', '.join(parts)}"


def _about(run: Run, now: datetime | None) -> Iterator[str]:
    about = about_run(run.header, now)
    yield f"Run: {code(about)}  " if about else "Run: unknown commit  "
    yield f"Outcomes: {code(outcome_line(figures_of_run(run)))}"


def _baseline(report: BaselineReport, path: str, now: datetime | None) -> Iterator[str]:
    everything = (*report.known, *report.expired, *report.fixed, *report.unseen)
    yield f"Baseline {code(path)}: {counts_line(report)}{oldest(everything, now)}."
    yield from (f"- **{line}**" for line in ask(report, code(UPDATE), code(PRUNE)))
    yield from baseline_tables(report)


def _failing(failing: list[CaseRow]) -> Iterator[str]:
    if failing:
        rows = [(code(row.key), code(", ".join(map(broken_text, broken_rules([row]))))) for row in failing[:CASES]]
        yield from table(("failing case", "breaks"), rows)
    if len(failing) > CASES:
        yield ""
        yield f"… and {len(failing) - CASES:,} more."


def _kinds(run: Run) -> Iterator[str]:
    kinds = model_table(figures_of_run(run))
    if len(kinds) > 1:
        yield ""
        head, *rows = [[code(cell) for cell in cells] for cells in kinds]
        yield from table(head, rows)
