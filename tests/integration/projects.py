"""Files that many integration tests share."""

from pytest_planguard.testing.example import Example

CONTRACTS = """
from typing import Literal

from pydantic import BaseModel, Field

from pytest_planguard import Contract


class Ticket(BaseModel):
    title: str = Field(min_length=3)
    priority: Literal["low", "medium", "high"]
    steps: list[str] = Field(min_length=1)


class Plan(BaseModel):
    goal: str


TICKET = Contract(Ticket)
PLAN = Contract(Plan)
GOOD = '{"title": "Printer", "priority": "high", "steps": ["look"]}'
BAD = '{"title": "Printer", "priority": "hi", "steps": []}'
"""
HEAD = "import pytest\nfrom contracts import *\n\n"


def project(test: str, **files: str) -> Example:
    """A project of one test file, which has the names of `contracts` in reach, and further files by stem."""
    extra = {f"{name}.py": content for name, content in files.items()}
    return Example({"contracts.py": CONTRACTS, "test_app.py": HEAD + test, **extra})


def rows(example: Example) -> list[dict[str, object]]:
    """The rows that a run left."""
    import json

    return [json.loads(line) for line in example.read(".planguard/last.jsonl").splitlines()]
