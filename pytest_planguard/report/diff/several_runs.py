"""Three and more runs side by side: text, Markdown and HTML."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ...printable import one_line
from ...runs.compare.run_diff import Bucket
from ..media.escaping import code, listed, table
from ..media.html_page import render_page
from ..media.text_table import columns
from ..words.change_text import value_text
from ..words.comparison_words import PAIRS, STRATEGIES, headline, legend_lines, metric_text
from .diff_markdown import verdict_tables
from .diff_text import metric_lines, render_diff, render_verdicts

if TYPE_CHECKING:
    from ...runs.compare.run_diff import RunDiff
    from ...runs.compare.strategies import Strategy, StrategyPair, StrategyTable


PAIR_HEAD = ("strategy", "against", "result", "evidence")
"""The head of the table of pairs."""


@dataclass(frozen=True, slots=True)
class StrategyReport:
    """Three or more runs, compared."""

    table: StrategyTable | None
    """None where nothing judged any of them."""
    comparisons: tuple[RunDiff, ...]
    """Every two runs, in the order in which they were named."""
    notes: tuple[str, ...] = ()
    """What a reader must know of any of the comparisons, each once."""


def strategy_head(table: StrategyTable) -> tuple[str, ...]:
    """Return the head of the table of strategies: a column for each attempt that any strategy needed."""
    attempts = max((len(strategy.valid_by) for strategy in table.strategies), default=0)
    by = tuple(f"valid by {number}" for number in range(1, attempts + 1))
    return ("strategy", "tasks", *by, "rescued", "stuck", "false convergence", "calls", "tokens")


def strategy_cells(strategy: Strategy) -> tuple[str, ...]:
    """Return a strategy's row: its name as it was given, then figures."""
    tokens = [number for number in (strategy.input_tokens, strategy.output_tokens) if number is not None]
    return (
        strategy.name,
        f"{strategy.tasks:,}",
        *(f"{number:,}" for number in strategy.valid_by),
        f"{strategy.rescued:,}/{strategy.failed_first:,}",
        f"{strategy.ended('stuck'):,}",
        f"{strategy.false_convergence:,}",
        f"{strategy.calls:,}",
        f"{sum(tokens):,}" if tokens else "-",
    )


def pair_evidence(pair: StrategyPair, one: str, other: str) -> tuple[str, str]:
    """Return 'no evidence', and 'only inject 3, only blind 3 of 48 tasks, exact McNemar p = 1', with these names."""
    from ..words.comparison_words import p_text

    paired = pair.paired
    split = f"only {other} {paired.better:,}, only {one} {paired.worse:,} of {paired.pairs:,} tasks"
    return paired.evidence.value, f"{split}, exact McNemar {p_text(paired.p)}"


def render_strategies_report(report: StrategyReport, *, color: bool = False, verbose: bool = False) -> str:
    """Return the strategies as a table where something judged them, then each pair in one line with its conclusions.

    `verbose` shows each pair as two runs are shown, with every case and every change.
    """
    lines = [render_strategies(report.table), ""] if report.table is not None else []
    if verbose:
        pairs = [replace(found, notes=()) for found in report.comparisons]  # they are listed once, at the end
        lines += [f"{render_diff(found, color=color, verbose=True)}\n" for found in pairs]
    else:
        lines += _comparisons(report)
    lines += [f"note: {one_line(note, 400)}" for note in report.notes]
    return "\n".join(lines).rstrip("\n")


def render_strategies(table: StrategyTable) -> str:
    """Return the table of strategies, a line for every pair, and what their words mean."""
    head = strategy_head(table)
    rows = [head, *map(strategy_cells, table.strategies)]
    lines = [columns(rows, right=frozenset(range(1, len(head)))), ""]
    legends = ["", *legend_lines((*STRATEGIES, *PAIRS))]
    return "\n".join([*lines, *map(_pair, table.pairs), *legends])


def _pair(pair: StrategyPair) -> str:
    """Return 'inject against blind: no evidence (only inject 3, only blind 3 of 48 tasks, exact McNemar p = 1)'."""
    one, other = one_line(pair.one, 60), one_line(pair.other, 60)
    evidence, split = pair_evidence(pair, one, other)
    return f"{other} against {one}: {evidence} ({split})"


