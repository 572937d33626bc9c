"""How many calls a search can make at most, which the laws of searches are held against."""

from collections.abc import Sequence

from pytest_planguard.plan_search.step import StepBudget


def worst_case(budgets: Sequence[StepBudget]) -> int:
    """Return the maximum number of calls of this search, for any guards and blame: 35 for 2/1, 2/2, 2/3, 3/0.

    The number of prefixes of a step is 1 plus the reopenings of the steps before it. Its calls are therefore at most
    rmax · (1 + sum of the backtrack budgets before it), and at most `calls`. If no step can use up its reopenings (rmax
    1), there are even fewer prefixes. `SearchConfig.max_total_calls` bounds the search further.
    """
    total, prefixes = 0, 1
    for budget in budgets:
        calls = budget.rmax * prefixes
        if budget.calls is not None:
            calls = min(calls, budget.calls)
        total += calls
        prefixes = min(calls, prefixes + budget.backtrack_budget)
    return total
