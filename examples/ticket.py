"""What all ticket apps share: the answer they want, the prompt that asks for it, and the call to the model."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from openai import OpenAI
from pydantic import BaseModel, ConfigDict, Field, ValidationError

MODEL = "smollm2-135m-instruct-q4_1"
URL = "http://127.0.0.1:18431/v1"  # examples/local_model/server.py; only needed to record again
LIMIT = 128  # tokens of one answer; a ticket needs about 60

SYSTEM = (
    'You turn a task into a JSON ticket with the keys "title" (string), "priority" ("low", "medium" or "high") and '
    '"steps" (a list of 2 to 6 different strings). Answer with the JSON object only.'
)
EXAMPLES = {
    "clean the garage": {
        "title": "Clean the garage",
        "priority": "low",
        "steps": ["Sort the boxes", "Sweep the floor"],
    },
    "server room is on fire": {
        "title": "Put out the server room fire",
        "priority": "high",
        "steps": ["Call the fire brigade", "Cut the power", "Evacuate the building"],
    },
}


class Ticket(BaseModel):
    """What the apps hand on to the ticket system."""

    model_config = ConfigDict(extra="forbid")

    title: str = Field(min_length=3, max_length=80)
    priority: Literal["low", "medium", "high"]
    steps: list[Annotated[str, Field(min_length=3, max_length=120)]] = Field(min_length=2, max_length=6)


class NoTicket(Exception):
    """The model did not write a ticket that the app can use."""


def prompt(task: str) -> list[dict[str, str]]:
    """The first request: the rules, two worked examples, the task."""
    messages = [{"role": "system", "content": SYSTEM}]
    for example, ticket in EXAMPLES.items():
        messages.append({"role": "user", "content": f"Task: {example}"})
        messages.append({"role": "assistant", "content": json.dumps(ticket)})
    return [*messages, {"role": "user", "content": f"Task: {task}"}]


def ask(messages: list[Any], attempt: int) -> str:
    """One answer of the model. Raises NoTicket where it was cut off: the same limit would cut the next one too."""
    client = OpenAI(base_url=URL, api_key="none-needed", max_retries=0)
    reply = client.chat.completions.create(
        model=MODEL, messages=messages, max_tokens=LIMIT, temperature=0.7, seed=attempt
    )
    if reply.choices[0].finish_reason == "length":
        raise NoTicket(f"the answer was cut off after {LIMIT} tokens")
    return reply.choices[0].message.content or ""


def mistakes(answer: str) -> list[str]:
    """What the app finds wrong with an answer, one line each; [] for a ticket it takes."""
    try:
        ticket = Ticket.model_validate_json(answer)
    except ValidationError as error:
        return [f"{'.'.join(map(str, e['loc'])) or '(whole answer)'}: {e['msg']}" for e in error.errors()]
    repeated = [number for number, step in enumerate(ticket.steps) if step in ticket.steps[:number]]
    return [f"steps.{number}: duplicate of an earlier step" for number in repeated]
