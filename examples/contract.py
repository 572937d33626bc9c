"""What a ticket must be: the shape that the apps check, and two rules about its content."""

from __future__ import annotations

from pytest_planguard import Contract, distinct, not_copied

from .ticket import Ticket

TICKET = Contract(
    Ticket,
    constraints=[
        distinct("steps"),
        not_copied("steps", sources=["examples"], min_words=3),  # a rule that only the tests have
    ],
    extract="whole",  # the apps hand the whole answer to the parser, so prose around it is an error here too
)
