"""The careful app: its retries feed back what was wrong. What comes of them is up to the model."""

from __future__ import annotations

from typing import Any

import pytest

from .careful import create_ticket
from .contract import TICKET
from .ticket import NoTicket


@pytest.mark.planguard(TICKET)
def test_converges() -> None:
    """Three attempts: no steps at first, then a key that nobody asked for, then a ticket."""
    ticket = create_ticket("a database index is missing and queries are slow")
    assert ticket.priority in ("low", "medium", "high")


@pytest.mark.planguard(TICKET)
def test_converges_falsely(planguard: Any) -> None:
    """A valid ticket whose steps stand in the example. Without `expect` this test fails, as it should."""
    assert create_ticket("the nightly backup failed three times this week")
    planguard.judge(expect="false_convergence")


@pytest.mark.planguard(TICKET)
def test_is_truncated(planguard: Any) -> None:
    """The answer is cut off at the token limit. The app rightly does not ask again with the same limit."""
    with pytest.raises(NoTicket, match="cut off after 128 tokens"):
        create_ticket("write a blog post about green tea")
    planguard.judge(expect="stopped")
