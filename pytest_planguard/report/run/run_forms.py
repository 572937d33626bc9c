"""A run in figures: text, Markdown and JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ...printable import one_line
from ...runs.model.broken_rules import broken_rules
from ...runs.model.row_write import rerecord_data
from ..media.escaping import code, table
from ..media.text_table import columns
from ..words.comparison_words import rate_text, rerecord_text
from ..words.phrases import broken_text, name_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ...runs.figures import ModelFailures, RunFigures
    from ...runs.model.header import RunHeader
    from ...runs.model.run import CaseRow, Run
    from ...runs.statistics import Rate


SCHEMA = 1
"""Version of the shape."""


def run_data(run: Run, figures: RunFigures) -> dict[str, Any]:
    """Return a run: good cases, outcomes, broken rules, models with their failure kinds."""
    return {
        "schema": SCHEMA,
        "name": run.name,
        "created": run.header.created,
        "commit": run.header.commit,
        "dirty": run.header.dirty,
        "good": _rate(figures.cases),
        "stale": figures.stale,
        "stale_cases": [_stale(row) for row in run.rows if row.stale],
        "outcomes": dict(figures.outcomes),
        "rules": dict(figures.rules),
        "models": [
            {"model": m.model, "good": _rate(m.cases), "valid_answers": _rate(m.attempts), "kinds": dict(m.kinds)}
            for m in figures.models
        ],
        "notes": list(run.problems),
    }


def _stale(row: CaseRow) -> dict[str, Any]:
    return {
        "case": row.key,
        "variant": row.variant,
        "reasons": list(row.stale),
        "rerecord": None if row.rerecord is None else rerecord_data(row.rerecord),
    }


def _rate(rate: Rate) -> dict[str, int]:
    return {"hits": rate.hits, "total": rate.total}


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


CASES = 50
"""Failing cases that are listed; the rest is counted."""
MARKS = {"FAIL": "❌", "PASS": "✅", "UNPROVEN": "❔"}


def render_runs_markdown(runs: Iterable[tuple[RunHeader, RunFigures]]) -> str:
    """Return the list of kept runs."""
    rows = [[code(cell) for cell in kept_cells(found, figures)] for found, figures in runs]
    return "\n".join([*table(KEPT_HEAD, rows), ""])


def render_run_markdown(run: Run, figures: RunFigures) -> str:
    """Return one run; everything that a model, a file or a user wrote is in code spans."""
    return "\n".join(_lines_markdown(run, figures))


def _lines_markdown(run: Run, figures: RunFigures) -> Iterator[str]:
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
    yield from _stale_markdown([row for row in run.rows if row.stale])
    yield ""
    yield from (f"- note: {code(problem)}" for problem in run.problems[:CASES])


def _stale_markdown(rows: Sequence[CaseRow]) -> Iterator[str]:
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
