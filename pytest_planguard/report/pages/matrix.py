"""The matrix of models and tasks, and of models and failure kinds."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ...pipeline.matrix import Cell as Tried
from ..page import Cell, Foreign, Page, Table

if TYPE_CHECKING:
    from ...pipeline.matrix import Matrix
    from ..page import Tone, Words

MOSTLY = 0.8
"""Minimum share of good answers for a green cell: four of five."""
NO_ATTEMPTS = "no attempt of a model was judged"


def matrix_page(matrix: Matrix) -> Page:
    """Return the page: the latest result with the good answers and their interval, then attempts by failure kind."""
    title = "Models and tasks"
    return Page(title, blocks=(by_task(matrix), by_kind(matrix))) if matrix else Page(title, notes=(NO_ATTEMPTS,))


def by_task(matrix: Matrix) -> Table:
    """Return the table of models and tasks."""
    tasks = sorted({task for row in matrix.values() for task in row})
    rows: list[tuple[Words | Cell, ...]] = []
    for model, row in matrix.items():
        rows.append((Foreign(model), *(_cell(row.get(task, Tried())) for task in tasks)))
    return Table(("model", *map(Foreign, tasks)), tuple(rows))


def by_kind(matrix: Matrix) -> Table:
    """Return the table of models and failure kinds, counting attempts over all tasks."""
    counted = {model: sum((Counter(cell.failed) for cell in row.values()), Counter()) for model, row in matrix.items()}
    kinds = sorted({kind for counts in counted.values() for kind in counts})
    rows: list[tuple[Words, ...]] = []
    for model, row in matrix.items():
        passed = sum(cell.passed for cell in row.values())
        rows.append((Foreign(model), str(passed), *(str(counted[model][kind] or "-") for kind in kinds)))
    return Table(("model", "pass", *map(Foreign, kinds)), tuple(rows), "Models and failure kinds")


def cell_text(cell: Tried) -> str:
    """Return text such as 'fail:prose 1/3 (6 to 79 %)', with a dash. Without counts, return only the state."""
    if not cell.attempts:
        return cell.state
    low, high = (f"{100 * bound:.0f}" for bound in cell.interval)
    return f"{cell.state} {cell.passed}/{cell.attempts} ({low}–{high} %)"


def _cell(cell: Tried) -> Cell:
    if cell.attempts:
        share = cell.passed / cell.attempts
        tone: Tone = "good" if share >= MOSTLY else "bad" if share <= 1 - MOSTLY else "mixed"
    else:
        tone = "good" if cell.state == "pass" else "none" if cell.state == "unknown" else "bad"
    return Cell(Foreign(cell_text(cell)), tone)
