"""An app that reports schema and content at once: a swallowed rule across fields is told, for the contract knows it."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_planguard.replay.files.cassette_text import render
from pytest_planguard.testing.example import Run

from ...support.exchanges import chat
from ...support.warm import WarmExample

APP = """
from typing import Literal

import httpx2
from pydantic import BaseModel
from pytest_planguard import Contract, custom


class Advert(BaseModel):
    town: Literal["Bern", "Basel"]
    low: int
    high: int


def pay(advert):
    if advert["low"] > advert["high"]:
        return "low must not be above high"


ADVERT = Contract(Advert, constraints=[custom("", pay)])
WORDS = {"town": "The town must be Bern or Basel.", "pay": "Low must not be above high."}


def advertise(ask, drop=None):
    messages = [{"role": "user", "content": "Write an advert as JSON."}]
    for _ in range(3):
        text = ask(messages)
        wrong = {"town": '"Rome"' in text, "pay": '"low": 9' in text}
        if not any(wrong.values()):
            return text
        said = " ".join(WORDS[name] for name in wrong if wrong[name] and name != drop)
        messages = [*messages, {"role": "assistant", "content": text}, {"role": "user", "content": said}]


def ask(messages):
    answered = httpx2.post("https://api.example.com/v1/chat/completions", json={"model": "m", "messages": messages})
    return answered.json()["choices"][0]["message"]["content"]
"""
TEST = """
import pytest
from app import ADVERT, advertise, ask


def case(drop):
    return pytest.param(drop, marks=pytest.mark.planguard(ADVERT, cassette=f"{drop}.yaml", must_feed_back="contract"))


@pytest.mark.parametrize("drop", [case("nothing"), case("town"), case("pay")])
def test_advert(drop):
    assert advertise(ask, drop)
"""
BAD = '{"town": "Rome", "low": 9, "high": 5}'
GOOD = '{"town": "Bern", "low": 3, "high": 5}'


def recorded(make: Any, drop: str) -> str:
    """What the app sends, answered badly first and well then."""
    exchanges: list[Any] = []

    def ask(messages: list[dict[str, Any]]) -> str:
        exchanges.append(chat(messages, GOOD if exchanges else BAD))
        return GOOD if len(exchanges) > 1 else BAD

    make(ask, drop)
    return render(exchanges)


@pytest.fixture(scope="module")
def done() -> Run:
    """The three cases, replayed."""
    names: dict[str, Any] = {}
    exec(compile(APP, "app.py", "exec"), names)
    files = {f"{drop}.yaml": recorded(names["advertise"], drop) for drop in ("nothing", "town", "pay")}
    return WarmExample({"app.py": APP, "test_app.py": TEST, **files}).run_pytest()


def test_what_is_swallowed_is_told(done: Run) -> None:
    """The right app passes. One that drops either of its two complaints does not."""
    assert done.outcomes == {"passed": 1, "failed": 2}
    assert "missing on the way to attempt 2: town" in done.output
    assert "wrong on the way to attempt 2: (whole answer)" in done.output
