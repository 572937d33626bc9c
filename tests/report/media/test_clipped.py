"""Texts of a model, a file or a user on one line: each is cut to the length that its place has room for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from pytest_planguard.contract.finding import Related
from pytest_planguard.document.positions import Span
from pytest_planguard.document.words import ChangePart, ChangePiece
from pytest_planguard.plan_search.experiment import Experiment, Trial
from pytest_planguard.plans.plan import Plan, Task
from pytest_planguard.plans.plan_graph import graph_of
from pytest_planguard.replay.session.rerecord import RerecordHint
from pytest_planguard.report.annotations import Annotation, all_annotations, command, render_github
from pytest_planguard.report.case_words import (
    about_run,
    baseline_head,
    broken_text,
    entry_line,
    fed_back_text,
    finding_line,
    known_reason,
    left_out,
    missing_lines,
    models_of,
    rule_help,
)
from pytest_planguard.report.change_text import change_line, new_rows, pieces_of, render_change
from pytest_planguard.report.ci_files import junit_properties, render_junit, render_sarif
from pytest_planguard.report.comparison_words import DiffReport, figure_cells, rerecord_text
from pytest_planguard.report.conversation import failure_reason, missing_text, render_conversation
from pytest_planguard.report.finding_text import named, place, render_finding, render_findings, verdict_head
from pytest_planguard.report.forms import draw
from pytest_planguard.report.forms.html_cases import about, about_attempt, headline, shown
from pytest_planguard.report.page import (
    Answer,
    Case,
    Cases,
    Cell,
    Facts,
    Foreign,
    Group,
    Node,
    Page,
    Rewritten,
    Table,
    Tree,
    Words,
    plain,
)
from pytest_planguard.report.pages.run import run_page, runs_page, session_page
from pytest_planguard.report.pages.search import experiment_svg, scorecard, scorecard_page
from pytest_planguard.report.plan_picture import draw_graph
from pytest_planguard.report.plan_picture import headline as plan_title
from pytest_planguard.retry.outcomes import CheckStatus, Firmness, Grade
from pytest_planguard.retry.results import Attempt, Check, FedBack
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.compare.run_diff import Figure
from pytest_planguard.runs.figures import figures_of_run
from pytest_planguard.runs.gate.known_failures import Baseline, KnownFailure
from pytest_planguard.runs.model.broken_rules import Broken
from pytest_planguard.runs.model.judged_answers import FedBackRow, Judged, Said
from pytest_planguard.runs.model.run import CaseRow, RunHeader
from pytest_planguard.runs.value_diff import ChangeKind, FieldChange
from pytest_planguard.wire.exchange import Exchange

from ...support.runs import attempt, bad, case, finding, good, run
from ...support.verdicts import BAD, PRIORITY, STEPS, lost_retry, verdict
from ...support.verdicts import attempt as made
from ..clipping import A, B, C, D, E, F, lengths
from ..diffs import report

COMPARED = compare(run("a", [good("k")]), run("b", [good("k")]))
"""Two runs of a case that did not change."""


def _finding_in_full() -> str:
    related = (Related(E, (D,)),)
    found = replace(PRIORITY, path=(A,), message=B, code=C, hint=F, related=related, span=None)
    return render_finding(found, "")


def _conversation() -> str:
    told = FedBack(replace(STEPS, path=("x",)), 1, Grade.FED_BACK, Firmness.LOCATED, evidence=E, reason=F)
    first = made(1, verdict(BAD, replace(STEPS, path=("x",), span=None)), told)
    check = Check(C, CheckStatus.FAIL, D, (B,))
    return render_conversation(
        replace(lost_retry(), contract=A, checks=(check,), attempts=(first, *lost_retry().attempts[1:]))
    )


def _page_of(block: object, form: str) -> str:
    return draw(Page("", blocks=(block,)), form)  # type: ignore[arg-type]


def _case(form: str) -> str:
    change = FieldChange(ChangeKind.CHANGED, ("a",), ("a",), 1, 2, B)
    answers = (Answer((change,), name=C), Answer((), figures=((Foreign(D), "1", "2", "+1"),)))
    one = Case(A, why=Foreign(E), rules=(("breaks", Broken(F)),), answers=answers)
    return _page_of(Cases((Group("failing", "failing", (one,)),)), form)


def _junit() -> str:
    row = replace(bad(A, code=B, path=(), model=C), outcome=D)
    return render_junit(report(compare(run("a", []), run("b", [row]))))


def _row() -> CaseRow:
    rerecord = RerecordHint(f"pytest {A}", 0)
    return replace(good("a", model=B, stale=(C,)), test=D, cassette=E, variant=F, rerecord=rerecord)


def _run_page() -> str:
    rows = [bad("a", code=A, path=(), outcome=B), good("b", model=E, variant=E), good("c", stale=(C,))]
    found = replace(run(D, rows), problems=(F,))
    return draw(run_page(found, figures_of_run(found)), "text")


def _facts_of_run() -> list[Words]:
    found = run("x", [bad("a", code=A, path=())])
    (facts,) = (block for block in run_page(found, figures_of_run(found)).blocks if isinstance(block, Facts))
    return [words for _, words in facts.entries]


def _session() -> str:
    row = replace(good("a", stale=(A,)), result="failed")
    return draw(session_page(run("x", [row]), passed=False), "text")


def _graph() -> Plan:
    tasks = (Task("a", A, B), Task("b", "b", "", files=()))
    return Plan("task-list", C, tasks=tasks, find=lambda _: {})


def _github() -> str:
    """Return the annotation of a new failure."""
    row = bad(A, code=B, path=(), model=None)
    return render_github(report(compare(run("a", [good(A)]), run("b", [row]))))


def _scorecard() -> str:
    trials = (Trial("p", A, 0, False, 30, "", misses=9), Trial("p", B, 0, True, 3, "", jumps=(1,)))
    return draw(scorecard_page(scorecard(Experiment(trials))), "text")


CUT: dict[str, tuple[Callable[[], str], dict[str, int]]] = {
    "a finding": (_finding_in_full, {"A": 120, "B": 240, "C": 60, "D": 120, "E": 240, "F": 240}),
    "a place in a field": (
        lambda: place(replace(STEPS, path=(A,), inside=(B,), span=Span(1, 1))),
        {"A": 120, "B": 60},
    ),
    "findings that are not shown": (lambda: render_findings([replace(STEPS, code=A)] * 9, ""), {"A": 60}),
    "only codes": (lambda: render_findings([replace(STEPS, code=A)] * 9, "").split("\n")[-1], {"A": 40}),
    "a verdict": (lambda: verdict_head(replace(verdict(BAD, STEPS), contract=A)), {"A": 80}),
    "findings of a line": (lambda: named([replace(STEPS, path=(A,), code=B)]), {"A": 60, "B": 40}),
    "a conversation": (_conversation, {"A": 80, "B": 200, "C": 40, "D": 200, "E": 100, "F": 200}),
    "a conversation's name": (lambda: render_conversation(replace(lost_retry(), conversation=A)), {"A": 80}),
    "a reason to fail": (
        lambda: failure_reason(replace(lost_retry(), checks=(Check(A, CheckStatus.FAIL, B),))),
        {"A": 40, "B": 200},
    ),
    "a reason about a place": (
        lambda: failure_reason(
            replace(
                lost_retry(),
                checks=(Check("feedback", CheckStatus.FAIL, ""),),
                attempts=(made(1, verdict(BAD), FedBack(replace(STEPS, path=(A,)), 1, Grade.MISSING)),),
            )
        ),
        {"A": 60},
    ),
    "the model of an attempt": (
        lambda: render_conversation(
            replace(lost_retry(), attempts=(Attempt(1, Exchange(1, "raw", model=A), verdict(BAD)),))
        ),
        {"A": 60},
    ),
    "a lost finding": (
        lambda: "\n".join(missing_text(_lost(finding(A, (B,), C)))),
        {"A": 40, "B": 80, "C": 300},
    ),
    "the head of a list of known failures": (lambda: baseline_head(A, Baseline(), None), {"A": 240}),
    "an entry": (lambda: entry_line(KnownFailure(A, "r", owner=B, reason=C)), {"A": 240, "B": 60, "C": 240}),
    "why a failure is known": (lambda: known_reason([KnownFailure("a", A, reason=B)]), {"A": 120, "B": 240}),
    "failures that cannot be listed": (lambda: left_out([KnownFailure(A, "r")]), {"A": 240}),
    "a broken rule": (lambda: broken_text(Broken(A)), {"A": 120}),
    "what a retry lacks": (lambda: "\n".join(missing_lines(_lost(finding("x", (A,))))), {"A": 60}),
    "what a retry feeds back": (
        lambda: " ".join(fed_back_text(FedBackRow(A, (B,), C, evidence=D))),
        {"A": 120, "B": 120, "C": 40, "D": 240},
    ),
    "models": (lambda: " ".join(models_of([good("a", model=A)])), {"A": 120}),
    "the line of a finding": (lambda: finding_line(finding("x", (A,), B)), {"A": 120, "B": 240}),
    "the help of a rule": (
        lambda: rule_help(A, replace(finding("x"), expected=B, hint=C)),
        {"A": 300, "B": 300, "C": 300},
    ),
    "a command to record": (lambda: rerecord_text(RerecordHint(A, 0)), {"A": 300}),
    "a figure": (lambda: plain(figure_cells(Figure(A, 1.0, 2.0))[0]), {"A": 120}),
    "a changed field": (lambda: render_change(FieldChange(ChangeKind.MOVED, (1,), (2,), where=A)), {"A": 120}),
    "a change on one line": (lambda: change_line(FieldChange(ChangeKind.MOVED, (1,), (2,), where=A)), {"A": 120}),
    "rules of a change": (
        lambda: change_line(FieldChange(ChangeKind.CHANGED, ("a",), ("a",), 1, 2, "a", breaks=(A,))),
        {"A": 113},
    ),
    "pieces of a text": (
        lambda: pieces_of(FieldChange(ChangeKind.CHANGED, ("a",), ("a",), f"x {A}", f"x {B}"))[1].text,
        {"A": 400},
    ),
    "the lines of a new snapshot": (lambda: "\n".join(new_rows(A)), {"A": 200}),
    "an annotation": (
        lambda: command(Annotation("error", "", A, "", case=COMPARED.cases[0])),
        {"A": 160},
    ),
    "an annotation of a case": (_github, {"A": 160, "B": 120}),
    "what is not judged": (lambda: _unjudged("", A), {"A": 600}),
    "a property of JUnit": (lambda: dict(junit_properties(good("a", model=A)))["planguard_model"], {"A": 300}),
    "a case in JUnit": (_junit, {"A": 400, "B": 120, "C": 120, "D": 300}),
    "a page's case as text": (lambda: _case("text"), {"A": 160, "B": 120, "C": 120, "D": 60, "E": 240, "F": 120}),
    "a page's case as Markdown": (lambda: _case("markdown"), {"A": 240, "B": 120, "D": 240, "E": 240, "F": 120}),
    "a page's case as HTML": (lambda: _case("html"), {"A": 2_000, "B": 120, "D": 240, "E": 240, "F": 120}),
    "a cell as text": (lambda: _page_of(Table(("h",), ((Cell(Foreign(A), "good"),),)), "text"), {"A": 60}),
    "a rewritten text": (
        lambda: _page_of(Rewritten("", (ChangePiece(ChangePart.NEW, A),)), "markdown"),
        {"A": 2_000},
    ),
    "an answer in a tree": (
        lambda: _page_of(Tree("", (Node("1", 0, True, "", A), Node("2", 0, False, Foreign(B), ""))), "text"),
        {"A": 60, "B": 240},
    ),
    "where a row is from": (lambda: "\n".join(about(_row(), 1, 1, ())), {"A": 293, **dict.fromkeys("BCDEF", 400)}),
    "the head of an answer": (
        lambda: headline(Judged((attempt("1"),), A, ok=True, name=B, contract=C)),
        {"A": 80, "B": 80, "C": 80},
    ),
    "the facts of an attempt": (
        lambda: about_attempt(
            replace(attempt("1"), model=A, finish=B, kind=C, calls=((D,),)),
            None,
        ),
        {"A": 80, "B": 40, "C": 40, "D": 400},
    ),
    "the role of a message": (
        lambda: shown(replace(attempt("1"), next_request=(Said(A, "x"),)), 9).messages[0][0],
        {"A": 40},
    ),
    "a run": (_run_page, {"A": 120, "B": 40, "C": 240, "D": 120, "E": 60, "F": 400}),
    "the rules of a run": (lambda: plain(_facts_of_run()[-1]), {"A": 60}),
    "kept runs": (
        lambda: draw(runs_page([(RunHeader(A), figures_of_run(run("a", [])))], [B]), "markdown"),
        {"A": 120, "B": 400},
    ),
    "a stale case of a session": (_session, {"A": 240}),
    "a policy": (_scorecard, {"A": 60, "B": 60}),
    "a policy's curve": (lambda: experiment_svg(Experiment((Trial("p", A, 0, True, 3, ""),))), {"A": 120}),
    "a graph": (lambda: draw_graph(graph_of(_graph()), "text"), {"A": 60, "B": 60, "C": 80}),
    "the head of a graph": (lambda: plan_title(graph_of(_graph())), {"C": 80}),
}


def _lost(found: object) -> CaseRow:
    dropped = FedBackRow(found.code, found.path, "missing")  # type: ignore[attr-defined]
    return case("a", replace(attempt("1", found), fed_back=(dropped,)), attempt("2"))  # type: ignore[arg-type]


def _unjudged(file: str, reason: str) -> str:
    return next(all_annotations(DiffReport(COMPARED, unjudged=((file, reason),)))).message


@pytest.mark.parametrize("what", CUT)
def test_a_text_without_end_is_cut(what: str) -> None:
    """With an ellipsis, which counts too."""
    make, expected = CUT[what]
    assert lengths(make()) == expected


def test_code_scanning_gets_no_text_without_end() -> None:
    """The case, the rule, the run, and what could not be judged."""
    text = render_sarif(report(compare(run("a", []), run(C, [bad(A, code=B, path=())])), unjudged=(("", D),)), "1")
    assert lengths(text.replace("\\u2026", "…")) == {"A": 400, "B": 120, "C": 80, "D": 600}


def test_a_commit_and_a_time_are_cut_without_a_word() -> None:
    """Twelve digits name a commit, and minutes are enough."""
    header = RunHeader("x", commit="1" * 40, created="2026-11-20T10:00:59.123+00:00")
    assert about_run(header, None) == "commit 111111111111, 2026-11-20 10:00"
