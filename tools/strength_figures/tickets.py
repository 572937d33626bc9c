"""The ticket contract on the local model's recordings, with and without its distinct and not-copied constraints.

`python -m tools.strength_figures.tickets` prints shares, survivors and what would kill them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from pytest_planguard import Contract, distinct, not_copied
from pytest_planguard.cli.inputs.recorded_answers import recorded_answers
from pytest_planguard.report.strength.strength_forms import strength_text
from pytest_planguard.strength.measure import Strength, measure

DATA = Path(__file__).parents[2] / ".." / "shared" / "data" / "local_model" / "cassettes" / "blind"


class Ticket(BaseModel):
    model_config = ConfigDict(extra="forbid")
    title: str = Field(min_length=3, max_length=80)
    priority: Literal["low", "medium", "high"]
    steps: list[Annotated[str, Field(min_length=3, max_length=120)]] = Field(min_length=2, max_length=6)


NOT_COPIED = [not_copied(field, sources=("examples", "feedback")) for field in ("title", "steps")]
CONTRACTS = {
    "whole": Contract(Ticket, constraints=[distinct("steps"), *NOT_COPIED]),
    "without distinct": Contract(Ticket, constraints=NOT_COPIED),
    "without not_copied": Contract(Ticket, constraints=[distinct("steps")]),
    "without both": Contract(Ticket),
}


def strength_of(name: str, folder: Path = DATA) -> Strength:
    """Return what one of the contracts is worth on the recordings."""
    return measure(CONTRACTS[name], recorded_answers([folder], CONTRACTS[name]))


if __name__ == "__main__":
    for contract in CONTRACTS:
        print(f"{contract}\n{strength_text(strength_of(contract))}\n")
