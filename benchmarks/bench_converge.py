"""The driven loop as a contender of a retry benchmark: what checking, feedback and judging cost over a bare loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pytest_planguard.contract import Contract
from pytest_planguard.retry.loop import converge


def factory(schema: Any, replies: list[str]) -> Callable[[], tuple[Any, list[str]]]:
    """A callable that drives one conversation over scripted replies: (value, last message of each)."""
    contract = Contract(schema)

    def run() -> tuple[Any, list[str]]:
        scripted = iter(replies)
        requests: list[str] = []

        def ask(messages: list[dict[str, Any]]) -> str:
            requests.append(messages[-1]["content"])
            return next(scripted)

        found = converge(ask, "Make a plan", contract, max_attempts=len(replies), stop_when_stuck=False)
        return found.value, requests

    return run
