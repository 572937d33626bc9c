"""An app that closes a bad stream and asks again has to say why, as every other retry has."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_planguard.testing.example import Run

from ...support.lookalike import Lookalike
from ...support.lookalike.model import Answer
from ...support.lookalike.server import _Handler
from ...support.lookalike.spelling import Spelling
from ...support.warm import WarmExample
from ..projects import rows_by_test

GOOD = {"title": "Printer on fire", "priority": "high", "steps": ["Cut the power", "Call the fire brigade"]}
PROSE = "".join(f"Sentence number {number} about the printer. " for number in range(60))
APP = """
import os
from typing import Literal

import openai
from pydantic import BaseModel
from pytest_planguard import Contract, watch_stream


class Ticket(BaseModel):
    title: str
    priority: Literal["low", "medium", "high"]
    steps: list[str]


TICKET = Contract(Ticket)


def blind(found):
    return "That will not do. Try again."


def told(found):
    return f"{'.'.join(map(str, found.path))}: {found.message}"


def german(found):
    return {"prose": "Das ist ja ein Roman."}.get(found.code, f"Da stimmt etwas anderes nicht, Fall {len(found.code)}.")


def create_ticket(task, words):
    client = openai.OpenAI(base_url=os.environ["LOOKALIKE"] + "/v1", api_key="test", max_retries=0)
    messages = [{"role": "user", "content": f"Write a ticket about {task}."}]
    for _ in range(3):
        watched = watch_stream(client.chat.completions.create(model="m", messages=messages, stream=True), TICKET)
        for _chunk in watched:
            pass
        verdict = TICKET.check(watched.text)
        if verdict.ok:
            return verdict.value
        assert watched.aborted is not None or len(watched.text) < 1_000
        found = verdict.errors[0] if watched.aborted is None else watched.aborted.finding
        messages += [{"role": "assistant", "content": watched.text}, {"role": "user", "content": words(found)}]
    raise ValueError("no ticket")
"""
TESTS = """
import pytest
import app

@pytest.mark.planguard(app.TICKET)
@pytest.mark.parametrize("words", ["told", "german", "blind"])
def test_stream(words):
    assert app.create_ticket(f"the printer {words}", getattr(app, words)) is not None
"""


class _Second(_Handler):
    """Streams a bad answer, and a good one as soon as it is asked again, whatever is said."""

    def _answer(self, lookalike: Lookalike, spelling: Spelling, body: dict[str, Any], *, stream: bool) -> None:
        del lookalike
        assert stream
        again = any(turn.role == "assistant" for turn in spelling.turns(body))
        text = json.dumps(GOOD) if again else PROSE
        self._stream(spelling.stream(Answer(text), body), spelling.stream_type)


@pytest.fixture(scope="module")
def runs() -> dict[str, Run]:
    """Return the run that recorded, and the one that replayed."""
    server = Lookalike()
    server._server.RequestHandlerClass = _Second
    example = WarmExample({"app.py": APP, "test_app.py": TESTS})
    env = {"LOOKALIKE": server.origin}
    try:
        recorded = example.run_pytest("--planguard-record=missing", env=env, timeout_s=300)
    finally:
        server.stop()
    return {"recorded": recorded, "replayed": recorded.example.run_pytest(env=env, timeout_s=300)}


@pytest.mark.parametrize("run", ["recorded", "replayed"])
def test_an_aborted_answer_is_fed_back(run: str, runs: dict[str, Run]) -> None:
    """In the words of the stream's finding or in others; a loop that only says that it will not do fails."""
    results = {name: row["result"] for name, row in rows_by_test(runs[run].example).items()}
    assert results == {
        "test_stream[told]": "passed",
        "test_stream[german]": "passed",
        "test_stream[blind]": "failed",
    }, runs[run].output
