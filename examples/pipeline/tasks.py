"""The contracts of a pipeline's tasks in one table: what each answer has to hold, and what no retry may talk away."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel

from pytest_planguard import ContentConstraint, Contract, redline

RECOMMENDATIONS = ["Go", "No Go", "Execute Immediately", "Proceed with Caution", "Do Not Execute"]


class ExpertDetails(BaseModel):
    """What an expert says about a plan."""

    combined_summary: str
    go_no_go_recommendation: str


class Levers(BaseModel):
    """What can be changed about a plan."""

    levers: list[str]


CONTRACTS: Mapping[str, Contract] = {
    "ExpertTask": Contract(
        ExpertDetails,
        constraints=[
            ContentConstraint("combined_summary", "min_length", {"chars": 100}, "retry"),
            ContentConstraint("go_no_go_recommendation", "one_of", {"values": RECOMMENDATIONS}, "retry"),
            *redline("go_no_go_recommendation:Do Not Execute"),
        ],
    ),
    "LeversTask": Contract(Levers, constraints=[ContentConstraint("levers", "distinct", {}, "retry")]),
}
"""Task to contract."""
