"""Projects and scripts for the integration tests."""

import json
from typing import Any

from pytest_planguard.testing.example import Example, Run

from ..support.lookalike import Lookalike
from ..support.warm import WarmExample
from .apps import APPS, ASK

PRINTER = {"title": "Printer", "priority": "high", "steps": ["look", "restart"]}
TOMATO = {"title": "Tomato", "priority": "low", "steps": ["dig", "plant"]}

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


def project(test: str, **files: str) -> WarmExample:
    """Return a project of one test file that can import the names of `contracts`, and of more files by stem."""
    extra = {f"{name}.py": content for name, content in files.items()}
    return WarmExample({"contracts.py": CONTRACTS, "test_app.py": HEAD + test, **extra})


def app(test: str) -> WarmExample:
    """Return a project with the apps and one test file."""
    return project("import apps, ask\n" + test, apps=APPS, ask=ASK)


def script(server: Lookalike) -> Lookalike:
    """Script three tasks: the printer's answer has two errors, the tomato's has another, the mule's cannot be fixed."""
    server.script(PRINTER, {**PRINTER, "priority": "hi", "steps": []}, when="printer")
    server.script(TOMATO, {**TOMATO, "title": "T"}, when="tomato")
    server.script(TOMATO, TOMATO, when="long", needs_tokens=400)
    server.script({**TOMATO, "priority": "no"}, {**TOMATO, "priority": "no"}, when="mule")
    return server


def run(example: Example, server: Lookalike, *args: str, plugins: tuple[str, ...] = ("planguard",), **env: str) -> Run:
    """Run the project's tests with the look-alike's address in the environment, even if it no longer runs."""
    return example.run_pytest(*args, env={"LOOKALIKE": server.origin, **env}, plugins=plugins)


def rows(example: Example, name: str = "last") -> list[dict[str, Any]]:
    """Return the rows of the last run, or of the run with this name."""
    return [json.loads(line) for line in row_lines(example, name)]


def row_lines(example: Example, name: str = "last") -> list[str]:
    """Return the rows as the file has them, without the header."""
    return example.read(f".planguard/{name if name == 'last' else f'runs/{name}'}.jsonl").splitlines()[1:]


def header(example: Example, name: str = "last") -> dict[str, Any]:
    """Return the header of a run."""
    found: dict[str, Any] = json.loads(
        example.read(f".planguard/{name if name == 'last' else f'runs/{name}'}.jsonl").splitlines()[0]
    )
    return found


def rows_by_test(example: Example) -> dict[str, dict[str, Any]]:
    """Return the rows of the last run by the test's name without its file: 'test_a[x]', 'TestCase::test_b'."""
    return {row["test"].partition("::")[2]: row for row in rows(example)}
