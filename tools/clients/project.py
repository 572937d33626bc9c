"""The project in which a client runs: one marked test for each client and each form of answer."""

from __future__ import annotations

from pathlib import Path

from pytest_planguard.testing import Example

CONTRACTS = """
from typing import Literal

from pydantic import BaseModel, Field

from pytest_planguard import Contract


class Ticket(BaseModel):
    title: str = Field(min_length=3)
    priority: Literal["low", "medium", "high"]
    steps: list[str] = Field(min_length=1)


TICKET = Contract(Ticket)
"""
TEST = """
import os
import subprocess

import pytest
from contracts import TICKET

COMMAND = {command}
ENVIRONMENT = {environment}


def case(how):
    return pytest.param(how, marks=pytest.mark.planguard(TICKET, cassette="{name}-" + how + ".yaml"))


@pytest.mark.parametrize("how", [case("json"), case("stream")])
def test_client(how):
    blind = ["blind"] if "BLIND" in os.environ else []
    done = subprocess.run([*COMMAND, how, *blind], env={{**os.environ, **ENVIRONMENT}}, capture_output=True, text=True)
    print(done.stdout, done.stderr)
"""
WAYS = ("json", "stream")


def client_project(name: str, command: list[str], environment: dict[str, str]) -> Example:
    """Return the project of a client; its cassettes are NAME-json.yaml and NAME-stream.yaml."""
    test = TEST.format(name=name, command=repr(command), environment=repr(environment))
    return Example({"contracts.py": CONTRACTS, "test_client.py": test})


def with_cassettes(example: Example, name: str, folder: Path) -> Example:
    """Return a project with the cassettes of a client from a folder."""
    kept = {f"{name}-{how}.yaml": (folder / f"{name}-{how}.yaml").read_text(encoding="utf-8") for how in WAYS}
    return example.with_files(kept)
