"""One run for a terminal, and the list of kept runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .diff_words import rate_text
from .sanitise import one_line
from .table import columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..runs.failures import ModelFailures, RunFigures
    from ..runs.run import Run, RunHeader
    from ..runs.stats import Rate

KINDS = 8
"""Failure kinds that have a column; rarer ones are counted together."""


def render_run(run: Run, figures: RunFigures) -> str:
    """A run: good cases, outcomes, broken rules, and a row for every model with its failure kinds."""
    return "\n".join(_lines(run, figures))


def render_runs(runs: Iterable[tuple[RunHeader, Rate]]) -> str:
    """Kept runs, one a line; what is unknown is "-"."""
    header = ("run", "written", "commit", "good", "cases")
    rows = [header, *(_kept(found, good) for found, good in runs)]
    return columns(rows, right=frozenset((3, 4)))


def _lines(run: Run, figures: RunFigures) -> Iterator[str]:
    about = [part for part in (_date(run.header), _commit(run.header)) if part != "-"]
    yield one_line(run.name, 120) + (f" ({', '.join(about)})" if about else "")
    yield f"good: {rate_text(figures.cases)}" + (f"; stale: {figures.stale:,}" if figures.stale else "")
    if figures.outcomes:
        yield "outcomes: " + ", ".join(f"{n:,} {one_line(name, 40).replace('_', ' ')}" for name, n in figures.outcomes)
    if figures.rules:
        yield "broken: " + ", ".join(f"{one_line(rule, 60)} in {n:,}" for rule, n in figures.rules)
    if figures.models:
        yield ""
        yield _models(figures)
    yield from (f"note: {one_line(problem, 400)}" for problem in run.problems)


def _models(figures: RunFigures) -> str:
    """Model by failure kind, with a column for the kinds that are too many to have one."""
    kinds, rest = figures.kinds[:KINDS], figures.kinds[KINDS:]
    header = ("model", "good cases", "valid answers", *kinds, *(["other"] if rest else []))
    rows = [header, *(_model(model, kinds, rest) for model in figures.models)]
    return columns(rows, right=frozenset(range(1, len(header))))


def _model(model: ModelFailures, kinds: tuple[str, ...], rest: tuple[str, ...]) -> tuple[str, ...]:
    rates = tuple(f"{rate.hits:,}/{rate.total:,}" for rate in (model.cases, model.attempts))
    others = (str(sum(map(model.count, rest))),) if rest else ()
    return (model.model, *rates, *(str(model.count(kind) or "-") for kind in kinds), *others)


def _kept(header: RunHeader, good: Rate) -> tuple[str, ...]:
    share = "-" if good.share is None else f"{100 * good.share:.0f} %"
    return (header.name, _date(header), _commit(header), share, f"{good.total:,}")


def _date(header: RunHeader) -> str:
    return one_line(header.created[:16].replace("T", " "), 40) if header.created else "-"


def _commit(header: RunHeader) -> str:
    if not header.commit:
        return "-"
    return one_line(header.commit[:12], 20) + (" with changes" if header.dirty else "")
