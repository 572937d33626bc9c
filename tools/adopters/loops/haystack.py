"""Haystack: JsonSchemaValidator feeds back one error of all, lets an empty list pass, and reads text as JSON."""

from typing import Literal

import pytest
from haystack import Pipeline
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.components.joiners import BranchJoiner
from haystack.components.validators import JsonSchemaValidator
from haystack.dataclasses import ChatMessage
from pydantic import BaseModel, Field

from pytest_planguard import Contract


class Ticket(BaseModel):
    title: str = Field(min_length=3)
    priority: Literal["low", "medium", "high"]


@pytest.mark.planguard(Contract(Ticket))
@pytest.mark.parametrize(
    ("case", "passes"),
    [("one_error", "high"), ("two_errors", "high"), ("no_json", "high"), ("empty_list", "[]"), ("quoted_json", "Fire")],
)
def test_loop(case, passes):
    """The loop of the documentation."""
    loop = Pipeline()
    loop.add_component("joiner", BranchJoiner(list[ChatMessage]))
    loop.add_component("llm", OpenAIChatGenerator(model="gpt-4o-mini"))
    loop.add_component("validator", JsonSchemaValidator(Ticket.model_json_schema()))
    loop.connect("joiner", "llm")
    loop.connect("llm.replies", "validator.messages")
    loop.connect("validator.validation_error", "joiner")
    asked = [ChatMessage.from_user("Write a ticket as JSON: title and priority (low, medium, high)")]
    assert passes in loop.run({"joiner": {"value": asked}})["validator"]["validated"][0].text, case
