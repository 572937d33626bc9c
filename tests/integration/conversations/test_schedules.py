"""Parallel sub-calls come in another order each time: a replay's rows are the same, or it says that it cannot know."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from pytest_planguard.replay.files.cassette_text import render
from pytest_planguard.replay.files.interaction import Interaction
from pytest_planguard.replay.matching.cassette_index import CONVERSATION_HEADER
from pytest_planguard.testing.example import Run

from ...support.exchanges import chat
from ...support.nightly import drawn
from ...support.warm import WarmExample
from .. import projects
from . import graph
from .graph import Graph, Messages, demanded

SCHEDULES, FEWER = len(drawn(range(100), 25)), len(drawn(range(10), 4))
TESTS = """
import random

import httpx2
import pytest

from graph import PLAN, TASK, Graph, demanded

URL = "https://api.example.com/v1/chat/completions"
NAMES = ["kite", "lamp", "mast", "nest"]
marked = {file: pytest.mark.planguard(TASK, PLAN, cassette=f"{file}.yaml") for file in ("graph", "twins", "named")}


@pytest.fixture
async def ask():
    async with httpx2.AsyncClient(verify=False) as client:
        async def send(messages, who, model):
            answered = await client.post(URL, json={"model": who, "messages": messages, **demanded(model)})
            answered.raise_for_status()
            return answered.json()["choices"][0]["message"]["content"]
        yield send


def jitter(seed, longest_s=0.002):
    found = random.Random(seed)
    return lambda: found.choice([0, 0, longest_s / 4, longest_s])


@marked["graph"]
@pytest.mark.parametrize("seed", range(SCHEDULES))
async def test_graph(ask, seed):
    await Graph(ask, jitter(seed)).run(random.Random(seed).sample(NAMES, len(NAMES)))


@marked["twins"]
@pytest.mark.parametrize("seed", range(FEWER))
async def test_twins(ask, seed):
    await Graph(ask, jitter(seed, longest_s=0.06)).run(["a", "b"], "Task as JSON")  # one may be done before the other


@marked["named"]
@pytest.mark.parametrize("seed", range(FEWER))
async def test_named(planguard, ask, seed):
    await Graph(ask, jitter(seed), planguard.conversation).run(["a", "b", "c"], "Task as JSON")
""".replace("SCHEDULES", str(SCHEDULES)).replace("FEWER", str(FEWER))
GOOD = {"title": "Kite", "priority": "low", "steps": ["fly"]}
BAD: tuple[dict[str, Any], ...] = (
    {"priority": "hi"},
    {"steps": []},
    {},
    {"title": "K", "steps": []},
)


def recorded(names: list[str], *, prompt: str = "Task as JSON for: {}", named: bool = False) -> str:
    """A cassette of the graph: each worker has errors of its own, and the fourth is escalated."""
    exchanges: list[Interaction] = []

    async def ask(messages: Messages, who: str, model: type[BaseModel] | None) -> str:
        first = messages[0]["content"]
        text = "yes" if first.startswith("Is") else json.dumps({"goal": "g", "names": names})
        if first.startswith("Task"):
            text = answer(asked.setdefault(id(asyncio.current_task()), len(asked)), len(messages) // 2)
        one = chat(messages, text, model=who, **demanded(model))
        name = names_of.get(asyncio.current_task()) if named else None
        exchanges.append(one if name is None else labelled(one, name))
        return text

    asked: dict[int, int] = {}
    names_of: dict[Any, str] = {}

    class Name:
        def __init__(self, name: str) -> None:
            self.name = name

        def __enter__(self) -> None:
            names_of[asyncio.current_task()] = self.name

        def __exit__(self, *_: object) -> None:
            names_of.pop(asyncio.current_task())

    asyncio.run(Graph(ask, lambda: 0, Name).run(names, prompt))
    return render(exchanges)


def answer(worker: int, attempt: int) -> str:
    """What the model says to a worker: its title tells it apart."""
    good = {**GOOD, "title": f"Kite {worker}"}
    bad = {**good, **BAD[worker]}
    last = 2 if worker == 3 else 1
    return json.dumps(bad if attempt < last else good)


def labelled(one: Interaction, name: str) -> Interaction:
    """The exchange under the app's name of its conversation, as a cassette keeps it."""
    from dataclasses import replace

    return replace(one, request_headers=(*one.request_headers, (CONVERSATION_HEADER, (name,))))


@pytest.fixture(scope="module")
def run() -> Run:
    """Every schedule, three apps, in one process."""
    names = ["a", "b", "c"]
    project = {
        "graph.py": Path(graph.__file__).read_text(encoding="utf-8"),
        "graph.yaml": recorded(["kite", "lamp", "mast", "nest"]),
        "twins.yaml": recorded(names[:2], prompt="Task as JSON"),
        "named.yaml": recorded(names, prompt="Task as JSON", named=True),
        "test_app.py": TESTS,
    }
    modes = ("-o", "asyncio_mode=auto", "-o", "asyncio_default_fixture_loop_scope=function")
    return WarmExample(project).run_pytest("-q", *modes, plugins=("planguard", "asyncio"))


@pytest.fixture(scope="module")
def rows(run: Run) -> dict[str, list[dict[str, Any]]]:
    """The rows by test, each without what says which schedule it was."""
    found: dict[str, list[dict[str, Any]]] = {}
    for row in projects.rows(run.example):
        name = row.pop("test").partition("[")[0].rpartition("_")[2]
        found.setdefault(name, []).append({k: v for k, v in row.items() if k not in ("key", "inputs", "line")})
    return found


@pytest.mark.parametrize(
    ("app", "attempts"), [("graph", [1, 1, 2, 2, 3]), ("twins", [1, 2, 2]), ("named", [1, 1, 2, 2])]
)
def test_every_schedule_has_the_same_row(
    app: str, attempts: list[int], rows: dict[str, list[dict[str, Any]]], run: Run
) -> None:
    """Parallel workers with approved, revise and escalate edges, told apart by prompt, by answer or by name."""
    assert len(rows[app]) == (SCHEDULES if app == "graph" else FEWER), run.stdout
    assert {row["result"] for row in rows[app]} == {"passed"}, run.stdout[-3000:]
    assert {row["outcome"] for row in rows[app]} == {"converged"}
    assert [row for row in rows[app] if row != rows[app][0]] == []
    assert sorted(len(c["attempts"]) for c in rows[app][0]["judged"]) == attempts
