"""Compare three or more runs: all strategies side by side, and each pair of them."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import click

from ...report.diff.diff_data import strategies_data
from ...report.forms.draw import draw
from ...report.media.escaping import json_text
from ...report.pages.comparison import comparison_page
from ...report.pages.strategies import StrategyReport, strategies_page
from ...report.words.comparison_words import DiffReport
from ...runs.compare.compare import compare
from ...runs.compare.run_diff import Bucket
from ...runs.compare.strategies import compare_strategies
from ..main import UNJUDGED
from .diff_formats import add_to_summary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...runs.compare.compare import CompareOptions
    from ...runs.model.run import Run
    from .diff_formats import Output

FORMS = ("text", "markdown", "html", "json")


def refuse(forms: Sequence[str], gated: Sequence[str]) -> None:
    """Reject what three or more runs do not have: a gate, and its forms.

    Raises:
        click.UsageError: one of these was requested.
    """
    for asked in forms:
        if asked not in FORMS:
            raise click.UsageError(
                f"{asked} shows what a gate found between two runs, and three or more were named: take "
                f"{', '.join(FORMS[:-1])} or {FORMS[-1]}, or name two."
            )
    if gated:
        raise click.UsageError(
            f"{gated[0]} gates a comparison of two runs, and three or more were named: leave it out, or name two."
        )


def deliver_several(runs: Sequence[Run], options: CompareOptions, output: Output) -> int:
    """Print the comparison, and write its files and the job's summary. Return the exit code."""
    judged = any(row.is_judged for run in runs for row in run.rows)
    comparisons = tuple(compare(one, other, options) for one, other in combinations(runs, 2))
    notes = dict.fromkeys(note for found in comparisons for note in found.notes)
    report = StrategyReport(compare_strategies(runs) if judged else None, comparisons, tuple(notes))
    output.write(lambda form, color: rendered_strategies(form, report, output, color=color))
    add_to_summary(lambda: f"{rendered_strategies('markdown', report, output)}\n")
    return UNJUDGED if any(run.problems for run in runs) else 0


def rendered_strategies(form: str, report: StrategyReport, output: Output, *, color: bool = False) -> str:
    """Return the comparison in one of `FORMS`. Verbose text includes the comparison of each pair."""
    if form == "json":
        return json_text(strategies_data(report, rows=output.rows))
    text = draw(strategies_page(report), form)
    if form != "text":
        return text
    if not output.verbose:
        some = any(case.bucket is not Bucket.UNCHANGED for found in report.comparisons for case in found.cases)
        return f"{text}\n\n--verbose shows which cases, and what changed in them" if some else text
    pages = (comparison_page(DiffReport(replace(found, notes=()))) for found in report.comparisons)
    return "\n\n".join([text, *(draw(page, form, color=color, verbose=True) for page in pages)])
