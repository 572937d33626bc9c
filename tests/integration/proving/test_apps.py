"""Apps with words of their own: an experiment finds what they lose, and nothing where they lose nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_planguard.document.path import to_dotted
from pytest_planguard.replay.files.cassette_text import render
from pytest_planguard.replay.files.interaction import Interaction
from pytest_planguard.testing.example import Run

from ...support.exchanges import chat
from ...support.warm import WarmExample
from ..projects import rows_by_test
from . import apps
from .apps import APPS, BAD, GOOD, Ask

TESTS = """
import httpx2
import pytest

from apps import APPS, TICKET

URL = "https://api.example.com/v1/chat/completions"


def ask(messages):
    answered = httpx2.post(URL, json={"model": "m", "messages": messages}, verify=False)
    answered.raise_for_status()
    return answered.json()["choices"][0]["message"]["content"]


def cases(kind, **more):
    def case(app):
        mark = pytest.mark.planguard(TICKET, cassette=f"{kind}-{app.__name__}.yaml", **more.get(app.__name__, {}))
        return pytest.param(app, id=app.__name__, marks=mark)

    return pytest.mark.parametrize("app", list(map(case, APPS)))


@cases("right", first_only={"coverage": "first"})
def test_right(app):
    assert app(ask)


@cases("lossy")
def test_lossy(app):
    assert app(ask, "steps")
"""
Row = dict[str, Any]


def recorded(app: Callable[..., object], drop: str | None = None) -> str:
    """A cassette of what the app sends, answered badly first and well then."""
    exchanges: list[Interaction] = []

    def ask(messages: list[dict[str, Any]]) -> str:
        exchanges.append(chat(messages, GOOD if exchanges else BAD))
        return GOOD if len(exchanges) > 1 else BAD

    talk: Ask = ask
    app(talk, drop)
    return render(exchanges)


@pytest.fixture(scope="module")
def run() -> Run:
    """All apps, right and lossy, with experiments."""
    project = {"apps.py": Path(apps.__file__).read_text(encoding="utf-8"), "test_app.py": TESTS}
    for app in APPS:
        project[f"right-{app.__name__}.yaml"] = recorded(app)
        project[f"lossy-{app.__name__}.yaml"] = recorded(app, "steps")
    return WarmExample(project).run_pytest("--planguard-prove")


@pytest.fixture(scope="module")
def rows(run: Run) -> dict[str, Row]:
    """The rows by test and app: 'test_right[german]'."""
    return rows_by_test(run.example)


def gradings(row: Row) -> dict[str, str]:
    """Place to grading."""
    return {to_dotted(tuple(proof["path"])): proof["result"] for proof in row["proofs"]}


@pytest.mark.parametrize("app", APPS, ids=lambda a: a.__name__)
def test_the_lost_finding_is_found(app: Callable[..., object], rows: dict[str, Row]) -> None:
    """Reworded, translated, summarised, one at a time, by place, in codes: the dropped finding is not fed back."""
    row = rows[f"test_lossy[{app.__name__}]"]
    assert row["result"] == "failed"
    assert gradings(row)["steps"] == "missing"


SHOWN = {
    apps.rewords: ("reacts", "reacts", "reacts"),
    apps.german: ("reacts", "proven", "proven"),
    apps.japanese: ("reacts", "reacts", "proven"),
    apps.summary: ("proven", "proven", "proven"),
    apps.first_only: ("reacts", "missing", "missing"),
    apps.reminders: ("proven", "proven", "proven"),
    apps.in_the_prompt: ("reacts", "reacts", "reacts"),
    apps.by_position: ("reacts", "reacts", "reacts"),
    apps.quotes: ("reacts", "proven", "proven"),
    apps.system_note: ("reacts", "reacts", "reacts"),
}
"""What is shown of priority, steps and hours: proven where the words hold a rule, a place or a value."""


@pytest.mark.parametrize("app", APPS, ids=lambda a: a.__name__)
def test_a_right_app_passes(app: Callable[..., object], rows: dict[str, Row]) -> None:
    """No false alarm, although no reader knows all of these words; what is agreed to be sent later may be missing."""
    row = rows[f"test_right[{app.__name__}]"]
    assert row["result"] == "passed", gradings(row)
    assert tuple(gradings(row).values()) == SHOWN[app]


UNREACHED = """
from functools import lru_cache

import httpx2
import pytest
from apps import FRIENDLY, TICKET, dialogue, rewords

URL = "https://api.example.com/v1/chat/completions"
STEPS = {"priority steps hours": "\\n".join(["Hm, nearly.", *FRIENDLY.values()])}


def ask(messages):
    answered = httpx2.post(URL, json={"model": "m", "messages": messages}, verify=False)
    return answered.json()["choices"][0]["message"]["content"]


@lru_cache
def cached(app):
    return app(ask)


def blind(ask):
    return dialogue(ask, lambda *_: "That was wrong. Please try again.")


def limited(ask):
    return dialogue(ask, lambda _, found: STEPS[" ".join(found)])


@pytest.mark.planguard(TICKET, cassette="rewords.yaml")
def test_cached():
    cached(rewords)


@pytest.mark.planguard(TICKET, cassette="rewords.yaml")
def test_limited():
    limited(ask)


@pytest.mark.planguard(TICKET, cassette="blind.yaml")
def test_cached_and_blind():
    cached(blind)
"""


def test_own_words_that_no_rerun_reaches_are_unclear() -> None:
    """The app caches its result, or fails on a changed answer. Words that say nothing are missing all the same."""
    blind = recorded(lambda ask, _: apps.dialogue(ask, lambda *_: "That was wrong. Please try again."))
    project = {"apps.py": Path(apps.__file__).read_text(encoding="utf-8"), "test_app.py": UNREACHED}
    run = WarmExample({**project, "rewords.yaml": recorded(apps.rewords), "blind.yaml": blind}).run_pytest()
    found = {
        name: (
            row["result"],
            {one["grade"] for case in row["judged"] for at in case["attempts"] for one in at["fed_back"]},
        )
        for name, row in rows_by_test(run.example).items()
    }
    assert found == {
        "test_cached": ("passed", {"unclear"}),
        "test_limited": ("passed", {"unclear"}),
        "test_cached_and_blind": ("failed", {"missing"}),
    }, run.stdout
