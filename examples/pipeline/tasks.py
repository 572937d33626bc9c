"""The contracts of a pipeline's tasks: what each answer has to hold, and what no retry may talk away."""

from __future__ import annotations

from pydantic import BaseModel

from pytest_planguard import ContentConstraint, TaskContracts

RECOMMENDATIONS = ["Go", "No Go", "Execute Immediately", "Proceed with Caution", "Do Not Execute"]


class ExpertDetails(BaseModel):
    """What an expert says about a plan."""

    combined_summary: str
    go_no_go_recommendation: str


class Levers(BaseModel):
    """What can be changed about a plan."""

    levers: list[str]


CONTRACTS = TaskContracts("go_no_go_recommendation:Do Not Execute")
"""Contract of each task. The redline counts for every task whose answer has the field."""
CONTRACTS.add(
    "ExpertTask",
    ExpertDetails,
    [
        ContentConstraint("combined_summary", "min_length", {"chars": 100}, "retry"),
        ContentConstraint("go_no_go_recommendation", "one_of", {"values": RECOMMENDATIONS}, "retry"),
    ],
)
CONTRACTS.add("LeversTask", Levers, [ContentConstraint("levers", "distinct", {}, "retry")])
