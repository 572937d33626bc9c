"""The bounds of a driven loop."""

from __future__ import annotations

from pytest_planguard.retry.driving.budget import Budget, delay_s
from pytest_planguard.wire.exchange import Usage


def test_why_it_is_spent() -> None:
    """The reason names the bound that was reached."""
    used = [Usage(900, 100)]
    assert Budget(attempts=1).spent(used) == "all 1 attempts are made"
    assert Budget(tokens=1_000).spent(used) == "1,000 of 1,000 tokens are spent"
    assert Budget(tokens=1_001).spent(used) is None
    assert Budget(tokens=9).spent([Usage(1, None)]) == "an answer does not say how many tokens it took"
    assert Budget(cost=2, price=lambda usage: 2.5).spent(used) == "2.5 of 2 are spent"
    assert Budget().spent([Usage()]) is None


def test_delays() -> None:
    """Seconds double from 1 up to 30."""
    assert [delay_s(n) for n in (1, 2, 3, 6, 10_000)] == [1, 2, 4, 30, 30]
