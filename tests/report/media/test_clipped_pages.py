"""Texts without end on whole pages and in the files of a build: each is cut to the length that its place has."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from pytest_planguard.contract.comparison.score import FieldScore, Mistake, SuiteScore
from pytest_planguard.contract.strength.measure import Equivalent, Strength
from pytest_planguard.plan_search.experiment import Experiment, Trial
from pytest_planguard.plan_search.loop import search
from pytest_planguard.plan_search.result import StepError
from pytest_planguard.plan_search.step import SearchConfig
from pytest_planguard.plans.judging.judge_files import PlanReport
from pytest_planguard.plans.plan import Plan, Ref, Task
from pytest_planguard.plans.plan_graph import graph_of
from pytest_planguard.report.annotations import all_annotations, render_github
from pytest_planguard.report.ci_files import render_junit, render_sarif
from pytest_planguard.report.comparison_words import DiffReport
from pytest_planguard.report.forms import draw
from pytest_planguard.report.forms.html import history_chart
from pytest_planguard.report.page import Page, plain
from pytest_planguard.report.pages.comparison import (
    StrategyReport,
    comparison_page,
    figures_table,
    render_task,
    strategies_page,
    weakened_blocks,
)
from pytest_planguard.report.pages.run import score_blocks
from pytest_planguard.report.pages.search import scorecard, scorecard_page, search_page
from pytest_planguard.report.pages.strength import strength_page
from pytest_planguard.report.plan_picture import remarks
from pytest_planguard.report.plan_text import plan_headline
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.compare.deltas import compare_strategies
from pytest_planguard.runs.compare.run_diff import Axis, Bucket, CaseDiff, Figure, ValueDiff, VerdictTable
from pytest_planguard.runs.gate.gate import GateResult
from pytest_planguard.runs.gate.known_failures import Baseline, KnownFailure
from pytest_planguard.runs.gate.schema_changes import Effect, SchemaChange
from pytest_planguard.runs.gate.tree_facts import ContractChange
from pytest_planguard.runs.gate.weakening import Weakening
from pytest_planguard.runs.model.judged_answers import CheckRow
from pytest_planguard.runs.store.store import RunPoint
from pytest_planguard.runs.value_diff import UnstableList
from pytest_planguard.statistics import Rate

from ...plan_search.pipelines import Scripted
from ...support.runs import bad, finding, good, run
from ..clipping import A, B, C, D, E, F, lengths
from ..diffs import report
from .test_clipped import COMPARED


def _comparison(form: str, **changed: object) -> str:
    diff = replace(COMPARED, **changed)  # type: ignore[arg-type]
    return draw(comparison_page(DiffReport(diff)), form)


def _weakened() -> str:
    accepted = KnownFailure("x", "y", owner=D, reason=E)
    found = (Weakening(A, "check", B), Weakening("c", "check", "w", accepted=accepted))
    change = ContractChange(C, schema=(SchemaChange("a", "b", Effect.WIDER),), accepts=(F,))
    held = DiffReport(COMPARED, GateResult(weakened=found), contracts=(change,))
    return draw(Page("", blocks=tuple(weakened_blocks(held))), "markdown")


def _case_of(value: ValueDiff) -> str:
    return _comparison("markdown", cases=(CaseDiff("k", Bucket.CHANGED_VALID, values=(value,)),))


def _strategies() -> str:
    runs = [run(A, [good("k")]), run(B, [bad("k")])]
    found = StrategyReport(compare_strategies(runs), (compare(*runs),), (C,))
    return draw(strategies_page(found), "markdown").split("Which gets more tasks valid")[1]


def _score() -> str:
    score = SuiteScore(1, 0.5, (FieldScore(A, 0.5, 1, 1),), ((Mistake(B, C, D), 1),))
    return draw(Page("", blocks=tuple(score_blocks(score))), "markdown")


def _search() -> str:
    result = search(Scripted({"g_plan": ["x", "ok"]}).steps, SearchConfig(escalates=False))
    nodes = [replace(node, step=B, answer=C, findings=(finding(D, (E,)),) * 5) for node in result.tree.nodes]
    tree = replace(result.tree, nodes=tuple(nodes))
    return draw(search_page(replace(result, policy=A, tree=tree, path=tree.nodes[:1], bound_by=(F,))), "markdown")


def _broken_search() -> str:
    result = search(Scripted({"g_analysis": ["raise"]}).steps, SearchConfig(escalates=False))
    return draw(search_page(replace(result, error=StepError("s", "ask", A))), "text")


def _strength() -> str:
    unused = (Equivalent("drop", A, "a reason"),)
    found = Strength(B, 1, (C,) * 6, {"drop": 1}, {"drop": 1}, (), 0, unused)
    return draw(strength_page(found), "text")


def _conversations() -> str:
    row = bad("k", code=A, path=(B,))
    (judged,) = row.judged
    answer = replace(judged.attempts[0], findings=(finding(A, (B,), C),))
    row = replace(row, judged=(replace(judged, attempts=(answer,), checks=(CheckRow("x", "fail", D),)),))
    page = draw(comparison_page(report(compare(run("a", [good("k")]), run("b", [row])))), "html")
    return page.partition('<div class="sides">')[2].partition("</main>")[0]


def _baseline() -> DiffReport:
    """Return a comparison whose baseline has a case without end."""
    entry = KnownFailure(A, B, expires="2026-01-01", owner=C)
    return report(compare(run("a", []), run("b", [bad(A, code=B, path=())])), baseline=Baseline((entry,)))


def _shared_file() -> str:
    tasks = (Task("a", "a", "", files=(Ref(A),)), Task("b", "b", "", files=(Ref(A),)))
    return "\n".join(remarks(graph_of(Plan("task-list", "", tasks=tasks, find=lambda _: {}))))


def _verdict_field() -> str:
    return _comparison("markdown", verdicts=(VerdictTable(A, 1, (), 0, 0),))


CUT: dict[str, tuple[Callable[[], str], dict[str, int]]] = {
    "runs in the title": (
        lambda: draw(comparison_page(DiffReport(compare(run(A, [good("k")]), run(B, [good("k")])))), "markdown"),
        {"A": 120, "B": 120},
    ),
    "an axis and a note": (
        lambda: _comparison("text", axes=(Axis(A, (B,), (C,)),), notes=(D,)),
        {"A": 120, "B": 240, "C": 240, "D": 400},
    ),
    "a verdict field": (_verdict_field, {"A": 120}),
    "a rule": (lambda: _comparison("markdown", rules=(replace(COMPARED.overall, rule=A),)), {"A": 120}),
    "a list without stable ids": (
        lambda: _case_of(ValueDiff(A, unstable=(UnstableList((), (), B, 1, 2, 3),))),
        {"B": 60},
    ),
    "the gate's reasons": (
        lambda: draw(comparison_page(DiffReport(COMPARED, GateResult((A,)))), "markdown"),
        {"A": 400},
    ),
    "what is weakened": (_weakened, {"A": 400, "C": 400, "D": 60, "E": 240}),
    "a table of figures": (
        lambda: plain(next(figures_table([Figure(A, 1.0, 2.0)])).rows[0][0]),  # type: ignore[arg-type]
        {"A": 120},
    ),
    "one task": (lambda: render_task(COMPARED.cases[0], A), {"A": 160}),
    "strategies": (_strategies, {"A": 240, "B": 240, "C": 400}),
    "a score": (_score, {"A": 60, "B": 60, "C": 240, "D": 240}),
    "a search": (_search, {"A": 40, "B": 40, "C": 200, "D": 40, "E": 60, "F": 80}),
    "a search that failed": (_broken_search, {"A": 200 - len("ask of step 's' raised ")}),
    "a policy that is not compared": (
        lambda: draw(scorecard_page(scorecard(Experiment((Trial("p", A, 0, False, 30, "", misses=9),)))), "text").split(
            "note: "
        )[1],
        {"A": 40},
    ),
    "the strength of a contract": (_strength, {"A": 80, "B": 80, "C": 80}),
    "conversations on a page": (_conversations, {"A": 80, "B": 120, "C": 400, "D": 397}),
    "a kept run": (
        lambda: str(history_chart([RunPoint(A, None, Rate(1, 2)), RunPoint("b", B, Rate(1, 2))])),
        {"A": 80},
    ),
    "the kind of a plan": (lambda: plan_headline(PlanReport(None, "", Plan(A, ""))), {"A": 60}),
    "a file of two tasks": (_shared_file, {"A": 100}),
    "an entry in a list of annotations": (
        lambda: next(each for each in all_annotations(_baseline()) if each.kind == "expired").subject,
        {"A": 400},
    ),
    "a file that is not judged": (
        lambda: next(all_annotations(DiffReport(COMPARED, unjudged=((A, B),)))).message,
        {"A": 600},
    ),
    "reasons as annotations": (
        lambda: render_github(DiffReport(COMPARED, GateResult((A,)))),
        {"A": 400},
    ),
    "notes for code scanning": (
        lambda: render_sarif(DiffReport(replace(COMPARED, notes=(A,))), "1").replace("\\u2026", "…"),
        {"A": 400},
    ),
    "rules of a case in JUnit": (
        lambda: re.findall(r'planguard_rules" value="([^"]*)', render_junit(_five_rules()))[0],
        {"A": 120, "B": 120, "C": 120, "D": 34},
    ),
    "the file of a case in JUnit": (
        lambda: re.findall(r'classname="([^"]*)', render_junit(_of_file()))[0],
        {"A": 200},
    ),
}


def _five_rules() -> DiffReport:
    rows = [replace(bad("k"), judged=tuple(bad("k", code=code, path=()).judged[0] for code in (A, B, C, D, E)))]
    return report(compare(run("a", []), run("b", rows)))


def _of_file() -> DiffReport:
    return report(compare(run("a", []), run("b", [replace(bad("k"), test=f"{A}.py::test_k")])))


@pytest.mark.parametrize("what", CUT)
def test_a_text_without_end_is_cut(what: str) -> None:
    """With an ellipsis, which counts too."""
    make, expected = CUT[what]
    assert lengths(make()) == expected
