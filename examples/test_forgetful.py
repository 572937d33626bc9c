"""The forgetful app: the retry sends the first prompt again. planguard catches it though a ticket comes out."""

from __future__ import annotations

import pytest

from pytest_planguard import ContractFailed

from .contract import TICKET
from .forgetful import create_ticket


@pytest.mark.xfail(raises=ContractFailed, strict=True, reason="the bug: what was wrong never reaches the model")
@pytest.mark.planguard(TICKET)
def test_forgets_the_feedback() -> None:
    """The second answer is valid by luck and the assertion holds: only the contract test sees the bug."""
    ticket = create_ticket("the nightly backup failed three times this week")
    assert len(ticket.steps) >= 2
