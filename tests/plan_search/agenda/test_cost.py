"""The cost of the search itself, counted in function calls: time on a busy machine proves nothing."""

import sys
import tracemalloc
from typing import Any

import pytest

from pytest_planguard.plan_search.frame import Policy
from pytest_planguard.plan_search.loop import Search
from pytest_planguard.plan_search.step import SearchConfig, StepBudget

from ..pipelines import Adversary

MANY = 10**6
SHAPES = {
    "wide at the end": [StepBudget(1, 0), StepBudget(MANY, 0)],
    "wide at the start": [StepBudget(MANY, MANY), StepBudget(2, 2), StepBudget(1, 0)],
    "four steps": [StepBudget(40, MANY)] * 3 + [StepBudget(5, 0)],
    "all open, all blamed": [StepBudget(1, 0), StepBudget(MANY, MANY), StepBudget(9, 0)],
}


class Long(Adversary):
    """An adversary without an end: the last step never passes, and blames every step in turn."""

    def __init__(self, budgets: list[StepBudget]) -> None:
        super().__init__(7, budgets)
        self.last = self.steps[-1].name

    def _ask(self, context: Any) -> str:
        self.asked.append(("", (), 0))
        return f"answer {len(self.asked)}"

    def _guard(self, path: Any, answer: Any) -> Any:
        judged = super()._guard(path, answer)
        if judged.ok and len(path) == len(self.steps) - 1:
            from ..pipelines import finding, verdict

            return verdict(answer, finding(f"back{self.random.randint(0, 3)}"))
        return judged


def run(budgets: list[StepBudget], calls: int) -> Search:
    """One search of exactly that many calls."""
    adversary = Long(budgets)
    searched = Search(adversary.steps, SearchConfig(max_total_calls=calls, **adversary.going_back), Policy())
    assert searched.run().total_calls == calls
    return searched


def function_calls(budgets: list[StepBudget], calls: int) -> int:
    """How many functions, of Python and of C, a search enters."""
    entered = 0

    def count(_: Any, event: str, __: Any) -> None:
        nonlocal entered
        entered += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        run(budgets, calls)
    finally:
        sys.setprofile(None)
    return entered


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_a_call_of_a_long_search_is_cheap(shape: str) -> None:
    """Less than a millisecond of a call that waits seconds for a model; scanning the agenda would enter 5,000."""
    assert function_calls(SHAPES[shape], 1_000) <= 1_000 * 1_000


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_memory_is_linear_in_the_tree(shape: str) -> None:
    """Peak bytes of a search, and of one four times as long."""
    peaks = []
    for calls in (250, 1_000):
        tracemalloc.start()
        run(SHAPES[shape], calls)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    # A dict that has just grown holds twice what it needs, so 4 may read as 6. Quadratic growth reads as 16.
    assert peaks[1] <= 6 * peaks[0]
