"""One run for a terminal, and the list of kept runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..media.sanitise import one_line
from ..media.text_table import columns
from ..words.comparison_words import rate_text, rerecord_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ...runs.model.header import RunHeader
    from ...runs.model.run import Run
    from ...runs.run_figures import ModelFailures, RunFigures

KINDS = 8
"""Failure kinds that have a column; rarer ones are counted together."""
KEPT_HEAD = ("run", "written", "commit", "good", "judged", "stale")
UNPROVEN = "unproven"
"""Shown for the share of good cases where every case is stale: no cassette fits, so none proves anything."""


def render_run(run: Run, figures: RunFigures) -> str:
    """Return a run: good cases, outcomes, broken rules, and a row for every model with its failure kinds."""
    return "\n".join(_lines(run, figures))


def render_runs(runs: Iterable[tuple[RunHeader, RunFigures]]) -> str:
    """Kept runs, one a line; what is unknown is "-"."""
    rows = [KEPT_HEAD, *(kept_cells(found, figures) for found, figures in runs)]
    return columns(rows, right=frozenset((3, 4, 5)))


def _lines(run: Run, figures: RunFigures) -> Iterator[str]:
    about = [part for part in (_date(run.header), _commit(run.header)) if part != "-"]
    yield one_line(run.name, 120) + (f" ({', '.join(about)})" if about else "")
    yield good_line(figures)
    if figures.outcomes:
        yield f"outcomes: {outcome_line(figures)}"
    if figures.rules:
        yield "broken: " + ", ".join(f"{one_line(rule, 60)} in {n:,}" for rule, n in figures.rules)
    if figures.models:
        yield ""
        rows = model_table(figures)
        yield columns(rows, right=frozenset(range(1, len(rows[0]))))
    for row in (row for row in run.rows if row.stale):
        yield f"stale: {one_line(row.key, 160)}: {one_line(row.stale[0], 200)}"
        if row.rerecord is not None:
            yield f"  {rerecord_text(row.rerecord)}"
    yield from (f"note: {one_line(problem, 400)}" for problem in run.problems)


def good_line(figures: RunFigures) -> str:
    """Return 'good: 14 of 20 (70 %, …); stale: 1'."""
    if figures.cases.total:
        return f"good: {rate_text(figures.cases)}" + (f"; stale: {figures.stale:,}" if figures.stale else "")
    if not figures.stale:
        return "good: nothing was judged"
    whole = "the only case is" if figures.stale == 1 else f"all {figures.stale:,} cases are"
    return f"good: none proven: {whole} stale"


def verdict_word(figures: RunFigures, *, failing: bool) -> str:
    """Return 'PASS' or 'FAIL'; 'UNPROVEN' where nothing fails and no case was judged that is not stale."""
    return "FAIL" if failing else "PASS" if figures.cases.total else UNPROVEN.upper()


def outcome_line(figures: RunFigures) -> str:
    """Return '12 converged, 3 stuck'; "none" where nothing was judged."""
    counts = (f"{n:,} {one_line(name, 40).replace('_', ' ')}" for name, n in figures.outcomes)
    return ", ".join(counts) or "none"


def model_table(figures: RunFigures) -> list[tuple[str, ...]]:
    """Model by failure kind with a head, and with a column for the kinds that are too many to have one."""
    kinds, rest = figures.kinds[:KINDS], figures.kinds[KINDS:]
    header = ("model", "good cases", "valid answers", *kinds, *(["other"] if rest else []))
    return [header, *(_model(model, kinds, rest) for model in figures.models)]


def _model(model: ModelFailures, kinds: tuple[str, ...], rest: tuple[str, ...]) -> tuple[str, ...]:
    rates = tuple(f"{rate.hits:,}/{rate.total:,}" for rate in (model.cases, model.attempts))
    others = (str(sum(map(model.count, rest))),) if rest else ()
    return (model.model, *rates, *(str(model.count(kind) or "-") for kind in kinds), *others)


def kept_cells(header: RunHeader, figures: RunFigures) -> tuple[str, ...]:
    """Return a kept run as a row of `KEPT_HEAD`."""
    good = figures.cases
    unknown = UNPROVEN if figures.stale else "-"
    share = unknown if good.share is None else f"{100 * good.share:.0f} %"
    stale = f"{figures.stale:,}" if figures.stale else "-"
    return (header.name, _date(header), _commit(header), share, f"{good.total:,}", stale)


def _date(header: RunHeader) -> str:
    return one_line(header.created[:16].replace("T", " "), 40) if header.created else "-"


def _commit(header: RunHeader) -> str:
    if not header.commit:
        return "-"
    return one_line(header.commit[:12], 20) + (" with changes" if header.dirty else "")
