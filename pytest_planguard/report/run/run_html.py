"""Runs as self-contained HTML pages: the list of kept ones, or one with every case and its conversations."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...printable import one_line
from ...runs.model.broken_rules import broken_rules
from ..answer.finding_text import count, place
from ..media.html_page import render_page
from ..words.phrases import about_run, broken_text, name_of
from .row_page import KEY, key_parts, row_views, shared_limit
from .run_forms import KEPT_HEAD, good_line, kept_cells, model_table, outcome_line, verdict_word

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from ...runs.figures import RunFigures
    from ...runs.model.broken_rules import Broken
    from ...runs.model.header import RunHeader
    from ...runs.model.run import CaseRow, Run
    from ...runs.store.store import RunPoint


LINE = 400
WORDS = 3
"""Findings of a case that the list shows; its conversation has them all."""


def render_runs_html(runs: Iterable[tuple[RunHeader, RunFigures]], notes: Sequence[str] = ()) -> str:
    """Return the page with the list of kept runs and notes about them."""
    rows = [[one_line(cell, LINE) for cell in kept_cells(found, figures)] for found, figures in runs]
    title = count(len(rows), "kept run") if rows else "No run is kept"
    return render_page(
        "runs.html", title=title, head=KEPT_HEAD, runs=rows, notes=[one_line(note, LINE) for note in notes]
    )


def render_run_html(
    run: Run, figures: RunFigures, now: datetime | None = None, history: Sequence[RunPoint] = ()
) -> str:
    """Return the page of one run: failing and stale cases open to a click, good ones folded.

    `history`: the runs that are kept, oldest first; two and more become a chart.
    """
    limit = shared_limit(sum(len(judged.attempts) for row in run.rows for judged in row.judged))
    found: dict[str, list[dict[str, Any]]] = {"failing": [], "stale": [], "good": []}
    for row in run.rows:
        found["stale" if row.stale else "good" if row.ok else "failing"].append(_case(row, limit))
    buckets = [{"name": n, "title": n, "cases": cases, "same": n == "good"} for n, cases in found.items() if cases]
    shown = [case for cases in found.values() for case in cases]
    models = sorted({model for case in shown for model in case["models"]})
    return render_page(
        "run.html",
        "run_diff.js" if shown else None,
        word=verdict_word(figures, failing=bool(found["failing"])),
        line=good_line(figures),
        name=name_of(run.header),
        about=about_run(run.header, now),
        outcomes=outcome_line(figures),
        kinds=[[one_line(cell, LINE) for cell in cells] for cells in model_table(figures)],
        buckets=buckets,
        rules=sorted({rule for case in shown for rule in case["rules"]}),
        models=models,
        chart=history_chart(history),
        notes=[one_line(problem, LINE) for problem in run.problems],
    )


def _case(row: CaseRow, limit: int) -> dict[str, Any]:
    """Return a case as the template shows it."""
    key = "\0".join((row.key, row.model or "", row.variant or ""))
    broken = broken_rules([row])
    return {
        "id": hashlib.sha256(key.encode(errors="backslashreplace")).hexdigest()[:8],
        "key": key_parts(one_line(row.key, KEY)),
        "words": list(islice(_words(row), WORDS)),
        "brief": _brief(row, broken),
        "rules": sorted({one_line(found.rule, 120) for found in broken}),
        "models": [one_line(row.model, 120)] if row.model else [],
        "rows": row_views((row,), limit),
    }


def _words(row: CaseRow) -> Iterator[str]:
    """Yield what is wrong with the last answers, in the findings' own words."""
    bad = (found for judged in row.judged if judged.last for found in judged.last.findings if found.severity.bad)
    return (f"{place(found)}: {one_line(found.message, LINE)}" for found in bad)


def _brief(row: CaseRow, broken: tuple[Broken, ...]) -> str:
    reason = f"breaks {', '.join(map(broken_text, broken))}" if broken else ""
    return one_line(row.stale[0] if row.stale else reason, LINE)


STEP, WIDTH, HEIGHT = 16, 12, 48
"""Of one bar, in the chart's own units: from bar to bar, its width, and its height where all cases are good."""
LEAST = 1.5
"""Height of a run without any good case: it is there, and it is not missing."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One run."""

    x: int
    y: float
    height: float
    words: str
    """'main, 2026-11-18 10:00: 8 of 10 good (80 %)'."""
    last: bool


@dataclass(frozen=True, slots=True)
class Chart:
    """All of them, oldest first."""

    bars: tuple[Bar, ...]
    width: int
    height: int
    words: str
    """The same for whoever does not see it: 'Good cases over the last 2 kept runs, oldest first: 80 %, 90 %'."""


def history_chart(points: Sequence[RunPoint]) -> Chart | None:
    """Return the chart; None where fewer than two runs are kept."""
    if len(points) < 2:
        return None
    bars = tuple(_bar(point, at, at == len(points) - 1) for at, point in enumerate(points))
    shares = ", ".join(f"{100 * (point.cases.share or 0):.0f} %" for point in points)
    words = f"Good cases over the last {len(points):,} kept runs, oldest first: {shares}"
    return Chart(bars, STEP * len(points) - (STEP - WIDTH), HEIGHT, words)


def _bar(point: RunPoint, at: int, last: bool) -> Bar:
    share = point.cases.share or 0.0
    height = max(LEAST, share * HEIGHT)
    when = f", {one_line(point.created[:16].replace('T', ' '), 40)}" if point.created else ""
    words = (
        f"{one_line(point.name, 80)}{when}: {point.cases.hits:,} of {point.cases.total:,} good ({100 * share:.0f} %)"
    )
    return Bar(STEP * at, round(HEIGHT - height, 2), round(height, 2), words, last)
