"""The contract of the local model's loops: a ticket with title, priority and steps, and no text around it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from pytest_planguard.contract.contract import Contract

EXAMPLES = {"clean the garage", "put out the server room fire"}
Step = Annotated[str, Field(min_length=3, max_length=120)]


class Ticket(BaseModel):
    model_config = ConfigDict(extra="forbid")
    title: str = Field(min_length=3, max_length=80)
    priority: Literal["low", "medium", "high"]
    steps: list[Step] = Field(min_length=2, max_length=6)

    @field_validator("title")
    @classmethod
    def own_title(cls, value: str) -> str:
        """Reject the titles of the examples."""
        if value.strip().lower() in EXAMPLES:
            raise ValueError("title is copied from the example, write one for the task")
        return value

    @field_validator("steps")
    @classmethod
    def different_steps(cls, value: list[str]) -> list[str]:
        """Reject a step that occurs twice."""
        if len({step.strip().lower() for step in value}) < len(value):
            raise ValueError("steps must all be different")
        return value


TICKET = Contract(Ticket, extract="whole")
