"""The chatty app: its retries feed back what was wrong, with the bad answer before it, and the model repeats itself."""

from __future__ import annotations

from typing import Any

import pytest

from .chatty import create_ticket
from .contract import TICKET
from .ticket import NoTicket


@pytest.mark.planguard(TICKET)
def test_is_stuck(planguard: Any) -> None:
    """Every retry says that two steps are needed; an answer comes back word for word all the same."""
    with pytest.raises(NoTicket, match="after 4 attempts"):
        create_ticket("the nightly backup failed three times this week")
    planguard.judge(expect="stuck")


@pytest.mark.planguard(TICKET, max_attempts=3)
def test_makes_no_progress(planguard: Any) -> None:
    """The answers change, and yet a colon is missing in the last one as in the one before."""
    with pytest.raises(NoTicket, match="after 3 attempts"):
        create_ticket("prepare the slides for the board meeting", attempts=3)
    planguard.judge(expect="no_progress")


@pytest.mark.planguard(TICKET, max_attempts=2)
def test_is_exhausted(planguard: Any) -> None:
    """The same task with a smaller budget: the last allowed answer has one problem less and is still no JSON."""
    with pytest.raises(NoTicket, match="after 2 attempts"):
        create_ticket("prepare the slides for the board meeting", attempts=2)
    planguard.judge(expect="exhausted")
