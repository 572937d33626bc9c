"""The chatty app: its retries carry what was wrong, with the bad answer before it, and the model repeats itself."""

from __future__ import annotations

import pytest

from pytest_planguard.errors import ContractFailed

from .chatty import create_ticket
from .contract import TICKET
from .ticket import NoTicket


@pytest.mark.planguard(TICKET)
@pytest.mark.xfail(raises=ContractFailed, strict=True, reason="stuck: the model gives the same answer again and again")
def test_is_stuck() -> None:
    """Every request says that the steps must differ; from the second on the answer is the same, word for word."""
    with pytest.raises(NoTicket, match="after 4 attempts"):
        create_ticket("the nightly backup failed three times this week")


@pytest.mark.planguard(TICKET)
@pytest.mark.xfail(raises=ContractFailed, strict=True, reason="exhausted: four attempts, none of them valid")
def test_is_exhausted() -> None:
    """The answers change, yet the last allowed one still breaks the contract."""
    with pytest.raises(NoTicket, match="after 4 attempts"):
        create_ticket("write a blog post about green tea")
