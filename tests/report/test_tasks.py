"""Tasks and what their retries feed back, and the colours of the matrix of models and tasks."""

from __future__ import annotations

import pytest

from pytest_planguard.pipeline.matrix import Cell as Tried
from pytest_planguard.report.forms import draw
from pytest_planguard.report.page import Cell, Foreign
from pytest_planguard.report.pages.tasks import by_kind, by_task, cell_text, tasks_data, tasks_page
from pytest_planguard.runs.figures import TaskFigures

TASKS = (
    TaskFigures("full", 3, 2, 4, 0, 1, {("m-1", "enum"): 2, ("m-2", "prose"): 1}),
    TaskFigures("part", 1, 1, 1, 1, 0, {}),
    TaskFigures("never", 1, 1, 0, 1, 0, {}),
    TaskFigures("none", 1, 0, 0, 0, 0, {}),
)


def test_the_tasks_as_text() -> None:
    """A row for each task, the words for its feedback, and the failures of each model."""
    assert (
        draw(tasks_page(TASKS), "text")
        == """\
task   cases  retries  findings fed back  missing  feedback  defaults filled
full       3        2                  4        0  in full                 1
part       1        1                  1        1  in part                 -
never      1        1                  0        1  never                   -
none       1        0                  0        0  no retry                -
in full: each finding of a bad answer reached the next request
in part: some findings reached it, some did not
never: no finding reached it
no retry: no answer was bad, or nothing was asked again: the run cannot tell

task  model  failure kind  attempts
full  m-1    enum                 2
full  m-2    prose                1"""
    )


def test_the_feedback_of_a_task_has_a_colour() -> None:
    """On the page; where nothing failed there is no second table, and without a task none at all."""
    page = draw(tasks_page(TASKS[1:]), "html")
    assert [page.count(f'heat-{name}">') for name in ("good", "mixed", "bad", "none")] == [0, 1, 1, 1]
    assert draw(tasks_page(TASKS), "html").count('heat-good">') == 1
    assert "failure kind" not in page
    assert "<h1>Tasks and what their retries feed back</h1>" in page
    assert draw(tasks_page(()), "text") == "the run has no case"


def test_the_tasks_as_data() -> None:
    """Under the names of the columns."""
    assert tasks_data(TASKS[:1]) == [
        {
            "task": "full",
            "cases": 3,
            "retries": 2,
            "fed_back": 4,
            "missing": 0,
            "feedback": "in full",
            "defaults": 1,
            "failures": [
                {"model": "m-1", "kind": "enum", "attempts": 2},
                {"model": "m-2", "kind": "prose", "attempts": 1},
            ],
        }
    ]


@pytest.mark.parametrize(
    ("tried", "text", "tone"),
    [
        (Tried("pass", 4, {"prose": 1}), "pass 4/5 (38–96 %)", "good"),
        (Tried("pass", 3, {"prose": 1}), "pass 3/4 (30–95 %)", "mixed"),
        (Tried("fail:prose", 1, {"prose": 3}), "fail:prose 1/4 (5–70 %)", "mixed"),
        (Tried("fail:prose", 1, {"prose": 9}), "fail:prose 1/10 (2–40 %)", "bad"),
        (Tried("fail:prose", 0, {"prose": 1}), "fail:prose 0/1 (0–79 %)", "bad"),
        (Tried("pass"), "pass", "good"),
        (Tried("fail:prose"), "fail:prose", "bad"),
        (Tried(), "unknown", "none"),
    ],
)
def test_the_colour_of_a_cell(tried: Tried, text: str, tone: str) -> None:
    """Green from four of five, red where nearly all failed; without counts by the latest result."""
    assert cell_text(tried) == text
    assert by_task({"m": {"t": tried}}).rows == ((Foreign("m"), Cell(Foreign(text), tone)),)  # type: ignore[arg-type]


def test_the_failure_kinds_of_a_model_are_counted_over_all_tasks() -> None:
    """Sorted by name; a task that a model was not asked is unknown."""
    matrix = {
        "m1": {"t2": Tried("pass", 2, {"prose": 1, "enum": 2}), "t1": Tried("pass", 1, {"enum": 1})},
        "m2": {"t1": Tried("pass", 1)},
    }
    assert [[str(cell) for cell in row] for row in by_kind(matrix).rows] == [
        ["m1", "3", "3", "1"],
        ["m2", "1", "-", "-"],
    ]
    assert list(map(str, by_kind(matrix).head)) == ["model", "pass", "enum", "prose"]
    assert list(map(str, by_task(matrix).head)) == ["model", "t1", "t2"]
    assert by_task(matrix).rows[1][2] == Cell(Foreign("unknown"), "none")
