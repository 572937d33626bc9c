"""crewAI: the Converter asks again with the same messages; a task's guardrail says what was wrong."""

from typing import Literal

import pytest
from crewai import LLM, Agent, Crew, Task
from crewai.utilities.converter import Converter
from pydantic import BaseModel, Field, ValidationError

from pytest_planguard import Contract


class Ticket(BaseModel):
    title: str = Field(min_length=3)
    priority: Literal["low", "medium", "high"]
    steps: list[str] = Field(min_length=2)


@pytest.mark.planguard(Contract(Ticket))
def test_converter():
    wanted = "Convert the text into a ticket: title, priority (low, medium, high), steps"
    llm = LLM(model="gpt-4o-mini")
    Converter(llm=llm, text="printer on fire: cut power", model=Ticket, instructions=wanted).to_pydantic()


def _valid(output):
    try:
        return True, Ticket.model_validate_json(output.raw)
    except ValidationError as error:
        return False, str(error)


@pytest.mark.planguard(Contract(Ticket))
def test_guardrail():
    llm = LLM(model="gpt-4o-mini")
    clerk = Agent(role="clerk", goal="write tickets", backstory="b", llm=llm, allow_delegation=False)
    task = Task(
        description="Write a ticket as JSON: printer on fire",
        expected_output="JSON with title, priority (low, medium, high), steps",
        agent=clerk,
        guardrail=_valid,
        guardrail_max_retries=2,
    )
    Crew(agents=[clerk], tasks=[task]).kickoff()
