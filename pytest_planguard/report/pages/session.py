"""A test session as a page, for a job's summary: first the verdict, then the baseline, then the failures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...printable import one_line
from ...runs.figures import figures_of_run
from ..finding_text import count
from ..page import Cases, Code, Facts, Foreign, Group, Listing, Page, Verdict
from ..words.baseline_text import ask, baseline_blocks
from ..words.case_words import about_run
from .run import case_of, model_table, outcome_line

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from ...runs.gate.known_failures import BaselineReport
    from ...runs.model.run import CaseRow, Run
    from ..page import Block, Words

UNRECORDED = "unrecorded"
"""The outcome of a case without a cassette."""
UPDATE, PRUNE = "--planguard-baseline-update", "--planguard-baseline-prune"


def session_page(
    run: Run,
    *,
    passed: bool,
    known: Collection[str] = (),
    baseline: BaselineReport | None = None,
    path: str = "",
    now: datetime | None = None,
    hints: Sequence[str] = (),
) -> Page:
    """Return a session.

    Args:
        run: its header and rows.
        passed: True if the session as a whole passed.
        known: ids of the tests that failed as the baseline lists.
        baseline: the run compared with the list of known failures; None without a list.
        path: path of the baseline.
        now: the time of the summary, with a zone. If None, ages are left out.
        hints: lines about stale or missing cassettes, and the commands that record them.
    """
    failing = [row for row in run.rows if row.result in ("failed", "error") and row.test not in known]
    figures = figures_of_run(run)
    blocks: list[Block] = [Facts((("outcomes", outcome_line(figures)),))]
    if baseline is not None:
        blocks += baseline_blocks(baseline, path, now)
        asked = tuple(ask(baseline, UPDATE, PRUNE))
        blocks += [Listing("to do about the baseline", asked)] if asked else []
    if failing:
        cases = tuple(case_of(row, "failing", _why(row)) for row in failing)
        blocks.append(Cases((Group("failing", "failing", cases),)))
    if hints:
        blocks.append(Code("Cassettes", "\n".join(hints).replace("`", "'")))
    blocks += model_table(figures)
    title = Foreign(about_run(run.header, now) or "unknown commit")
    return Page(title, _lead(run, failing, len(known)), Verdict("PASS" if passed else "FAIL"), tuple(blocks))


def _lead(run: Run, failing: Sequence[CaseRow], known: int) -> str:
    """Return text such as '2 of 20 cases fail, 3 known failures'."""
    parts = [f"{len(failing):,} of {count(len(run.rows), 'case')} {'fails' if len(failing) == 1 else 'fail'}"]
    parts += [count(known, "known failure")] if known else []
    stale = sum(bool(row.stale) for row in run.rows)
    return ", ".join([*parts, *([f"{stale:,} stale"] if stale else [])])


def _why(row: CaseRow) -> Words:
    """Return the problem with its cassette, or that no rule explains the failure; "" if the rules do."""
    if row.stale:
        return Foreign(f"stale cassette: {one_line(row.stale[0], 240)}", 400)
    if row.outcome == UNRECORDED:
        return "no cassette yet"
    return "" if row.is_evidence else "the test failed"
