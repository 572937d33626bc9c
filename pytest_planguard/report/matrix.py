"""The matrix of models and tasks, and of models and failure kinds, as text, Markdown, HTML and JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..pipeline.matrix import Cell, Matrix, matrix_data
from ..printable import one_line
from .media.escaping import code, json_text, table
from .media.html_page import render_page
from .media.text_table import columns

NAME = 120
MOSTLY = 0.8
"""Share of good answers from which a cell is green: four of five."""
NO_ATTEMPTS = "no attempt of a model was judged"

Table = tuple[Sequence[str], list[list[str]]]
"""Head and rows."""


def render_matrix(matrix: Matrix, form: str) -> str:
    """Return the matrix in a form: "text", "markdown", "html" or "json"."""
    if form == "json":
        return json_text(matrix_data(matrix))
    if form == "html":
        return _html(matrix)
    if not matrix:
        return NO_ATTEMPTS
    tables = (by_task(matrix), by_kind(matrix))
    if form == "markdown":
        return "\n".join(line for head, rows in tables for line in (*_markdown(head, rows), ""))
    return "\n\n".join(columns([head, *rows], right=frozenset()) for head, rows in tables)


def by_task(matrix: Matrix) -> Table:
    """Return the table of models and tasks: the latest result, good answers of all, and the interval."""
    tasks = _tasks(matrix)
    rows = [[model, *(cell_text(row.get(task, Cell())) for task in tasks)] for model, row in matrix.items()]
    return ["model", *tasks], rows


def by_kind(matrix: Matrix) -> Table:
    """Return the table of models and failure kinds: attempts over all tasks."""
    counted = {model: sum((Counter(cell.failed) for cell in row.values()), Counter()) for model, row in matrix.items()}
    kinds = sorted({kind for counts in counted.values() for kind in counts})
    rows = []
    for model, row in matrix.items():
        passed = sum(cell.passed for cell in row.values())
        rows.append([model, str(passed), *(str(counted[model][kind] or "-") for kind in kinds)])
    return ["model", "pass", *kinds], rows


def cell_text(cell: Cell) -> str:
    """Return 'fail:prose 1/3 (6 to 79 %)', with a dash; without counts the state alone."""
    if not cell.attempts:
        return cell.state
    low, high = cell.interval
    return f"{cell.state} {cell.passed}/{cell.attempts} ({low:.0%}–{high:.0%})".replace("%–", "–").replace("%)", " %)")


def _tasks(matrix: Matrix) -> list[str]:
    return sorted({task for row in matrix.values() for task in row})


def _markdown(head: Sequence[str], rows: list[list[str]]) -> list[str]:
    """A table in which names and results are code: both may come from elsewhere."""
    return list(table([code(cell) for cell in head], [[code(cell) for cell in row] for row in rows]))


def _html(matrix: Matrix) -> str:
    tasks = _tasks(matrix)
    heat = [
        [(one_line(cell_text(cell), NAME), _heat(cell)) for cell in (row.get(task, Cell()) for task in tasks)]
        for row in matrix.values()
    ]
    head, kinds = by_kind(matrix)
    return render_page(
        "matrix.html",
        tasks=[one_line(task, NAME) for task in tasks],
        models=[one_line(model, NAME) for model in matrix],
        heat=heat,
        kind_head=[one_line(cell, NAME) for cell in head],
        kinds=[[one_line(cell, NAME) for cell in row] for row in kinds],
        notes=[] if matrix else [NO_ATTEMPTS],
    )


def _heat(cell: Cell) -> str:
    """The class of a cell's colour."""
    if not cell.attempts:
        return {"pass": "heat-good", "unknown": "heat-none"}.get(cell.state, "heat-bad")
    share = cell.passed / cell.attempts
    return "heat-good" if share >= MOSTLY else "heat-bad" if share <= 1 - MOSTLY else "heat-mixed"
