"""The careful app: its retries carry what was wrong. What comes of them is up to the model."""

from __future__ import annotations

import pytest

from pytest_planguard.errors import ContractFailed

from .careful import create_ticket
from .contract import TICKET
from .ticket import NoTicket


@pytest.mark.planguard(TICKET)
def test_converges() -> None:
    """Four attempts: broken JSON first, then steps that repeat each other, then a ticket."""
    ticket = create_ticket("plant tomatoes on the balcony")
    assert ticket.priority in ("low", "medium", "high")


@pytest.mark.planguard(TICKET)
@pytest.mark.xfail(raises=ContractFailed, strict=True, reason="converges falsely: a step is copied from an example")
def test_converges_falsely() -> None:
    """The app is content, and a test that only looks at the app's result would be too."""
    assert create_ticket("the nightly backup failed three times this week")


@pytest.mark.planguard(TICKET)
@pytest.mark.xfail(raises=ContractFailed, strict=True, reason="truncated: the second answer was cut off at the limit")
def test_is_truncated() -> None:
    """The app rightly does not ask again with the same limit; there is no ticket all the same."""
    with pytest.raises(NoTicket, match="cut off after 128 tokens"):
        create_ticket("write a blog post about green tea")
