"""Three and more runs: arms side by side, and every two of them compared."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from ..report.arms_text import render_arms
from ..report.diff_data import arms_data, diff_data
from ..report.diff_text import render_verdicts
from ..report.diff_words import headline
from ..report.json_safe import json_text
from ..report.sanitise import one_line
from ..runs.arms import compare_arms
from ..runs.compare import compare

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..runs.compare import CompareOptions
    from ..runs.run import Run


def several_text(runs: Sequence[Run], options: CompareOptions) -> str:
    """The arms as a table where something judged them, then each pair in one line and its conclusions."""
    judged = any(row.is_judged for run in runs for row in run.rows)
    lines = [render_arms(compare_arms(runs)), ""] if judged else []
    lines += _pairs(runs, options)
    lines += [f"note: {one_line(problem, 400)}" for run in runs for problem in run.problems]
    return "\n".join(lines)


def several_json(runs: Sequence[Run], options: CompareOptions) -> str:
    """The same as JSON, every pair in full."""
    pairs = [diff_data(compare(one, other, options)) for one, other in combinations(runs, 2)]
    return json_text({**arms_data(compare_arms(runs)), "comparisons": pairs})


def _pairs(runs: Sequence[Run], options: CompareOptions) -> Iterator[str]:
    for one, other in combinations(runs, 2):
        found = compare(one, other, options)
        yield f"{one_line(one.name, 80)} → {one_line(other.name, 80)}: {headline(found)}"
        for table in found.verdicts:
            yield from (f"  {line}" for line in render_verdicts(table).split("\n"))
