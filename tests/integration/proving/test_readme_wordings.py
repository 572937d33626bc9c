"""The README's app says what was wrong in ten ways: each passes, and as a constant text it fails, with no option."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_planguard.testing.example import Run

from ...docs.pages import blocks
from ...support.lookalike import Lookalike
from ...support.lookalike.model import Answer
from ...support.lookalike.server import _Handler
from ...support.lookalike.spelling import Spelling
from ...support.paths import ROOT
from ...support.warm import WarmExample
from ..projects import rows_by_test

BAD = '{"title": "Printer on fire", "priority": "urgent", "steps": ["Cut the power"]}'
GOOD = '{"title": "Printer on fire", "priority": "high", "steps": ["Cut the power", "Call the fire brigade"]}'
NOTHING_SAID = '"That was not valid, try again."'
"""What the README's app sends before it is fixed."""
WORDS = """
BY_FIELD = {
    "english": {
        "priority": "That priority is none we know: pick low, medium or high.",
        "steps": "We cannot work with fewer than two steps.",
        "title": "The title is too short.",
    },
    "german": {
        "priority": "Die Dringlichkeit gibt es bei uns nicht.",
        "steps": "Bitte noch einen Arbeitsschritt mehr.",
        "title": "Die Überschrift ist zu kurz.",
    },
    "spanish": {
        "priority": "La prioridad no existe; elige baja, media o alta.",
        "steps": "Faltan pasos.",
        "title": "El título es demasiado corto.",
    },
    "french": {
        "priority": "Cette urgence est inconnue chez nous.",
        "steps": "Il nous faut au moins deux étapes.",
        "title": "Ce titre est trop court.",
    },
    "chinese": {"priority": "优先级不对。", "steps": "步骤太少。", "title": "标题太短。"},
    "synonyms": {
        "priority": "The urgency makes no sense to our dispatchers.",
        "steps": "The to-do list looks thin.",
        "title": "The headline is not one.",
    },
}


def field_by_field(language):
    return lambda error: " ".join(BY_FIELD[language][e["loc"][0]] for e in error.errors())


def summary(error):
    return f"{len(error.errors())} mistakes: " + ", ".join(e["type"].replace("_", " ") for e in error.errors())


def messages_alone(error):
    return "; ".join(e["msg"] for e in error.errors())


def places_alone(error):
    return "Have another look at " + " and ".join(str(e["loc"][0]) for e in error.errors())


def values(error):
    return "We got " + " and ".join(repr(e["input"]) for e in error.errors()) + ", which will not do."


WORDINGS = {language: field_by_field(language) for language in BY_FIELD}
WORDINGS |= {f.__name__: f for f in (summary, messages_alone, places_alone, values)}
"""
TESTS = """
import pytest
from pydantic import ValidationError
from pytest_planguard import Contract, distinct

import app
import words

TICKET = Contract(app.Ticket, constraints=[distinct("steps")], extract="whole")
BAD = {bad!r}
WORDINGS = list(words.WORDINGS)


def errors():
    try:
        app.Ticket.model_validate_json(BAD)
    except ValidationError as error:
        return error


@pytest.mark.planguard(TICKET)
@pytest.mark.parametrize("wording", WORDINGS)
def test_built_from_the_errors(wording, monkeypatch):
    monkeypatch.setattr(app, "say", words.WORDINGS[wording], raising=False)
    app.create_ticket("the printer on floor 3 is on fire")


@pytest.mark.planguard(TICKET)
@pytest.mark.parametrize("wording", WORDINGS)
def test_constant(wording, monkeypatch):
    text = words.WORDINGS[wording](errors())
    monkeypatch.setattr(app, "say", lambda error: text, raising=False)
    app.create_ticket("the printer on floor 3 is on fire")
"""


class _Second(_Handler):
    """Answers badly, and well as soon as it is asked again, whatever is said."""

    def _answer(self, lookalike: Lookalike, spelling: Spelling, body: dict[str, Any], *, stream: bool) -> None:
        del lookalike, stream
        again = any(turn.role == "assistant" for turn in spelling.turns(body))
        self._send(200, spelling.whole(Answer(GOOD if again else BAD), body))


def _app() -> str:
    """Return the README's app, with words that its tests choose."""
    (code,) = (b.text for b in blocks(ROOT / "README.md") if b.value("file") == "app.py" and "replace" not in b.words)
    assert code.count(NOTHING_SAID) == 1
    return code.replace(NOTHING_SAID, "say(error)")


@pytest.fixture(scope="module")
def runs() -> dict[str, Run]:
    """Return the run that recorded and the one that replayed."""
    server = Lookalike()
    server._server.RequestHandlerClass = _Second
    example = WarmExample({"app.py": _app(), "words.py": WORDS, "test_app.py": TESTS.replace("{bad!r}", repr(BAD))})
    try:
        env = {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": "any"}
        recorded = example.run_pytest("--planguard-record=missing", "--tb=no", env=env, timeout_s=300)
    finally:
        server.stop()
    closed = {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": "any"}
    return {"recorded": recorded, "replayed": recorded.example.run_pytest("--tb=no", env=closed, timeout_s=300)}


@pytest.mark.parametrize("run", ["recorded", "replayed"])
def test_words_built_from_the_errors_pass(run: str, runs: dict[str, Run]) -> None:
    """In whatever language, with or without names, messages or values."""
    told = _results(runs[run], "test_built_from_the_errors")
    assert len(told) == 10
    assert [name for name, result in told.items() if result != "passed"] == []


@pytest.mark.parametrize("run", ["recorded", "replayed"])
def test_the_same_words_as_a_constant_fail(run: str, runs: dict[str, Run]) -> None:
    """They fit this answer, and would be sent after any other."""
    told = _results(runs[run], "test_constant")
    assert len(told) == 10
    assert [name for name, result in told.items() if result == "passed"] == []


def _results(run: Run, test: str) -> dict[str, str]:
    rows = rows_by_test(run.example)
    return {name: row["result"] for name, row in rows.items() if name.startswith(f"{test}[")}
