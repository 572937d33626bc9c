"""What each step of the pipeline has to answer. The last step's guard is a plan level of planguard's own."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from pytest_planguard import ContentConstraint, Contract

Line = Annotated[str, Field(min_length=3, max_length=160)]


class Analysis(BaseModel):
    """What kind of problem it is."""

    category: Literal["bug fix", "feature"]
    summary: str


class Recon(BaseModel):
    """Where to look, and what is known."""

    files: list[Line] = Field(min_length=1, max_length=4)
    facts: list[Line] = Field(min_length=1, max_length=4)


class Strategy(BaseModel):
    """How to go about it."""

    approach: str
    phases: list[Line] = Field(min_length=1)


ANALYSIS = Contract(Analysis, constraints=[ContentConstraint("summary", "min_length", {"chars": 20}, "retry")])
RECON = Contract(Recon, constraints=[ContentConstraint("facts", "distinct", {}, "warn")])
STRATEGY = Contract(Strategy, constraints=[ContentConstraint("phases", "distinct", {}, "retry")])
