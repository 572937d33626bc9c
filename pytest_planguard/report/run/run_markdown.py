"""Runs as Markdown, for a job's summary: the verdict first, models and failure kinds, failing cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ...runs.model.broken_rules import broken_rules
from ..media.markdown import code, table
from ..words.phrases import broken_text, name_of
from .run_text import KEPT_HEAD, good_line, kept_cells, model_table, outcome_line, verdict_word

if TYPE_CHECKING:
    from ...runs.model.header import RunHeader
    from ...runs.model.run import CaseRow, Run
    from ...runs.run_figures import RunFigures

CASES = 50
"""Failing cases that are listed; the rest is counted."""
MARKS = {"FAIL": "❌", "PASS": "✅", "UNPROVEN": "❔"}


def render_runs_markdown(runs: Iterable[tuple[RunHeader, RunFigures]]) -> str:
    """Return the list of kept runs."""
    rows = [[code(cell) for cell in kept_cells(found, figures)] for found, figures in runs]
    return "\n".join([*table(KEPT_HEAD, rows), ""])


def render_run_markdown(run: Run, figures: RunFigures) -> str:
    """Return one run; everything that a model, a file or a user wrote is in code spans."""
    return "\n".join(_lines(run, figures))


def _lines(run: Run, figures: RunFigures) -> Iterator[str]:
    failing = [row for row in run.rows if not row.ok and not row.stale]
    word = verdict_word(figures, failing=bool(failing))
    yield f"{MARKS[word]} **planguard: {word}** {good_line(figures)}"
    yield ""
    yield f"Run: {code(name_of(run.header))}  "
    yield f"Outcomes: {code(outcome_line(figures))}"
    kinds = model_table(figures)
    if len(kinds) > 1:
        yield ""
        head, *rows = [[code(cell) for cell in cells] for cells in kinds]
        yield from table(head, rows)
    if failing:
        yield ""
        shown = [(code(row.key), code(", ".join(map(broken_text, broken_rules([row]))))) for row in failing[:CASES]]
        yield from table(("failing case", "breaks"), shown)
    if len(failing) > CASES:
        yield ""
        yield f"… and {len(failing) - CASES:,} more."
    yield from _stale([row for row in run.rows if row.stale])
    yield ""
    yield from (f"- note: {code(problem)}" for problem in run.problems[:CASES])


def _stale(rows: Sequence[CaseRow]) -> Iterator[str]:
    """Cassettes that no longer fit, each with the command that records it again."""
    if not rows:
        return
    yield ""
    shown = [
        (code(row.key), code(row.stale[0]), code(str(row.rerecord)) if row.rerecord is not None else "")
        for row in rows[:CASES]
    ]
    yield from table(("stale case", "why", "re-record"), shown)
    if len(rows) > CASES:
        yield ""
        yield f"… and {len(rows) - CASES:,} more."
