"""An app shaped like a graph: a planner, workers side by side, and edges approved, revise and escalate.

It stands in for a user's project and is copied there as it is. Every call waits for as long as `jitter` says.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError

from pytest_planguard import Contract


class Task(BaseModel):
    """What a worker makes."""

    title: str = Field(min_length=3)
    priority: Literal["low", "medium", "high"]
    steps: list[str] = Field(min_length=1)


class Plan(BaseModel):
    """What the planner makes."""

    goal: str
    names: list[str]


TASK, PLAN = Contract(Task), Contract(Plan)
Messages = list[dict[str, Any]]
Ask = Callable[[Messages, str, type[BaseModel] | None], Awaitable[str]]
Named = Callable[[str], Any]


def problems(text: str, model: type[BaseModel]) -> list[str]:
    """What is wrong with an answer, one line each."""
    try:
        model.model_validate_json(text)
    except ValidationError as error:
        return [f"- {'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()]
    return []


def demanded(model: type[BaseModel] | None) -> dict[str, Any]:
    """The part of a request that demands an answer's schema."""
    if model is None:
        return {}
    schema = {"name": model.__name__, "schema": model.model_json_schema()}
    return {"response_format": {"type": "json_schema", "json_schema": schema}}


def again(messages: Messages, text: str, found: list[str]) -> Messages:
    """The edge `revise`."""
    said = "Your answer is not valid:\n" + "\n".join(found)
    return [*messages, {"role": "assistant", "content": text}, {"role": "user", "content": said}]


class Graph:
    """One run of the graph."""

    def __init__(self, ask: Ask, jitter: Callable[[], float], named: Named | None = None) -> None:
        self._ask, self._jitter = ask, jitter
        self._named = named or (lambda _: nullcontext())

    async def run(self, names: list[str], prompt: str = "Task as JSON for: {}") -> list[str]:
        """Plan first, then every worker at once, then a review beside another."""
        await self._node("Plan as JSON: goal and names", Plan, "plan")
        found = await asyncio.gather(*(self._node(prompt.format(n), Task, n) for n in names))
        await asyncio.gather(*(self._step(text) for text in sorted(found)[:2]))
        return found

    async def _node(self, prompt: str, model: type[BaseModel], name: str) -> str:
        with self._named(name):
            messages: Messages = [{"role": "user", "content": prompt}]
            for who in ("small", "small", "large"):  # the last edge is `escalate`: another model
                text = await self._send(messages, who, model)
                found = problems(text, model)
                if not found:
                    return text  # the edge `approved`
                messages = again(messages, text, found)
            raise ValueError(prompt)

    async def _step(self, text: str) -> str:
        return await self._send([{"role": "user", "content": f"Is this fine? Say yes or no. {text}"}], "small", None)

    async def _send(self, messages: Messages, who: str, model: type[BaseModel] | None) -> str:
        await asyncio.sleep(self._jitter())
        text = await self._ask(messages, who, model)
        await asyncio.sleep(self._jitter())
        return text
