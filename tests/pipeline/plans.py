"""A contract, and answers to it as models write them."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any, Literal

from pydantic import BaseModel, Field

from pytest_planguard import Contract
from pytest_planguard.pipeline.stream_detectors import StreamThresholds
from pytest_planguard.pipeline.stream_monitor import StreamMonitor


class Step(BaseModel):
    name: str
    risk: Literal["low", "medium", "high"]
    days: int


class Plan(BaseModel):
    title: str
    steps: list[Step] = Field(min_length=1)


PLAN = Contract(Plan)
WORDS = [
    "the",
    "team",
    "should",
    "first",
    "look",
    "at",
    "what",
    "was",
    "agreed",
    "and",
    "then",
    "decide",
    "who",
    "takes",
    "which",
    "part",
    "of",
    "it",
    "because",
    "time",
    "is",
    "short",
    "and",
    "nobody",
    "knows",
    "yet",
    "how",
    "much",
    "money",
    "there",
    "will",
    "be",
    "for",
    "tools",
    "travel",
    "food",
    "rent",
    "people",
    "advice",
    "permits",
    "insurance",
]


def plan(steps: int = 3, **changed: Any) -> dict[str, Any]:
    """A good plan."""
    made = [{"name": f"step {n}", "risk": ("low", "medium", "high")[n % 3], "days": n} for n in range(steps)]
    return {"title": "Move the office", "steps": made, **changed}


def prose(seed: int, characters: int = 4_000) -> str:
    """Sentences without any JSON; some mention braces, brackets and quotes, as prose about plans does."""
    rng = random.Random(seed)
    text = ""
    while len(text) < characters:
        words = rng.choices(WORDS, k=rng.randint(6, 18))
        words[rng.randrange(len(words))] += rng.choice(["", "", " [1]", " {name}", ' "quoted"', " {}", " (see [2])"])
        text += " ".join(words).capitalize() + rng.choice([". ", ".\n", ".\n\n", "! "])
    return text


def pieces(text: str, size: int = 4) -> Iterator[str]:
    """The text in pieces of a size."""
    return (text[at : at + size] for at in range(0, len(text), size))


def codes(text: str, contract: Contract = PLAN, size: int = 4, **thresholds: Any) -> list[tuple[str, int, int]]:
    """Code, character and tokens of what the monitor says about an answer in pieces."""
    monitor = StreamMonitor(contract, thresholds=StreamThresholds(**thresholds))
    for piece in pieces(text, size):
        monitor.feed(piece)
    monitor.finish()
    assert monitor.text == text
    return [(found.code, found.character, found.tokens) for found in monitor.findings]


def as_json(value: Any, **options: Any) -> str:
    """JSON text."""
    return json.dumps(value, **options)
