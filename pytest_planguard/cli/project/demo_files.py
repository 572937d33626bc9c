"""The project of the demo: an app with a retry loop and the bug that everybody has once, and its test."""

from __future__ import annotations

APP = '''import json
import os
import urllib.request
from typing import Literal

from pydantic import BaseModel, Field, ValidationError


class Ticket(BaseModel):
    title: str = Field(min_length=3)
    priority: Literal["low", "medium", "high"]
    steps: list[str] = Field(min_length=2)


def ask(messages):
    """Ask a model. Any client does: planguard listens to the traffic. This one needs nothing installed."""
    request = urllib.request.Request(
        f"{os.environ.get('OPENAI_BASE_URL', 'https://api.openai.com/v1')}/chat/completions",
        json.dumps({"model": "gpt-5-mini", "messages": messages}).encode(),
        {"Content-Type": "application/json", "Authorization": f"Bearer {os.environ.get('OPENAI_API_KEY', 'none')}"},
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)["choices"][0]["message"]["content"]


def create_ticket(task):
    messages = [
        {"role": "system", "content": "Write a ticket as JSON: title, priority (low, medium, high), steps (a list)."},
        {"role": "user", "content": task},
    ]
    for _ in range(3):
        answer = ask(messages)
        try:
            return Ticket.model_validate_json(answer)
        except ValidationError as error:
            messages.append({"role": "assistant", "content": answer})
            messages.append({"role": "user", "content": "That was not valid, try again."})
    raise RuntimeError("no ticket")
'''
TEST = """import pytest
from app import Ticket, create_ticket

from pytest_planguard import Contract, distinct

TICKET = Contract(Ticket, constraints=[distinct("steps")], extract="whole")


@pytest.mark.planguard(TICKET)
def test_create_ticket():
    create_ticket("the printer on floor 3 is on fire")
"""
BUG = '"That was not valid, try again."'
FIX = 'f"That was not valid: {error}"'
FILES = {"app.py": APP, "test_app.py": TEST, "pytest.ini": "[pytest]\n", ".gitignore": "*.part*\n.planguard/\n"}
