"""planguard.search in a real session: the result, the section below a failure, the row."""

import json

from pytest_planguard.runs.model.codec import read_row
from pytest_planguard.runs.model.run import CaseRow

from ...support.warm import WarmExample

STEPS = """
import asyncio
import pytest
from pytest_planguard import Contract
from pytest_planguard.plan_search.step import StepBudget
from pytest_planguard.plan_search.step import SearchConfig
from pytest_planguard.plan_search.step import Step

NUMBER = Contract(int, name="Number")

def pipeline(answers):
    given = iter(answers)
    return [
        Step("g_strategy", lambda context: f"{context.attempt}", NUMBER),
        Step("g_plan", lambda context: next(given), NUMBER, StepBudget(rmax=3)),
    ]

@pytest.mark.planguard(NUMBER)
def test_found(planguard):
    result = planguard.search(pipeline(['"one"', "1"]))
    assert result.succeeded
    assert result.total_calls == 3

@pytest.mark.planguard(NUMBER)
def test_awaited(planguard):
    async def ask(context):
        return f"{context.attempt}"
    assert asyncio.run(planguard.asearch([Step("g_plan", ask, NUMBER)])).succeeded

@pytest.mark.planguard(NUMBER)
def test_not_found(planguard):
    result = planguard.search(pipeline(['"a"', '"b"', '"c"']), SearchConfig(max_total_calls=3), policy="blind")
    assert result.succeeded

@pytest.mark.planguard(NUMBER)
def test_broken(planguard):
    assert planguard.search(pipeline([])).succeeded

@pytest.mark.planguard(NUMBER, search=SearchConfig(max_total_calls=2), task="Planning")
def test_bounded(planguard):
    assert planguard.search(pipeline(['"a"', "1"])).termination_reason == "budget_exhausted"

@pytest.mark.planguard(NUMBER, task="Planning")
def test_named(planguard):
    planguard.task("Numbers")
    planguard.check("1")
"""
TREE = """\
plan search (blind): budget exhausted after 3 calls (all calls are made)
bound by: max_total_calls
best failed path: 1 g_strategy > 2 g_plan

  1 g_strategy: passed  1
    2 g_plan: rejected (whole answer) [type]
    3 g_plan (retry): rejected (whole answer) [type]
"""


def test_a_search_in_a_session() -> None:
    """A failed search shows its tree, a broken step its name; figures and answers are in the rows."""
    run = WarmExample({"test_a.py": STEPS}).run_pytest()
    assert run.outcomes == {"passed": 4, "failed": 2}, run.output
    assert TREE in run.output
    assert "<SearchResult blind: budget_exhausted after 3 calls>" in run.output
    assert "error after 2 calls (ask of step 'g_plan' raised StopIteration)" in run.output
    rows = [json.loads(line) for line in run.example.read(".planguard/last.jsonl").splitlines()[1:]]
    found, not_found = (next(row for row in rows if row["test"].endswith(name)) for name in ("test_found", "not_found"))
    assert found["scores"] == {"search_backtracks": 0.0, "search_calls": 3.0, "search_succeeded": 1.0}
    assert (found["outcome"], not_found["outcome"]) == ("valid", "invalid")
    assert not_found["scores"]["search_succeeded"] == 0.0
    by_test = {row["test"].partition("::")[2]: read_row(CaseRow, json.dumps(row)) for row in rows}
    assert by_test["test_bounded"].task == "Planning"
    assert by_test["test_named"].task == "Numbers"
    (bounded,) = by_test["test_bounded"].searches
    assert (bounded.reason, bounded.calls, bounded.bound_by) == ("budget_exhausted", 2, ("max_total_calls",))
    assert bounded.calls_by_step == {"g_strategy": 1, "g_plan": 1}
    (broken,) = by_test["test_broken"].searches
    assert broken.error == "ask of step 'g_plan' raised StopIteration"


def test_wrong_arguments_of_the_marker() -> None:
    """Each says what is needed."""
    run = WarmExample(
        {
            "test_a.py": """
import pytest
from pytest_planguard import Contract

@pytest.mark.planguard(Contract(int), search=10)
def test_a():
    pass

@pytest.mark.planguard(Contract(int), task="")
def test_b():
    pass
"""
        }
    ).run_pytest()
    assert "search=10: expected budgets, for example SearchConfig(max_total_calls=10)" in run.output
    assert "task='': expected a non-empty text" in run.output
