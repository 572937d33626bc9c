"""Each finding is tried where it stands: in its own call of several, in the one argument that is the answer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_planguard.replay.files.cassette_text import render
from pytest_planguard.replay.files.interaction import Interaction

from ...support.exchanges import URL, user
from ...support.warm import WarmExample
from ..projects import rows_by_test
from . import apps
from .apps import GERMAN, GOOD, TASK, wrong

BOTH_BAD = {
    "c1": '{"title": "Printer", "priority": "hi", "steps": [], "hours": 2}',
    "c2": '{"title": "Scanner", "priority": "low", "steps": [], "hours": "two"}',
}
BOTH_GOOD = {"c3": GOOD, "c4": GOOD}
ONE_BAD = '{"title": "Printer", "priority": "hi", "steps": ["look"], "hours": "two"}'
TESTS = """
import json

import httpx2
import pytest

from apps import GERMAN, TASK, TICKET, Contract, Ticket, wrong

URL = "https://api.example.com/v1/chat/completions"
ORDERS = Contract(Ticket, judged="order")


def results(calls, drop):
    for call in calls:
        told = [GERMAN[f] for f in wrong(call["function"]["arguments"]) if (call["id"], f) != drop]
        yield {"role": "tool", "tool_call_id": call["id"], "content": " ".join(told) or "gut"}


def app(drop=None):
    messages = [{"role": "user", "content": TASK}]
    for _ in range(2):
        answered = httpx2.post(URL, json={"model": "m", "messages": messages}, verify=False).json()
        said = answered["choices"][0]["message"]
        messages += [said, *results(said["tool_calls"], drop)]


@pytest.mark.planguard(ORDERS, cassette="right.yaml")
def test_right():
    app()


@pytest.mark.planguard(ORDERS, cassette="lossy.yaml")
def test_lossy():
    app(("c2", "hours"))


SAVED = Contract(Ticket, judged="save", argument="ticket")


def saving(drop=None):
    messages = [{"role": "user", "content": TASK}]
    for _ in range(2):
        answered = httpx2.post(URL, json={"model": "m", "messages": messages}, verify=False).json()
        said = answered["choices"][0]["message"]
        (call,) = said["tool_calls"]
        ticket = json.dumps(json.loads(call["function"]["arguments"])["ticket"])
        told = " ".join(GERMAN[f] for f in wrong(ticket) if f != drop) or "gut"
        messages += [said, {"role": "tool", "tool_call_id": call["id"], "content": told}]


@pytest.mark.planguard(SAVED, cassette="saved.yaml")
def test_saved():
    saving()


@pytest.mark.planguard(SAVED, cassette="saved_lossy.yaml")
def test_saved_lossy():
    saving("hours")
"""
Row = dict[str, Any]


def said(texts: dict[str, str], tool: str = "order") -> dict[str, Any]:
    """An assistant's turn with a call for each text."""
    calls = [
        {"id": name, "type": "function", "function": {"name": tool, "arguments": _arguments(text, tool)}}
        for name, text in texts.items()
    ]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def _arguments(text: str, tool: str) -> str:
    return text if tool == "order" else json.dumps({"ticket": json.loads(text), "urgent": True})


def told(call: str, text: str, drop: tuple[str, str] | None) -> dict[str, Any]:
    """What the app answers a call with."""
    words = " ".join(GERMAN[field] for field in wrong(text) if (call, field) != drop)
    return {"role": "tool", "tool_call_id": call, "content": words or "gut"}


def recorded(drop: tuple[str, str] | None = None, tool: str = "order") -> str:
    """Both answers, and what the app sends; each text is the arguments of `order`, and the one ticket of `save`."""
    turns = [user(TASK)]
    exchanges = []
    headers = (("content-type", ("application/json",)),)
    for texts in (BOTH_BAD, BOTH_GOOD) if tool == "order" else ({"c1": ONE_BAD}, {"c2": GOOD}):
        choice = {"index": 0, "message": said(texts, tool), "finish_reason": "tool_calls"}
        body = json.dumps({"object": "chat.completion", "model": "m", "choices": [choice]}).encode()
        request = json.dumps({"model": "m", "messages": turns}).encode()
        exchanges.append(Interaction("POST", URL, headers, request, 200, "OK", headers, body))
        turns = [*turns, said(texts, tool), *(told(name, text, drop) for name, text in texts.items())]
    return render(exchanges)


@pytest.fixture(scope="module")
def proofs() -> dict[str, list[Row]]:
    """What came of each finding, by test."""
    source = Path(apps.__file__).read_text(encoding="utf-8")
    cassettes = {
        "right.yaml": recorded(),
        "lossy.yaml": recorded(("c2", "hours")),
        "saved.yaml": recorded(tool="save"),
        "saved_lossy.yaml": recorded(("c1", "hours"), "save"),
    }
    run = WarmExample({"apps.py": source, "test_app.py": TESTS, **cassettes}).run_pytest("--planguard-prove")
    return {test: row["proofs"] for test, row in rows_by_test(run.example).items()}


@pytest.mark.parametrize(("app", "result"), [("right", "proven"), ("lossy", "missing")])
def test_each_finding_is_tried_in_its_call(app: str, result: str, proofs: dict[str, list[Row]]) -> None:
    """What one call lacks in its result is found; what is wrong with both cannot be told apart."""
    assert [(p["path"], p["result"]) for p in proofs[f"test_{app}"]] == [
        (["priority"], "reacts"),
        (["steps"], "not judged"),
        (["hours"], result),
    ]


@pytest.mark.parametrize(("app", "result"), [("saved", "proven"), ("saved_lossy", "missing")])
def test_each_finding_is_tried_in_the_argument_that_is_the_answer(
    app: str, result: str, proofs: dict[str, list[Row]]
) -> None:
    """The tool takes {"ticket": {...}, "urgent": true}, and the contract judges the ticket."""
    assert [(p["path"], p["result"]) for p in proofs[f"test_{app}"]] == [(["priority"], "reacts"), (["hours"], result)]
