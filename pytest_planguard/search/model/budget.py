"""How many calls a step may take, and the two bounds that follow for a whole pipeline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import UsageError


@dataclass(frozen=True, slots=True)
class StepBudget:
    """The bounds of one step.

    Raises:
        UsageError: a bound below its least value.
    """

    rmax: int = 3
    """Answers to one prefix, the first included; at least 1."""
    backtrack_budget: int = 2
    """Reopenings over the whole search: further answers to a prefix of which one answer passed already."""
    calls: int | None = None
    """Calls of this step over the whole search; None for no bound of its own."""

    def __post_init__(self) -> None:
        for name, least in (("rmax", 1), ("backtrack_budget", 0), ("calls", 0)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise UsageError(f"a step budget's {name} must be at least {least}: got {value}; raise it")


def stated_bound(budgets: Sequence[StepBudget]) -> int:
    """Return the sum of rmax · (1 + backtrack_budget), the formula that is often stated: 21 for 2/1, 2/2, 2/3, 3/0.

    It is no bound of this search: a step is visited again whenever a step before it gives another answer, and the
    formula counts the revisits of the step itself alone.
    """
    return sum(budget.rmax * (1 + budget.backtrack_budget) for budget in budgets)


def worst_case(budgets: Sequence[StepBudget]) -> int:
    """Return the most calls that this search can take, whatever guards and blame say: 35 for 2/1, 2/2, 2/3, 3/0.

    A step has one prefix more than there are reopenings before it, so that its calls are at most
    rmax · (1 + sum of the backtrack budgets before it), and at most `calls`. Where no step can use its reopenings up
    (rmax 1), the number of prefixes is smaller still. `SearchConfig.max_total_calls` bounds the search further.
    """
    total, prefixes = 0, 1
    for budget in budgets:
        calls = budget.rmax * prefixes
        if budget.calls is not None:
            calls = min(calls, budget.calls)
        total += calls
        prefixes = min(calls, prefixes + budget.backtrack_budget)
    return total
