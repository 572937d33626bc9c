"""Scores of expected values over a run: the section at its end, `--planguard-fail-under`, and rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_planguard.report.forms import FORMS, draw
from pytest_planguard.report.pages.run import run_data, run_page
from pytest_planguard.runs.figures import figures_of_run
from pytest_planguard.runs.store.run_file import read_record
from pytest_planguard.testing.example import Run

from ...support.runs import run as run_of
from ...support.warm import WarmExample

TEST = """
import pytest
from pydantic import BaseModel
from pytest_planguard import Contract

class Ticket(BaseModel):
    title: str
    level: str

@pytest.mark.planguard(Contract(Ticket), cases="cases.jsonl", min_score=0)
def test_ticket(planguard, planguard_case):
    planguard.check(planguard_case.input)
"""


def case(name: str, level: str, expected: str = "high") -> dict[str, object]:
    """A ticket whose title is right."""
    return {"name": name, "input": {"title": name, "level": level}, "expected": {"title": name, "level": expected}}


def run(cases: list[dict[str, object]], *arguments: str, ini: str = "", test: str = TEST) -> Run:
    """Run a test of each case."""
    lines = "".join(json.dumps(case) + "\n" for case in cases)
    files = {"test_it.py": test, "cases.jsonl": lines, "pytest.ini": f"[pytest]\n{ini}"}
    return WarmExample(files).run_pytest(*arguments)


HALF = [case("a", "high"), case("b", "low"), case("c", "low"), case("d", "medium", "medium")]


def test_the_end_names_what_is_wrong_how_often() -> None:
    """Before anything else: the worst field first with its counts, then the labels that were taken for others."""
    done = run(HALF)
    assert dict(done.outcomes) == {"passed": 4}
    section = done.stdout.partition(" planguard =")[2]
    assert [line.split() for line in section.splitlines()[2:7]] == [
        ["expected", "values:", "score", "0.750", "over", "4", "cases"],
        ["field", "right", "precision", "recall"],
        ["level", "2", "of", "4", "0.50", "0.50"],
        ["title", "4", "of", "4", "1.00", "1.00"],
        ["field", "expected", "taken", "for", "times"],
    ]
    assert section.splitlines()[7].split() == ["level", "high", "low", "2"]


def test_nothing_is_listed_if_all_is_right() -> None:
    """One line says so; a run without expected values says nothing."""
    assert "expected values: score 1.000 over 1 case\n" in run([case("a", "high")]).stdout
    assert "expected values" not in run([{"name": "a", "input": {"title": "a", "level": "high"}}]).stdout


@pytest.mark.parametrize(
    ("arguments", "ini", "code"),
    [
        (("--planguard-fail-under=0.75",), "", 0),
        (("--planguard-fail-under=0.76",), "", 1),
        ((), "planguard_fail_under = 0.9", 1),
        (("--planguard-fail-under=0.5",), "planguard_fail_under = 0.9", 0),
        ((), "", 0),
    ],
)
def test_a_run_below_its_bound_fails(arguments: tuple[str, ...], ini: str, code: int) -> None:
    """Though each of its tests passes; the command line wins over the ini file."""
    done = run(HALF, *arguments, ini=ini)
    assert (dict(done.outcomes), done.returncode) == ({"passed": 4}, code)
    assert (", at least 0." in done.stdout) is bool(arguments or ini)


@pytest.mark.parametrize("bound", ["2", "-1", "much", "nan"])
def test_a_bound_is_a_score(bound: str) -> None:
    """Anything else ends the run before its first test."""
    done = run(HALF, f"--planguard-fail-under={bound}")
    assert "expected a score from 0 to 1" in done.output
    assert "passed" not in done.outcomes


def test_workers_change_nothing() -> None:
    """Rows carry the scores to where the run is controlled."""
    files = {"test_it.py": TEST, "cases.jsonl": "".join(json.dumps(case) + "\n" for case in HALF)}
    done = WarmExample(files).run_pytest("-n", "2", "--planguard-fail-under=0.8", plugins=("planguard", "xdist"))
    assert done.returncode == 1
    assert "expected values: score 0.750 over 4 cases, at least 0.8 is needed\n" in done.stdout
    assert ["level", "2", "of", "4", "0.50", "0.50"] in [line.split() for line in done.stdout.splitlines()]


def test_each_form_of_a_report_opens_with_it(tmp_path: Path) -> None:
    """Text, Markdown, page and JSON say of a failing run what the terminal said, and which values are wrong."""
    done = run(HALF, test=TEST.replace("min_score=0", "min_score=1"))
    assert dict(done.outcomes) == {"passed": 2, "failed": 2}
    done.example.write(tmp_path)
    kept = read_record(tmp_path / ".planguard/last.jsonl")
    page = run_page(kept, figures_of_run(kept))
    for form in FORMS:
        text = draw(page, form)
        at = [text.index(words) for words in ("score 0.750 over 4 cases", "precision", "taken for", "valid answers")]
        assert at == sorted(at)
        assert "wrong_value" in text
    data = run_data(kept, figures_of_run(kept))["expected"]
    assert (data["total"], data["cases"], [field["right"] for field in data["fields"]]) == (0.75, 4, [4.0, 2.0])
    assert data["confusions"] == [{"field": "level", "expected": "high", "actual": "low", "times": 2}]
    assert run_data(run_of("r", []), figures_of_run(run_of("r", [])))["expected"] is None


def test_a_row_keeps_the_score() -> None:
    """With its fields, what is wrong, and its mistakes."""
    lines = run(HALF[1:2]).example.read(".planguard/last.jsonl").splitlines()
    (score,) = json.loads(lines[1])["expected"]
    assert score["total"] == 0.5
    assert score["fields"] == [
        {"name": "title", "right": 1.0, "expected": 1, "found": 1},
        {"name": "level", "right": 0.0, "expected": 1, "found": 1},
    ]
    assert [(finding["code"], finding["path"]) for finding in score["findings"]] == [("wrong_value", ["level"])]
    assert score["mistakes"] == [{"field": "level", "expected": "high", "actual": "low"}]