def _comparisons(report: StrategyReport) -> Iterator[str]:
    for found in report.comparisons:
        yield f"{one_line(found.base.name, 80)} → {one_line(found.candidate.name, 80)}: {headline(found)}"
        yield from metric_lines(found.metrics)
        for verdicts in found.verdicts:
            yield from (f"  {line}" for line in render_verdicts(verdicts).split("\n"))
    if any(len(found.of(Bucket.UNCHANGED)) < len(found.cases) for found in report.comparisons):
        yield "--verbose shows which cases, and what changed in them"


NOTES = 20
"""Notes that are listed; the rest is counted."""


def render_strategies_markdown(report: StrategyReport) -> str:
    """Return all of it; what a file or a user wrote is in code spans."""
    return "\n".join(_lines(report)).rstrip("\n")


def _lines(report: StrategyReport) -> Iterator[str]:
    if report.table is not None:
        yield from _strategies(report.table)
    rows = [(code(f.base.name), code(f.candidate.name), headline(f)) for f in report.comparisons]
    yield from table(("before", "now", "cases"), rows)
    for found in report.comparisons:
        names = f"{code(found.base.name)} → {code(found.candidate.name)}"
        yield from _metrics(found, names)
        yield from verdict_tables(found, f"{names}, ")
    yield ""
    yield from (f"- note: {code(note)}" for note in report.notes[:NOTES])
    if len(report.notes) > NOTES:
        yield f"- … and {len(report.notes) - NOTES:,} more notes"


def _metrics(found: RunDiff, names: str) -> Iterator[str]:
    """Yield what two runs measure, where they are compared by metrics."""
    if found.metrics:
        yield from ("", f"**{names}**", "")
        rows = [(code(name), *cells) for name, *cells in map(metric_text, found.metrics)]
        yield from table(("figure", "before", "now", "change"), rows)


def _strategies(found: StrategyTable) -> Iterator[str]:
    yield from table(
        strategy_head(found), [(code(strategy.name), *strategy_cells(strategy)[1:]) for strategy in found.strategies]
    )
    yield from listed(legend_lines(STRATEGIES))
    yield from table(PAIR_HEAD, [_pair_markdown(pair) for pair in found.pairs])
    yield from listed(legend_lines(PAIRS))


def _pair_markdown(pair: StrategyPair) -> tuple[str, ...]:
    one, other = code(pair.one), code(pair.other)
    return (other, one, *pair_evidence(pair, one, other))


LINE = 400
NAME = 120


def render_strategies_html(report: StrategyReport) -> str:
    """Return the page; it needs no script."""
    found = report.table
    return render_page(
        "strategies.html",
        head=strategy_head(found) if found is not None else (),
        strategies=[[one_line(cell, NAME) for cell in strategy_cells(strategy)] for strategy in found.strategies]
        if found is not None
        else [],
        pairs=[_pair_html(pair) for pair in found.pairs] if found is not None else [],
        pair_head=PAIR_HEAD,
        legends=(STRATEGIES, PAIRS),
        pairwise=[_pairwise(diff) for diff in report.comparisons],
        comparisons=[_comparison(diff) for diff in report.comparisons],
        notes=[one_line(note, LINE) for note in report.notes],
    )


def _pair_html(pair: StrategyPair) -> tuple[str, ...]:
    one, other = one_line(pair.one, NAME), one_line(pair.other, NAME)
    return (other, one, *pair_evidence(pair, one, other))


def _pairwise(diff: RunDiff) -> tuple[str, str, str]:
    return one_line(diff.base.name, NAME), one_line(diff.candidate.name, NAME), headline(diff)


def _comparison(diff: RunDiff) -> dict[str, Any]:
    tables = [
        {
            "field": one_line(table.field, NAME),
            "agree": f"{table.agree:,} of {table.total:,}",
            "turns": [(value_text(old), value_text(new), f"{number:,}") for old, new, number in table.turns],
        }
        for table in diff.verdicts
    ]
    names = (one_line(diff.base.name, NAME), one_line(diff.candidate.name, NAME))
    return {
        "base": names[0],
        "candidate": names[1],
        "metrics": [[one_line(cell, NAME) for cell in metric_text(metric)] for metric in diff.metrics],
        "verdicts": tables,
    }
