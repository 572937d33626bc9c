"""Budgets of steps, and the most calls that they allow."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_planguard import Contract, Step, search
from pytest_planguard.errors import UsageError
from pytest_planguard.plan_search.step import StepBudget

from .bounds import worst_case
from .pipelines import BUDGETS


def test_the_defaults() -> None:
    """Those of the plan-search design; the step's calls are open."""
    assert StepBudget() == StepBudget(rmax=3, backtrack_budget=2, calls=None)
    with pytest.raises(AttributeError):
        StepBudget().rmax = 4  # type: ignore[misc]


def test_the_worked_example() -> None:
    """2 answers and 1 reopening, 2/2, 2/3, 3/0."""
    assert worst_case(BUDGETS) == 35


def test_the_worst_case_knows_calls_and_few_answers() -> None:
    """A step's own calls bound it, and so does the number of answers before it."""
    assert worst_case([StepBudget(2, 1), StepBudget(9, 0, calls=3)]) == 5
    assert worst_case([StepBudget(1, 9), StepBudget(2, 0)]) == 3
    assert worst_case([StepBudget(3, 0, calls=0), StepBudget(2, 0)]) == 0
    assert worst_case([]) == 0


@given(st.lists(st.builds(StepBudget, st.integers(1, 5), st.integers(0, 5)), max_size=5))
def test_the_worst_case_is_at_most_the_closed_form(budgets: list[StepBudget]) -> None:
    """The sum of rmax · (1 + reopenings before the step), and at most the size of the whole tree."""
    closed, before, tree, prefixes = 0, 0, 0, 1
    for budget in budgets:
        closed += budget.rmax * (1 + before)
        before += budget.backtrack_budget
        prefixes *= budget.rmax
        tree += prefixes
    assert worst_case(budgets) <= min(closed, tree)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 2), "a step budget's rmax must be at least 1: got 0; raise it"),
        ((1, -1), "a step budget's backtrack_budget must be at least 0: got -1; raise it"),
        ((1, 0, -2), "a step budget's calls must be at least 0: got -2; raise it"),
    ],
)
def test_a_budget_that_allows_nothing(arguments: tuple[int, ...], message: str) -> None:
    """The message names the bound."""
    with pytest.raises(UsageError, match=f"^{message}$"):
        StepBudget(*arguments)


def test_a_policy_by_name_is_refused_with_the_way_to_name_one() -> None:
    """Only the fixture takes names; the function said that a str has no attribute."""
    with pytest.raises(UsageError, match=r"^policy must be a Policy: got 'cbj'; in a test, planguard\.search"):
        search([Step("a", lambda _: "1", Contract(None))], policy="cbj")  # type: ignore[arg-type]
