"""A test session as Markdown, for a job's summary: the verdict first, then the baseline, then what fails and why."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from ...printable import one_line
from ...runs.figures import figures_of_run
from ...runs.model.broken_rules import broken_rules
from ..answer.finding_text import count
from ..media.escaping import code, table
from ..words.baseline_text import ask, baseline_tables, counts_line, oldest
from ..words.phrases import about_run, broken_text, row_lines
from .run_forms import model_table, outcome_line

if TYPE_CHECKING:
    from datetime import datetime

    from ...runs.gate.known_failures import BaselineReport
    from ...runs.model.run import CaseRow, Run

CASES = 50
"""Failing cases that are listed; the rest is counted."""
UNRECORDED = "unrecorded"
"""Outcome of a case that has no cassette."""
UPDATE, PRUNE = "--planguard-baseline-update", "--planguard-baseline-prune"


def render_session_markdown(
    run: Run,
    *,
    passed: bool,
    known: Collection[str] = (),
    baseline: BaselineReport | None = None,
    path: str = "",
    now: datetime | None = None,
    hints: Sequence[str] = (),
) -> str:
    """Return a session; everything that a model, a file or a user wrote is in code spans.

    Args:
        run: its header and rows.
        passed: whether the session as a whole passed.
        known: ids of the tests that failed as the baseline lists.
        baseline: the run held against the list of known failures; None where there is none.
        path: of the baseline.
        now: when the summary is made, with a zone; ages are left out where it is None.
        hints: lines that say which cassettes are stale or missing, and the commands that record them.
    """
    failing = [row for row in run.rows if row.result in ("failed", "error") and row.test not in known]
    lines = [_verdict(run, failing, len(known), passed), "", *_about(run, now)]
    if baseline is not None:
        lines += ["", *_baseline(baseline, path, now)]
    return "\n".join([*lines, "", *_failing(failing), *_hints(hints), *_kinds(run), ""])


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
        yield from table(("failing case", "what is wrong"), [_case(row) for row in failing[:CASES]])
    if len(failing) > CASES:
        yield ""
        yield f"… and {len(failing) - CASES:,} more."


def _case(row: CaseRow) -> tuple[str, str]:
    """Return the case, and why it fails: its cassette, or what it breaks, in the findings' own words."""
    model = f" ({code(row.model)})" if row.variant is not None and row.model else ""
    return f"{code(row.key)}{model}", "<br>".join(code(line) for line in _wrong(row))


def _wrong(row: CaseRow) -> Iterator[str]:
    if row.stale:
        yield f"stale cassette: {one_line(row.stale[0], 240)}"
    elif row.outcome == UNRECORDED:
        yield "no cassette yet"
    broken = [*broken_rules([row])] if row.is_evidence else []
    if broken or not (row.stale or row.outcome == UNRECORDED):
        yield ", ".join(map(broken_text, broken)) or "the test failed"
        yield from row_lines(row)


def _hints(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines as a block of code, in which a command is copied whole."""
    if lines:
        yield from ("", "```text", *(line.replace("`", "'") for line in lines), "```")


def _kinds(run: Run) -> Iterator[str]:
    kinds = model_table(figures_of_run(run))
    if len(kinds) > 1:
        yield ""
        head, *rows = [[code(cell) for cell in cells] for cells in kinds]
        yield from table(head, rows)
