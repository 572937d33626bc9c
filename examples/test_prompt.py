"""The prompt without an app: planguard asks, checks, feeds back what was wrong, and asks again."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from .contract import TICKET
from .ticket import ask, prompt


@pytest.mark.planguard(TICKET)
def test_the_prompt_gets_a_ticket(planguard: Any) -> None:
    """`converge` returns the validated ticket, or fails the test and shows the conversation."""
    attempt = count(1)
    ticket = planguard.converge(
        lambda messages: ask(messages, next(attempt)),
        prompt("a database index is missing and queries are slow"),
        placement="inject",  # what was wrong goes into the prompt, the bad answer is left out
    )
    assert ticket.title
