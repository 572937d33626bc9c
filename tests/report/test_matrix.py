"""The matrix of models and tasks in each form."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_planguard.pipeline.history import AttemptHistory
from pytest_planguard.pipeline.matrix import AttemptRecord, Cell, matrix_of
from pytest_planguard.report.forms import FORMS, draw
from pytest_planguard.report.page import Foreign
from pytest_planguard.report.pages.tasks import by_kind, cell_text, matrix_page

from ..support.commands import run

RECORDS = [
    AttemptRecord("Plan", "small", "fail:prose", 1.0),
    AttemptRecord("Plan", "small", "pass", 2.0),
    AttemptRecord("Review", "small", "fail:schema_echo", 3.0),
    AttemptRecord("Plan", "<b>large|", "pass", 4.0),
    AttemptRecord("Plan", "<b>large|", "error:transport", 5.0),
]
MATRIX = matrix_of(RECORDS)
TEXT = """\
model      Plan                  Review
<b>large|  pass 1/1 (21–100 %)   unknown
small      pass 1/2 (9–91 %)     fail:schema_echo 0/1 (0–79 %)

Models and failure kinds
model      pass  prose  schema_echo
<b>large|  1     -      -
small      1     1      1"""


def test_the_text_has_both_tables() -> None:
    """Columns are as wide as their widest cell."""
    assert [line.split() for line in draw(matrix_page(MATRIX), "text").splitlines()] == [
        line.split() for line in TEXT.splitlines()
    ]


def test_markdown_keeps_foreign_names_from_being_markup() -> None:
    """A bar in a name ends no cell."""
    lines = draw(matrix_page(MATRIX), "markdown").splitlines()
    assert lines[:3] == ["| model | `Plan` | `Review` |", "|---|---|---|", lines[2]]
    assert lines[2].startswith("| `<b>large\\|` | `pass 1/1")


def test_the_page_colours_cells_and_escapes_names() -> None:
    """Green from four of five, red below one of five."""
    page = draw(matrix_page(MATRIX), "html")
    assert "<b>large" not in page
    assert "&lt;b&gt;large|" in page
    assert [page.count(f'heat-{name}">') for name in ("good", "mixed", "bad", "none")] == [1, 1, 1, 1]


@pytest.mark.parametrize("form", FORMS)
def test_an_empty_history_is_told(form: str) -> None:
    """Where nothing was asked there is no table."""
    assert "no attempt of a model was judged" in draw(matrix_page({}), form)


def test_a_cell_without_counts_shows_its_state() -> None:
    """As the plain form of a matrix has it."""
    assert cell_text(Cell("fail:schema_echo")) == "fail:schema_echo"
    assert by_kind({"a": {"T": Cell("pass")}}).rows == ((Foreign("a"), "0"),)


def test_the_command_reads_the_history_and_the_matrix(tmp_path: Path) -> None:
    """Both give the same report; JSON is the content of the file."""
    history, file = AttemptHistory(tmp_path / "attempts.jsonl"), tmp_path / "model_task_matrix.json"
    for record in RECORDS:
        history.append(record)
    history.write_matrix(file)
    both = [run("report", "--matrix", str(path)) for path in (history.path, file)]
    assert [done.exit_code for done in both] == [0, 0]
    assert both[0].stdout == both[1].stdout == draw(matrix_page(MATRIX), "text") + "\n"
    done = run("report", "--matrix", str(file), "--format", "json")
    assert json.loads(done.stdout) == json.loads(file.read_text("utf-8"))


def test_a_run_beside_the_matrix_is_refused(tmp_path: Path) -> None:
    """One report at a time."""
    (tmp_path / "m.json").write_text("{}", "utf-8")
    done = run("report", "last", "--matrix", str(tmp_path / "m.json"))
    assert done.exit_code == 2
    assert "--matrix is a separate report: leave RUN out." in done.stderr
