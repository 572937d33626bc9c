"""DSPy: `Refine` drops a parse error, and the JSON adapter alone does not ask again."""

from typing import Literal

import dspy
import pytest
from pydantic import BaseModel, Field

from pytest_planguard import Contract


class Ticket(BaseModel):
    title: str = Field(min_length=3)
    priority: Literal["low", "medium", "high"]
    steps: list[str] = Field(min_length=2)


class Output(BaseModel):
    ticket: Ticket


class Write(dspy.Signature):
    """Write a ticket."""

    task: str = dspy.InputField()
    ticket: Ticket = dspy.OutputField()


@pytest.fixture(autouse=True)
def model():
    dspy.configure(lm=dspy.LM("openai/gpt-4o-mini", cache=False), adapter=dspy.JSONAdapter())


@pytest.mark.planguard(Contract(Output))
def test_predict():
    with pytest.raises(Exception):  # noqa: B017, PT011 - the adapter's own error
        dspy.Predict(Write)(task="the printer is on fire")


@pytest.mark.planguard(Contract(Output))
def test_refine():
    def reward(_arguments, found):
        return 1.0 if found.ticket.priority == "high" else 0.0

    dspy.Refine(module=dspy.Predict(Write), N=3, reward_fn=reward, threshold=1.0)(task="the printer is on fire")
