"""The page of a run, of a session and of kept runs: its words, its groups, and what is counted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_planguard.contract.comparison.score import FieldScore, Mistake, SuiteScore
from pytest_planguard.replay.session.rerecord import RerecordHint
from pytest_planguard.report.forms import draw
from pytest_planguard.report.forms.text import block_lines
from pytest_planguard.report.page import Case, Cases, Page, plain
from pytest_planguard.report.pages.run import (
    case_of,
    good_line,
    model_table,
    outcome_line,
    run_data,
    run_page,
    runs_page,
    score_blocks,
    score_data,
    session_page,
)
from pytest_planguard.runs.figures import ModelFailures, RunFigures, figures_of_run
from pytest_planguard.runs.gate.known_failures import BaselineReport, KnownFailure
from pytest_planguard.runs.model.run import CaseRow, RunHeader, SamplesRow
from pytest_planguard.statistics import Rate

from ...support.runs import attempt, bad, case, finding, good, run
from ..diffs import NOW

STALE = good("old", stale=("the prompt changed", "and more"))
MISTAKE = Mistake("vendor", "Acme", "Apex")


def figures(hits: int, total: int, stale: int = 0) -> RunFigures:
    """The figures of a run of which only the good and the stale cases are known."""
    return RunFigures(Rate(hits, total), stale, (), (), ())


def cases_of(page: Page) -> dict[str, list[Case]]:
    """The cases of a page by the title of their group."""
    blocks = (block for block in page.blocks if isinstance(block, Cases))
    return {group.title: list(group.cases) for block in blocks for group in block.groups}


@pytest.mark.parametrize(
    ("found", "line"),
    [
        (figures(14, 20), "good: 14 of 20 (70 %, 95 % interval 48 to 85 %)"),
        (figures(1, 1, 1_000), "good: 1 of 1 (100 %, 95 % interval 21 to 100 %); stale: 1,000"),
        (figures(0, 0), "good: nothing was judged"),
        (figures(0, 0, 1), "good: none proven: the only case is stale"),
        (figures(0, 0, 2), "good: none proven: all 2 cases are stale"),
    ],
)
def test_the_line_of_good_cases(found: RunFigures, line: str) -> None:
    """A stale case proves nothing, so a run of stale cases is not good."""
    assert good_line(found) == line


def test_the_outcomes_of_a_run() -> None:
    """In words, with their numbers."""
    ended = replace(figures(0, 0), outcomes=(("false_convergence", 1_200), ("stuck", 3)))
    assert plain(outcome_line(ended)) == "1,200 false convergence, 3 stuck"
    assert outcome_line(figures(0, 0)) == "none"


@pytest.mark.parametrize(
    ("rows", "word"),
    [([good("a")], "PASS"), ([bad("a"), good("b")], "FAIL"), ([STALE], "UNPROVEN"), ([], "UNPROVEN")],
)
def test_the_conclusion_of_a_run(rows: list[CaseRow], word: str) -> None:
    """A failing case fails it, and without a judged case nothing is proven."""
    found = run("x", rows)
    page = run_page(found, figures_of_run(found))
    assert page.verdict is not None
    assert page.verdict.word == word


def test_a_case_of_a_run_says_what_a_reader_needs() -> None:
    """Its reason, its model beside a variant, its samples and its findings; each fact apart."""
    row = bad("k", model="m", variant="v", samples=SamplesRow(3, 5), for_model="fast")
    made = case_of(row, "failing", "why not")
    assert (plain(made.mark), plain(made.why), made.label, made.fails) == (" (m)", "why not", "failing", True)
    assert list(map(plain, made.details)) == [
        "samples: 3 of 5 (60 %, 95 % interval 23 to 88 %) good; pass@2 0.90, pass^2 0.30",
        "a: wrong",
    ]
    assert (made.identity, made.models, made.sides) == (("k", "fast", "v"), ("m",), (("", (row,)),))
    assert [(verb, str(rule)) for verb, rule in made.rules] == [("breaks", "missing at a")]
    plain_one = case_of(good("k", model="m"), "good")
    assert (plain_one.mark, plain_one.why, plain_one.fails, plain_one.identity) == ("", "", False, ("k", "m", ""))
    assert case_of(good("k", variant="v"), "good").mark == ""


def test_a_stale_case_says_its_first_reason_and_the_command() -> None:
    """It breaks nothing, since it proves nothing."""
    hint = RerecordHint("pytest x", 2)
    found = run("x", [replace(STALE, rerecord=hint), replace(bad("b"), rerecord=hint), good("c")])
    groups = cases_of(run_page(found, figures_of_run(found)))
    assert {title: [one.key for one in cases] for title, cases in groups.items()} == {
        "failing": ["b"],
        "stale": ["old"],
        "good": ["c"],
    }
    (old,), (failing,) = groups["stale"], groups["failing"]
    assert plain(old.why) == "the prompt changed; re-record: pytest x # about 2 calls"
    assert (old.rules, failing.why) == ((), "")


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (replace(STALE, result="failed"), "stale cassette: the prompt changed"),
        (replace(bad("a"), result="failed", outcome="unrecorded", judged=()), "no cassette yet"),
        (replace(bad("a"), result="failed", outcome="ambiguous"), "the test failed"),
        (CaseRow("a", "test_x.py::a", result="failed"), ""),
        (replace(bad("a"), result="failed"), ""),
        (replace(good("a"), result="error"), ""),
    ],
)
def test_why_a_test_of_a_session_fails(row: CaseRow, why: str) -> None:
    """Its cassette, or the test itself, unless a rule says it."""
    ((found,),) = cases_of(session_page(run("x", [row]), passed=False)).values()
    assert plain(found.why) == why


def test_the_lead_of_a_session_counts() -> None:
    """Failing cases without known ones, known ones, stale ones."""
    rows = [replace(bad(key), result=result) for key, result in (("a", "failed"), ("b", "error"), ("c", "passed"))]
    leads = [
        session_page(run("x", found), passed=False, known=known).lead
        for found, known in (
            (rows, ()),
            (rows, {"test_x.py::a"}),
            (rows, {"test_x.py::a", "test_x.py::b"}),
            ([*rows[2:], STALE], ()),
        )
    ]
    assert leads == [
        "2 of 3 cases fail",
        "1 of 3 cases fails, 1 known failure",
        "0 of 3 cases fail, 2 known failures",
        "0 of 2 cases fail, 1 stale",
    ]


def test_a_session_begins_with_what_is_known_about_its_code() -> None:
    """A session that passed says so, and an unknown commit is told; nothing is listed that there is not."""
    page = session_page(run("x", [good("a")]), passed=True)
    text = draw(page, "text")
    assert text == (
        "unknown commit: 0 of 1 case fail\noutcomes: 1 converged\n\n"
        "model      good cases  valid answers\n(unknown)         1/1            1/1\n\nPASS"
    )
    baseline = BaselineReport(new=(KnownFailure("a", "enum"),))
    known = draw(session_page(run("x", []), passed=False, baseline=baseline, path="k.json"), "text")
    assert "to do about the baseline:\n  1 failure not listed: fix, or list with --planguard-baseline-update" in known
    well = draw(session_page(run("x", []), passed=True, baseline=BaselineReport(), hints=("run `x`",)), "text")
    assert "to do" not in well
    assert "Cassettes:\n\nrun 'x'" in well


@pytest.mark.parametrize(
    ("number", "title"), [(0, "No run is kept"), (1, "1 kept run"), (2, "2 kept runs"), (1_000, "1,000 kept runs")]
)
def test_the_title_of_the_kept_runs(number: int, title: str) -> None:
    """Their number, in words for none and one."""
    page = runs_page([(RunHeader("x"), figures(0, 0))] * number)
    assert (page.title, len(page.blocks)) == (title, min(number, 1))


def test_the_columns_of_a_kept_run() -> None:
    """What is unknown is a dash, and stale cases alone prove nothing."""
    header = RunHeader("x", created="2026-11-20T10:00:59", commit="0123456789abcdef", dirty=True)
    rows = [
        (header, figures(2, 3, 1_000)),
        (replace(header, dirty=False, created=None), figures(1_000, 1_000)),
        (RunHeader("z"), figures(0, 0, 2)),
        (RunHeader("z"), figures(0, 0)),
    ]
    lines = list(block_lines(runs_page(rows).blocks))
    assert [" ".join(line.split()) for line in lines] == [
        "run written commit good judged stale",
        "x 2026-11-20 10:00 0123456789ab with changes 67 % 3 1,000",
        "x - 0123456789ab 100 % 1,000 -",
        "z - - unproven 0 2",
        "z - - - 0 -",
    ]


def test_rare_kinds_share_a_column() -> None:
    """Eight kinds have one each."""
    kinds = tuple((f"k{n}", 9 - n) for n in range(10))
    eight, ten = (
        replace(figures(0, 0), models=(ModelFailures("m", Rate(1_000, 2_000), Rate(0, 3), kinds[:n]),)) for n in (8, 10)
    )
    heads = [[plain(cell) for cell in next(model_table(found)).head] for found in (eight, ten)]  # type: ignore[arg-type]
    assert heads[0] == ["model", "good cases", "valid answers", *(f"k{n}" for n in range(8))]
    assert heads[1] == [*heads[0], "other"]
    (row,) = next(model_table(ten)).rows
    assert [str(cell) for cell in row] == ["m", "1,000/2,000", "0/3", "9", "8", "7", "6", "5", "4", "3", "2", "1"]
    assert list(model_table(figures(0, 0))) == []


def score(fields: int, confusions: int = 0, right: float = 0.5) -> SuiteScore:
    """The score of two cases with so many fields and confusions, the last field the worst."""
    of_fields = tuple(FieldScore(f"f{n:02}", right - n / 1_000, 1_000, 1) for n in range(fields))
    return SuiteScore(2, 0.25, of_fields, tuple((replace(MISTAKE, actual=str(n)), n) for n in range(confusions)))


def test_the_fields_of_a_score() -> None:
    """The worst first; twenty are listed, and the rest is counted."""
    lines = list(block_lines(score_blocks(score(20, 10), 0.5)))
    assert lines[0] == "expected values: score 0.250 over 2 cases, at least 0.5 is needed"
    assert lines[1].split() == ["field", "right", "precision", "recall"]
    assert lines[2].split() == ["f19", "0.481", "of", "1,000", "0.48", "0.00"]
    assert (len(lines), lines[-11].split()) == (33, ["field", "expected", "taken", "for", "times"])
    cut = list(block_lines(score_blocks(score(22, 11))))
    assert cut[0] == "expected values: score 0.250 over 2 cases"
    assert cut[22] == "and 2 more"
    assert len(cut) == 34


def test_a_perfect_score_has_no_table() -> None:
    """Nothing is wrong, and without expected values there is no score."""
    perfect = SuiteScore(1, 1.0, (FieldScore("a", 1.0, 1, 1),), ())
    assert list(block_lines(score_blocks(perfect))) == ["expected values: score 1.000 over 1 case"]
    assert list(score_blocks(None)) == []


def test_a_score_as_data() -> None:
    """All its figures, under the names of the published shape."""
    found = SuiteScore(2, 0.25, (FieldScore("vendor", 1.0, 4, 2),), ((MISTAKE, 3),))
    assert score_data(found) == {
        "cases": 2,
        "total": 0.25,
        "fields": [{"name": "vendor", "right": 1.0, "expected": 4, "found": 2, "precision": 0.5, "recall": 0.25}],
        "confusions": [{"field": "vendor", "expected": "Acme", "actual": "Apex", "times": 3}],
    }
    assert score_data(None) is None


def test_a_run_as_data() -> None:
    """Every fact of its page."""
    rows = [bad("a", model="m"), case("b", attempt("1", finding("enum")), attempt("2"), model="m")]
    found = replace(run("x", rows, commit="0"), problems=("a line is cut",))
    assert run_data(found, figures_of_run(found)) == {
        "schema": 1,
        "name": "x",
        "created": None,
        "commit": "0",
        "dirty": None,
        "good": {"hits": 1, "total": 2},
        "stale": 0,
        "stale_cases": [],
        "outcomes": {"exhausted": 1, "converged": 1},
        "rules": {"missing": 1},
        "expected": None,
        "models": [
            {
                "model": "m",
                "good": {"hits": 1, "total": 2},
                "valid_answers": {"hits": 1, "total": 3},
                "kinds": {"content": 2},
            }
        ],
        "notes": ["a line is cut"],
    }


def test_the_page_of_a_run_has_its_facts_in_order() -> None:
    """Its code, its outcomes, the broken rules; and its notes."""
    found = run("x", [bad("a"), bad("b", code="enum"), bad("c")], created="2026-11-20T10:00:00+00:00")
    text = draw(run_page(replace(found, problems=("a note",)), figures_of_run(found), NOW), "text")
    assert text.split("\n")[:4] == [
        "x: good: 0 of 3 (0 %, 95 % interval 0 to 56 %)",
        "run: 2026-11-20 10:00 (1 day old)",
        "outcomes: 3 exhausted",
        "broken: missing in 2, enum in 1",
    ]
    assert text.endswith("\n\nnote: a note\n\nFAIL")
