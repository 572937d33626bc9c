"""Three and more runs as one self-contained HTML page: the arms, every pair tested, every pair compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..media.html_page import render_page
from ..media.sanitise import one_line
from ..words.arms_report import PAIR_HEAD, arm_cells, arm_head, pair_evidence
from ..words.change_text import value_text
from ..words.comparison_words import ARMS, PAIRS, headline, metric_text

if TYPE_CHECKING:
    from ...runs.compare.arms import ArmPair
    from ...runs.compare.run_diff import RunDiff
    from ..words.arms_report import ArmsReport

LINE = 400
NAME = 120


def render_arms_html(report: ArmsReport) -> str:
    """Return the page; it needs no script."""
    found = report.table
    return render_page(
        "arms.html",
        head=arm_head(found) if found is not None else (),
        arms=[[one_line(cell, NAME) for cell in arm_cells(arm)] for arm in found.arms] if found is not None else [],
        pairs=[_pair(pair) for pair in found.pairs] if found is not None else [],
        pair_head=PAIR_HEAD,
        legends=(ARMS, PAIRS),
        pairwise=[_pairwise(diff) for diff in report.comparisons],
        comparisons=[_comparison(diff) for diff in report.comparisons],
        notes=[one_line(note, LINE) for note in report.notes],
    )


def _pair(pair: ArmPair) -> tuple[str, ...]:
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
