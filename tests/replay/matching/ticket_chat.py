"""A chat about a ticket: its contract, a bad answer, feedback on it, a good answer."""

import json
from typing import Any

from pydantic import BaseModel, Field

from pytest_planguard.contract.contract import Contract

from ...support.exchanges import assistant, user

TASK = "Write a ticket for the broken printer in the second floor office as JSON"


class Ticket(BaseModel):
    title: str
    steps: list[str] = Field(min_length=2)


CONTRACT = Contract(Ticket)
BAD = json.dumps({"title": 1, "steps": ["unplug it", "plug it in"]})
GOOD = json.dumps({"title": "Printer", "steps": ["unplug it", "plug it in"]})
TOLD = "title: expected a string; got 1"


def retry(feedback: str, task: str = TASK, bad: str = BAD) -> list[dict[str, Any]]:
    """The second request of a correct app."""
    return [user(task), assistant(bad), user(feedback)]
