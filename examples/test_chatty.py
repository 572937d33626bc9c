"""The chatty app: its retries carry what was wrong, with the bad answer before it, and the model repeats itself."""

from __future__ import annotations

from typing import Any

import pytest

from .chatty import create_ticket
from .contract import TICKET
from .ticket import NoTicket


@pytest.mark.planguard(TICKET)
def test_is_stuck(planguard: Any) -> None:
    """Every retry says that the steps must differ; from the second on the answer is the same, word for word."""
    with pytest.raises(NoTicket, match="after 4 attempts"):
        create_ticket("the nightly backup failed three times this week")
    planguard.judge(expect="stuck")


@pytest.mark.planguard(TICKET)
def test_is_exhausted(planguard: Any) -> None:
    """The answers change, yet the last allowed one still breaks the contract."""
    with pytest.raises(NoTicket, match="after 4 attempts"):
        create_ticket("write a blog post about green tea")
    planguard.judge(expect="exhausted")
