"""Which rules a case breaks in the end: what the app's own retry dropped is never laid at the model's door."""

from dataclasses import replace
from datetime import date

import pytest

from pytest_planguard import Contract, one_of
from pytest_planguard.runs.compare.compare import compare
from pytest_planguard.runs.figures import figures_of_run
from pytest_planguard.runs.gate.known_failures import Baseline, KnownFailure, check_baseline, covering, updated
from pytest_planguard.runs.judge_cases import judge_again
from pytest_planguard.runs.model.broken_rules import FEEDBACK, Broken, broken_by, broken_rules
from pytest_planguard.runs.model.judged_answers import CheckRow
from pytest_planguard.runs.model.run import CaseRow

from ...support.one_item import in_one_item
from ...support.runs import attempt, bad, case, finding, good, missing, run

TODAY = date(2026, 5, 1)
ENUM = finding("enum", ("a",))
LISTED = Baseline((KnownFailure("a", "enum", ("a",)),))


def test_lost_feedback_is_the_rule_that_breaks_and_the_answer_before_it_is_not() -> None:
    """The app never got a second answer: what the first one breaks is not how the case ends."""
    assert broken_rules([missing("a", ENUM)]) == (FEEDBACK,)
    assert str(FEEDBACK) == "check:feedback"


def test_any_other_request_without_an_answer_is_named_too() -> None:
    """By the case's outcome where it tells; a connection around the cassette has none of its own."""
    around = replace(missing("a", ENUM), misses=("a request went around the cassette\n  example.org",))
    assert broken_rules([around]) == (Broken("outcome:unrecorded"),)
    assert broken_rules([replace(around, outcome="ambiguous")]) == (Broken("outcome:ambiguous"),)


@in_one_item
@pytest.mark.parametrize(
    ("row", "rules"),
    [
        (good("a"), []),
        (bad("a", path=("r", 0, "s")), ["missing at r[*].s"]),
        (bad("a", path=()), ["missing"]),
        (case("a", attempt("{}", ENUM), attempt("{}", finding("z"), finding("b", ("y",)))), ["b at y", "z"]),
        (case("a", attempt("{}", ENUM), outcome="stuck"), ["enum at a"]),
        (case("a", attempt("{}"), outcome="false_convergence"), ["outcome:false_convergence"]),
        (replace(bad("a"), gave_up="app.No"), ["gave_up:app.No", "missing at a"]),
        (replace(good("a"), result="failed", gave_up="app.No"), ["test:failed"]),
        (replace(good("a"), result="error"), ["test:error"]),
    ],
)
def test_the_rules_that_a_case_breaks(row: CaseRow, rules: list[str]) -> None:
    """Those of its last answers, sorted; else its outcome, else its test."""
    assert [str(broken) for broken in broken_rules([row])] == rules


def test_a_bad_conversation_breaks_its_findings_and_checks_or_its_outcome() -> None:
    """The check that the answer is valid repeats the findings; one that only warns is none."""
    checks = [CheckRow("valid", "fail"), CheckRow("stops", "fail"), CheckRow("clean", "warn")]
    assert [*map(str, broken_by([ENUM], checks, "stuck"))] == ["enum at a", "check:stops"]
    assert [*map(str, broken_by([], checks[:1], "stuck"))] == ["outcome:stuck"]
    assert [*map(str, broken_by([], [], ""))] == ["outcome:not ok"]


def test_a_conversation_with_a_fault_of_its_own_keeps_it() -> None:
    """A second conversation of the case whose loop did not stop broke that rule whatever the first one missing."""
    row = missing("a", ENUM)
    checks = (replace(row.judged[0].checks[0], name="stops"),)
    other = replace(row.judged[0], name="2", checks=checks)
    found = broken_rules([replace(row, judged=(*row.judged, other))])
    assert found == (FEEDBACK, Broken("check:stops"), Broken("enum", ("a",)))


def test_a_list_of_the_models_failures_does_not_cover_lost_feedback() -> None:
    """The list names `enum at a`; the retry that dropped it is new, and nothing is known to be gone."""
    row = missing("a", ENUM)
    assert covering(LISTED, row, broken_rules([row]), TODAY) == ()
    report = check_baseline(LISTED, [row], TODAY)
    assert ([str(entry) for entry in report.new], report.ok) == (["a: check:feedback"], False)
    assert (report.known, report.fixed, report.unseen) == ((), (), LISTED.entries)


def test_listing_a_lost_retry_lists_that_and_not_the_answer_before_it() -> None:
    """So the day on which the model's answer is the problem, it is a new failure."""
    found = updated(Baseline(), [missing("a", ENUM)], TODAY)
    assert [entry.broken for entry in found.entries] == ["check:feedback"]
    assert not check_baseline(found, [bad("a", code="enum")], TODAY).ok


def test_comparing_and_counting_name_the_lost_feedback() -> None:
    """The value before the miss is no final value: it is not compared, and no rule but the app's breaks."""
    candidate = run("b", [missing("a", ENUM)])
    (case,) = compare(run("a", [good("a", '{"a": "high"}')]), candidate).cases
    assert (case.broken, case.changes) == ((FEEDBACK,), ())
    assert figures_of_run(candidate).rules == (("check:feedback", 1),)


def test_judging_again_does_not_find_a_lost_retry() -> None:
    """A contract that likes the first answer changes nothing about the request that went without the findings."""
    contract = Contract(None, constraints=[one_of("a", "bad")])
    (row,) = judge_again(run("a", [missing("a", ENUM)]), [contract]).rows
    assert (row.judged[0].ok, row.result, broken_rules([row])) == (True, "failed", (FEEDBACK,))
