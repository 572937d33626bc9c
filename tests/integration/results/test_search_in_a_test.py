"""planguard.search in a real session: the result, the section below a failure, the row."""

import json

from pytest_planguard.testing.example import Example

STEPS = """
import pytest
from pytest_planguard import Contract
from pytest_planguard.search.model.budget import StepBudget
from pytest_planguard.search.model.config import SearchConfig
from pytest_planguard.search.model.step import Step

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
def test_not_found(planguard):
    result = planguard.search(pipeline(['"a"', '"b"', '"c"']), SearchConfig(max_total_calls=3), policy="blind")
    assert result.succeeded

@pytest.mark.planguard(NUMBER)
def test_broken(planguard):
    assert planguard.search(pipeline([])).succeeded
"""
TREE = """\
plan search (blind): budget exhausted after 3 calls (all calls are made)
bound by max_total_calls
best failed path: 1 g_strategy > 2 g_plan
  1 g_strategy: passed  1
    2 g_plan: rejected (whole answer) [type]
    3 g_plan (retry): rejected (whole answer) [type]
"""


def test_a_search_in_a_session() -> None:
    """A failed search shows its tree, a broken step its name; figures and answers are in the rows."""
    run = Example({"test_a.py": STEPS}).run_pytest()
    assert run.outcomes == {"passed": 1, "failed": 2}, run.output
    assert TREE in run.output
    assert "<SearchResult blind: budget_exhausted after 3 calls>" in run.output
    assert "error after 2 calls (ask of step 'g_plan' raised StopIteration)" in run.output
    rows = [json.loads(line) for line in run.example.read(".planguard/last.jsonl").splitlines()[1:]]
    found, not_found = (next(row for row in rows if row["test"].endswith(name)) for name in ("test_found", "not_found"))
    assert found["scores"] == {"search_backtracks": 0.0, "search_calls": 3.0, "search_succeeded": 1.0}
    assert (found["outcome"], not_found["outcome"]) == ("valid", "invalid")
    assert not_found["scores"]["search_succeeded"] == 0.0
