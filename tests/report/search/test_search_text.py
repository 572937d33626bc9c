"""A search as text."""

from dataclasses import replace

import pytest

from pytest_planguard import Contract
from pytest_planguard.plan_search.loop import search
from pytest_planguard.plan_search.result import SearchResult, TerminationReason
from pytest_planguard.plan_search.step import SearchConfig, Step, StepAnswer, StepBudget
from pytest_planguard.report.forms import draw
from pytest_planguard.report.pages.search import MEANING, search_page
from pytest_planguard.wire.exchange import Finish

from ...plan_search.pipelines import Scripted, verdict

CONFIG = SearchConfig(escalates=False)
SUCCESS = """\
plan search (cbj): success after 6 calls (every guard on the path passed)
path: 1 g_analysis > 2 g_recon > 5 g_strategy > 6 g_plan
  1 g_analysis: passed  ok 1
    2 g_recon: passed  ok 2
      3 g_strategy: passed  ok 3
        4 g_plan: rejected (whole answer) [goal-reachable], back to g_strategy
      5 g_strategy (backtrack): passed  ok 5
        6 g_plan: passed  ok 6"""
ERROR = """\
plan search (cbj): error after 2 calls (ask of step 'g_recon' raised RuntimeError: no connection)
best failed path: 1 g_analysis
  1 g_analysis: passed  ok 1"""
CEILING = """\
plan search (cbj): backtrack ceiling after 5 calls (an open path is blocked by the reopenings of its step)
bound by: backtrack_budget of g_analysis
best failed path: 1 g_analysis > 2 g_recon > 3 g_strategy > 4 g_plan
  1 g_analysis: passed  ok 1
    2 g_recon: passed  ok 2
      3 g_strategy: passed  ok 3
        4 g_plan: rejected (whole answer) [x]
        5 g_plan (retry): rejected (whole answer) [x]"""


def shown(result: SearchResult) -> str:
    """How it ended, what bound it, its path and its tree."""
    ending, tree, steps = draw(search_page(result), "text").split("\n\n")
    assert steps.startswith("Calls by step\n")
    return f"{ending}\n{tree}"


def test_a_success() -> None:
    """Path and tree, indented by step; a jump names its step."""
    assert shown(search(Scripted({"g_plan": ["goal-reachable", "ok"]}).steps, CONFIG)) == SUCCESS


def test_an_error_keeps_the_partial_tree() -> None:
    """The step's name and the exception in the headline."""
    assert shown(search(Scripted({"g_recon": ["raise"]}).steps, CONFIG)) == ERROR


def test_a_ceiling_names_its_budget() -> None:
    """With the best failed path."""
    budgets = (StepBudget(2, 0), StepBudget(1, 0), StepBudget(1, 0), StepBudget(2, 0))
    assert shown(search(Scripted({"g_plan": ["x"]}, budgets).steps, CONFIG)) == CEILING


def test_a_cut_off_answer_says_so() -> None:
    """With its edge; an answer that came to its end says nothing."""
    answers = iter([StepAnswer('"a', Finish.LENGTH), StepAnswer('"b', Finish.LENGTH), StepAnswer('"c"', Finish.STOP)])
    result = search([Step("only", lambda _: next(answers), Contract(str), StepBudget(3, 0))], CONFIG)
    assert shown(result).splitlines()[-3:] == [
        "  1 only (finish length): rejected (whole answer) [truncated]",
        "  2 only (retry, finish length): rejected (whole answer) [truncated]",
        '  3 only (retry): passed  "c"',
    ]


def test_a_large_tree_is_cut() -> None:
    """The rest is counted."""
    budgets = (StepBudget(1, 0), StepBudget(1, 0), StepBudget(1, 0), StepBudget(99, 0))
    config = SearchConfig(max_total_calls=100, blame=CONFIG.blame, escalates=CONFIG.escalates)
    text = shown(search(Scripted({"g_plan": ["x"]}, budgets).steps, config))
    assert text.endswith("\n  and 40 more answers")
    assert text.count("\n") == 63


def test_every_reason_has_its_words() -> None:
    """A new one cannot be forgotten."""
    assert MEANING.keys() == set(TerminationReason)


def hostile() -> Step:
    """A step whose answer is made to harm a terminal, a build log and a page."""
    return Step("s", lambda _: "\x1b[31m::error::x</svg><script>\u202e", lambda path, answer: verdict(answer))


def test_hostile_answers_are_harmless() -> None:
    """No escape reaches the terminal, no command the build log."""
    result = search([hostile()])
    text = shown(result)
    assert "\x1b" not in text
    assert not any(line.lstrip().startswith("::") for line in text.splitlines())


ENDINGS = {
    TerminationReason.SUCCESS: "success after 1 call (every guard on the path passed)",
    TerminationReason.ERROR: "error after 1 call (the code of a step raised)",
    TerminationReason.CENSORED: "censored after 1 call (the cassette lacks an answer, and nothing else was open)",
    TerminationReason.BUDGET_EXHAUSTED: "budget exhausted after 1 call (all calls are made)",
    TerminationReason.BACKTRACK_CEILING: (
        "backtrack ceiling after 1 call (an open path is blocked by the reopenings of its step)"
    ),
    TerminationReason.STEP_CEILING: "step ceiling after 1 call (an open path is blocked by the calls of its step)",
    TerminationReason.ALL_PRUNED: (
        "all pruned after 1 call (every answer was tried; the problem may be unsolvable by this pipeline)"
    ),
    TerminationReason.GAVE_UP: "gave up after 1 call (the blame for a failure says to give up)",
}


@pytest.mark.parametrize("reason", TerminationReason)
def test_the_headline_of_every_ending(reason: TerminationReason) -> None:
    """The reason, the calls, and what it means."""
    result = replace(search([hostile()]), termination_reason=reason, policy="beam")
    assert draw(search_page(result), "text").split("\n")[0] == f"plan search (beam): {ENDINGS[reason]}"


def test_the_facts_of_a_search() -> None:
    """What bound it, what it lacked, and its path; a search without any has no facts."""
    result = replace(search([hostile()]), bound_by=("max_total_calls", "calls of s"), misses=1)
    lines = draw(search_page(result), "text").split("\n")
    assert lines[1:4] == [
        "bound by: max_total_calls, calls of s",
        "without a recorded answer: 1 call (50%)",
        "path: 1 s",
    ]
    bare = draw(search_page(replace(result, bound_by=(), misses=0, path=())), "text").split("\n")
    assert bare[1:3] == ["", lines[5]]
    failed = replace(result, succeeded=False, bound_by=(), misses=2)
    assert draw(search_page(failed), "text").split("\n")[1:3] == [
        "without a recorded answer: 2 calls (67%)",
        "best failed path: 1 s",
    ]


def test_the_calls_of_each_step() -> None:
    """And how often each was reopened."""
    text = draw(search_page(search(Scripted({"g_plan": ["goal-reachable", "ok"]}).steps, CONFIG)), "text")
    assert text.split("\n\n")[-1].split("\n") == [
        "Calls by step",
        "step        calls  reopenings",
        "g_analysis      1           0",
        "g_recon         1           0",
        "g_strategy      2           1",
        "g_plan          2           0",
    ]
