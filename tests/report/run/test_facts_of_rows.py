"""What a page says about a row, its answers and its attempts, and how much of each it shows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_planguard.document.positions import Span
from pytest_planguard.replay.session.rerecord import RerecordHint
from pytest_planguard.report.comparison_words import DiffReport
from pytest_planguard.report.forms.html import answer_limit, history_chart, render_html
from pytest_planguard.report.forms.html_cases import Mark, MarkedPiece, about, about_attempt, headline, marked, shown
from pytest_planguard.report.page import Case, Cases, Foreign, Group, Page
from pytest_planguard.report.pages.comparison import comparison_page
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.model.broken_rules import Broken
from pytest_planguard.runs.model.judged_answers import AttemptRow, FedBackRow, Judged, Said
from pytest_planguard.runs.model.run import CaseRow
from pytest_planguard.runs.store.store import RunPoint
from pytest_planguard.runs.value_diff import ChangeKind, FieldChange
from pytest_planguard.statistics import Rate

from ...support.runs import attempt, bad, case, finding, good, run
from ..html_reader import Reader

ROW = CaseRow("k", "test_x.py::k", model="m", variant="v", cassette="c.yaml", stale=("one", "two"))


@pytest.mark.parametrize(
    ("row", "number", "total", "models", "lines"),
    [
        (ROW, 1, 1, (), ["test_x.py::k", "m", "v", "cassette c.yaml", "stale: one", "stale: two"]),
        (ROW, 2, 3, ("m",), ["sample 2 of 3", "test_x.py::k", "v", "cassette c.yaml", "stale: one", "stale: two"]),
        (replace(ROW, stale=()), 1, 1, ("m", "n"), ["test_x.py::k", "m", "v", "cassette c.yaml"]),
        (CaseRow("k", "k", cassette="k"), 1, 1, (), []),
        (CaseRow("k", "t", model="t", variant="t"), 1, 1, (), ["t"]),
        (CaseRow("k", "k", variant="m"), 1, 1, ("m",), []),
        (CaseRow("k", "k", rerecord=RerecordHint("pytest k", 0)), 1, 1, (), ["re-record: pytest k"]),
    ],
)
def test_where_a_row_is_from(row: CaseRow, number: int, total: int, models: tuple[str, ...], lines: list[str]) -> None:
    """What the key or the head of the page says already is not said again."""
    assert about(row, number, total, models) == lines


@pytest.mark.parametrize(
    ("judged", "head"),
    [
        (Judged((), "false_convergence", ok=False, contract="Ticket"), "conversation 1 by Ticket: false convergence"),
        (Judged((), "", ok=False, name="2"), "conversation 2: not judged"),
        (Judged((), "valid", ok=True, contract="plan", single=True), "answer by plan: valid"),
    ],
)
def test_the_head_of_an_answer(judged: Judged, head: str) -> None:
    """A conversation by its name, its contract and its outcome."""
    assert headline(judged) == head


@pytest.mark.parametrize(
    ("changed", "facts"),
    [
        ({}, ""),
        ({"model": "m"}, ""),
        ({"model": "n"}, "n"),
        ({"finish": "stop"}, ""),
        ({"finish": "length"}, "finish length"),
        ({"input_tokens": 1_000, "output_tokens": 200}, "1,200 tokens"),
        ({"output_tokens": 0}, "0 tokens"),
        ({"latency_s": 1_234.56}, "1,234.6 s"),
        ({"latency_s": 0.0}, "0.0 s"),
        ({"kind": "schema_echo"}, "schema echo"),
        (
            {"model": "n", "finish": "length", "input_tokens": 1, "latency_s": 1.0, "kind": "x", "calls": (("a",),)},
            "n, finish length, 1 token, 1.0 s, x, calls a",
        ),
    ],
)
def test_the_facts_of_an_attempt(changed: dict[str, object], facts: str) -> None:
    """What is as usual or unknown is left out."""
    made = replace(AttemptRow("1", ok=True), **changed)  # type: ignore[arg-type]
    assert about_attempt(made, "m") == facts


def test_how_much_of_an_attempt_is_shown() -> None:
    """Fifty findings and grades, and ten messages; a grade without a finding of its own has no number."""
    findings = tuple(finding("x", ("a", n)) for n in range(51))
    told = tuple(FedBackRow("x", ("a", n), "weak", evidence="word") for n in (3, 3, *range(50)))
    messages = tuple(Said("user", f"word {n}") for n in range(11))
    made = shown(replace(attempt("{}", *findings), fed_back=told, next_request=messages), 100)
    assert (len(made.findings), len(made.fed_back), len(made.messages)) == (50, 50, 10)
    assert [number for number, *_ in made.fed_back[:6]] == [4, None, 1, 2, 3, None]
    assert made.messages[0][1][0] == MarkedPiece(
        "word", tuple(sorted({4, *range(1, 49)})), tuple(sorted({4, *range(1, 49)}))
    )
    assert made.messages[1] == ("user", (MarkedPiece("word 1"),))


def test_marks_at_the_edges_of_an_answer() -> None:
    """A point keeps its place, two marks may begin together, and one at the very end is shown."""
    assert marked("abc", [Mark(1, 1, 1), Mark(3, 3, 2)], 9) == (
        MarkedPiece("a"),
        MarkedPiece("", (1,), (1,)),
        MarkedPiece("bc"),
        MarkedPiece("", (2,), (2,)),
    )
    assert marked("abcd", [Mark(0, 2, 2), Mark(0, 4, 1), Mark(9, 9, 3)], 9) == (
        MarkedPiece("ab", (2, 1), (2, 1)),
        MarkedPiece("cd", (1,)),
    )
    assert marked("abcd", [Mark(2, 4, 1), Mark(3, 4, 2)], 2) == (
        MarkedPiece("ab"),
        MarkedPiece("\n… (2 more characters)"),
    )
    assert marked("", [Mark(0, 0, 1)], 9) == (MarkedPiece("", (1,), (1,)),)


@pytest.mark.parametrize(
    ("answers", "limit"), [(0, 20_000), (1, 20_000), (600, 20_000), (601, 19_966), (30_000, 400), (30_001, 400)]
)
def test_how_much_of_each_answer_fits_on_a_page(answers: int, limit: int) -> None:
    """Twelve million characters in all, and four hundred of each."""
    row = case("k", *[attempt("1")] * answers)
    assert answer_limit([Case("k", sides=(("", (row,)),))]) == limit


def test_the_bars_of_the_kept_runs() -> None:
    """A run without a good case has a bar too; times and numbers are in words."""
    points = [
        RunPoint("a", "2026-11-20T10:00:59", Rate(0, 1_000)),
        RunPoint("b", None, Rate(1_000, 1_000)),
        RunPoint("c", None, Rate(0, 0)),
        RunPoint("d", None, Rate(1, 40)),
    ]
    chart = history_chart(points)
    assert chart == {
        "bars": [
            {"x": 0, "y": 46.5, "height": 1.5, "words": "a, 2026-11-20 10:00: 0 of 1,000 good (0 %)"},
            {"x": 16, "y": 0.0, "height": 48.0, "words": "b: 1,000 of 1,000 good (100 %)"},
            {"x": 32, "y": 46.5, "height": 1.5, "words": "c: 0 of 0 good (0 %)"},
            {"x": 48, "y": 46.5, "height": 1.5, "words": "d: 1 of 40 good (2 %)"},
        ],
        "width": 60,
        "height": 48,
        "words": "Good cases over the last 4 kept runs, oldest first: 0 %, 100 %, 0 %, 2 %",
    }
    assert history_chart(points[:1]) is None


def summary(one: Case) -> str:
    """The line of a case on a page."""
    page = render_html(Page("", blocks=(Cases((Group("failing", "failing", (one,)),)),)))
    return Reader(page.partition("<summary>")[2].partition("</summary>")[0]).text


CHANGE = FieldChange(ChangeKind.CHANGED, ("a",), ("a",), 1, 2, "a")


@pytest.mark.parametrize(
    ("case_", "words"),
    [
        (Case("k", details=("total: wrong",), why="why"), "k total: wrong"),
        (Case("k", why=Foreign("why"), rules=(("breaks", Broken("x")),)), "k why; breaks x"),
        (
            Case("k", rules=(("breaks", Broken("x")), ("breaks", Broken("y")), ("fixes", Broken("z")))),
            "k breaks x, y; fixes z",
        ),
        (Case("k"), "k"),
    ],
)
def test_the_line_of_a_case(case_: Case, words: str) -> None:
    """The words of its findings, or else the most important fact."""
    assert summary(case_) == words


def test_a_change_that_affects_a_rule_is_the_most_important_fact() -> None:
    """Any other change is told only where nothing else is known."""
    before, after = good("k", '{"a": 1}'), good("k", '{"a": 2}')
    (group,) = (b for b in comparison_page(DiffReport(compare(run("a", [before]), run("b", [after])))).blocks
                if isinstance(b, Cases))  # fmt: skip
    (one,) = group.every()
    assert summary(one) == "changed but valid k a: 1 → 2"
    (answer,) = one.answers
    with_why = replace(one, why="why")
    assert summary(with_why) == "changed but valid k why"
    breaking = replace(answer, changes=(*answer.changes, replace(CHANGE, where="b", breaks=("x",))))
    assert summary(replace(with_why, answers=(breaking,))) == "changed but valid k b: 1 → 2 (breaks x)"
    fixing = replace(answer, changes=(replace(CHANGE, fixes=("x",)),))
    assert summary(replace(with_why, answers=(fixing,))) == "changed but valid k a: 1 → 2 (fixes x)"


def test_the_parts_of_a_long_name_may_break() -> None:
    """Behind each folder and class, and before the parameter."""
    page = render_html(
        Page("", blocks=(Cases((Group("failing", "failing", (Case("t/a.py::T::x[1/2]"), Case("b/c"))),)),))
    )
    assert (
        '<span class="file">t/<wbr>a.py::<wbr><wbr></span><span class="test">T::<wbr>x<wbr>[1/<wbr>2]<wbr></span>'
        in page
    )
    assert '<bdi class="key"><span class="test">b/<wbr>c<wbr></span></bdi>' in page


def test_the_filters_of_a_page_have_its_rules_and_models() -> None:
    """Each once, sorted; one model alone is no choice."""
    rows = [bad("a", model="m2"), bad("b", code="enum", model="m1")]
    pages = [
        render_html(comparison_page(DiffReport(compare(run("x", []), run("y", found))))) for found in (rows, rows[:1])
    ]
    options = [Reader(page).text.partition("rule any ")[2].partition(" text clear")[0] for page in pages]
    assert options == ["enum missing model any m1 m2", "missing"]


def test_a_span_of_a_finding_past_its_value_marks_one_word() -> None:
    """The text of the page has the number of the finding at its place."""
    found = replace(finding("x", ("a",)), span=Span(1, 7))
    made = shown(attempt('{"a": true, "b": 1}', found), 100)
    assert [(piece.text, piece.begins) for piece in made.answer] == [
        ('{"a": ', ()), ("true", (1,)), (', "b": 1}', ()),
    ]  # fmt: skip
