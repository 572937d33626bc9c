"""Retry loops as users write them: a correct one, and ones with the faults that the machine must find."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError

from pytest_planguard import Contract

Ask = Callable[[Sequence[dict[str, Any]]], str]


class Ticket(BaseModel):
    """What the loops ask for."""

    title: str = Field(min_length=3)
    priority: Literal["low", "medium", "high"]
    steps: list[str] = Field(min_length=2)


TICKET = Contract(Ticket)


def correct(ask: Ask, task: str, attempts: int = 3) -> Ticket:
    """Ask, validate, and feed back what pydantic says."""
    messages = [{"role": "user", "content": f"Write a ticket as JSON. {task}"}]
    for _ in range(attempts):
        text = ask(messages)
        try:
            return Ticket.model_validate_json(text)
        except ValidationError as error:
            messages += [{"role": "assistant", "content": text}, {"role": "user", "content": str(error)}]
    raise ValueError("no ticket")


def blind(ask: Ask, task: str) -> Ticket:
    """Drop the feedback."""
    messages = [{"role": "user", "content": f"Write a ticket as JSON. {task}"}]
    for _ in range(3):
        text = ask(messages)
        try:
            return Ticket.model_validate_json(text)
        except ValidationError:
            messages += [{"role": "assistant", "content": text}, {"role": "user", "content": "Try again."}]
    raise ValueError("no ticket")


def short_sighted(ask: Ask, task: str) -> Ticket:
    """Feed back the first error alone."""
    messages = [{"role": "user", "content": f"Write a ticket as JSON. {task}"}]
    for _ in range(3):
        text = ask(messages)
        try:
            return Ticket.model_validate_json(text)
        except ValidationError as error:
            first = error.errors()[0]
            words = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
            messages += [{"role": "assistant", "content": text}, {"role": "user", "content": words}]
    raise ValueError("no ticket")


def endless(ask: Ask, task: str) -> Ticket:
    """Never stop."""
    return correct(ask, task, attempts=1_000_000)


def repairing(ask: Ask, task: str) -> Ticket:
    """Close what the model left open, as lenient JSON readers do."""

    def repaired(messages: Sequence[dict[str, Any]]) -> str:
        text = ask(messages)
        for end in ("", "}", "]}", '"]}'):
            try:
                return json.dumps(json.loads(text + end))
            except ValueError:
                continue
        return text

    return correct(repaired, task)


class Sharing:
    """Keep one history for all tasks."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []

    def run(self, ask: Ask, task: str) -> Ticket:
        """Ask with all that was said before."""
        self.messages.append({"role": "user", "content": f"Write a ticket as JSON. {task}"})
        for _ in range(3):
            text = ask(self.messages)
            try:
                return Ticket.model_validate_json(text)
            except ValidationError as error:
                self.messages += [{"role": "assistant", "content": text}, {"role": "user", "content": str(error)}]
        raise ValueError("no ticket")


class Remembering:
    """Keep the last error where the next task finds it."""

    def __init__(self) -> None:
        self.error = ""

    def run(self, ask: Ask, task: str) -> Ticket:
        """Put the last error into the prompt, whose ever it is."""
        for _ in range(3):
            text = ask([{"role": "user", "content": f"Write a ticket as JSON. {task}\n{self.error}"}])
            try:
                return Ticket.model_validate_json(text)
            except ValidationError as error:
                self.error = str(error)
        raise ValueError("no ticket")


class Caching:
    """Cache the answer under a key that all tasks share."""

    def __init__(self) -> None:
        self.cache: dict[str, Ticket] = {}

    def run(self, ask: Ask, task: str) -> Ticket:
        """Return what came first."""
        return self.cache.setdefault("ticket", correct(ask, task))
