"""The bounds of a driven loop."""

from __future__ import annotations

import re

import pytest

from pytest_planguard.errors import UsageError
from pytest_planguard.retry.budget import Budget, delay_s
from pytest_planguard.wire.exchange import Usage


def test_why_it_is_spent() -> None:
    """The reason names the bound that was reached."""
    used = [Usage(900, 100)]
    assert Budget(attempts=1).spent(used) == "all 1 attempts are made"
    assert Budget(tokens=1_000).spent(used) == "1,000 of 1,000 tokens are spent"
    assert Budget(tokens=1_001).spent(used) is None
    assert Budget(tokens=9).spent([Usage(1, None)]) == "an answer does not say how many tokens it took"
    assert Budget(cost=2, price=lambda usage: 2.5).spent(used) == "2.5 of 2 are spent"
    assert Budget(attempts=3, cost=2, price=lambda usage: 1).spent(used * 2) == "2 of 2 are spent"
    assert Budget(attempts=2, tokens=1).spent(used * 2) == "all 2 attempts are made"
    assert Budget(tokens=1, cost=1, price=lambda usage: 2).spent(used) == "1,000 of 1 tokens are spent"
    assert Budget().spent([Usage()]) is None


PRICED = {"price": lambda usage: (usage.input_tokens or 0) / 100}
BOUNDS = {
    "attempts": (Budget(attempts=2), [Usage(1, 1)], [Usage(1, 1)] * 2),
    "tokens": (Budget(tokens=10), [Usage(4, 5)], [Usage(4, 6)]),
    "tokens of all attempts": (Budget(tokens=10), [Usage(2, 2), Usage(2, 3)], [Usage(2, 3), Usage(2, 3)]),
    "money": (Budget(cost=0.5, **PRICED), [Usage(49, 1)], [Usage(50, 1)]),
    "money of all attempts": (Budget(cost=0.5, **PRICED), [Usage(20, 1)] * 2, [Usage(25, 1)] * 2),
    "tokens or money": (Budget(tokens=99, cost=0.5, **PRICED), [Usage(49, 49)], [Usage(50, 1)]),
    "input unknown": (Budget(tokens=10), [Usage(1, 1)], [Usage(1, 1), Usage(None, 1)]),
    "output unknown": (Budget(tokens=10), [Usage(1, 1)], [Usage(1, None), Usage(1, 1)]),
    "money unknown": (Budget(cost=9.0, **PRICED), [Usage(1, 1)], [Usage(1, None)]),
}


@pytest.mark.parametrize("name", BOUNDS)
def test_a_bound_is_spent_where_it_is_reached(name: str) -> None:
    """Right below it a further attempt may be made, at it none."""
    budget, below, reached = BOUNDS[name]
    assert budget.spent(below) is None
    assert budget.spent(reached) is not None


def test_nothing_is_spent_before_the_first_attempt() -> None:
    """An unknown count matters only where tokens or money are bounded."""
    assert Budget(attempts=1, tokens=1, cost=0.1, **PRICED).spent([]) is None
    assert Budget(attempts=2).spent([Usage()]) is None


REFUSED = {
    "a budget's attempts must be at least 1, got 0": {"attempts": 0},
    "a budget's transport_retries must be at least 0, got -1": {"transport_retries": -1},
    "a budget's tokens must be more than 0, got 0": {"tokens": 0},
    "a budget's cost must be more than 0, got -0.5": {"cost": -0.5, **PRICED},
    "a budget in money needs price=, a function from an answer's Usage to its cost": {"cost": 1},
}


@pytest.mark.parametrize("message", REFUSED)
def test_a_budget_that_allows_nothing_is_refused(message: str) -> None:
    """The message names the bound and what was given."""
    with pytest.raises(UsageError, match=f"^{re.escape(message)}$"):
        Budget(**REFUSED[message])  # type: ignore[arg-type]
    assert Budget(attempts=1, tokens=1, cost=0.1, transport_retries=0, **PRICED).attempts == 1


def test_the_defaults() -> None:
    """Three attempts, two transport retries, and no bound of tokens or money."""
    assert Budget() == Budget(attempts=3, tokens=None, cost=None, price=None, transport_retries=2)


def test_delays() -> None:
    """Seconds double from 1 up to 30."""
    assert [delay_s(n) for n in (1, 2, 3, 4, 5, 6, 10_000)] == [1, 2, 4, 8, 16, 30, 30]
