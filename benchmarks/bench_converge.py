"""What checking, feedback and judging cost over a bare loop: python benchmarks/bench_converge.py.

`factory` makes the driven loop a contender of other retry benchmarks: (schema, replies) -> a callable that converges.
"""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator
from smoke import size

from pytest_planguard.contract import Contract
from pytest_planguard.retry.loop import converge

ROUNDS, CALLS = size((150, 40), (1, 1))


class Task(BaseModel):
    """A task with a rule of its own."""

    model_config = ConfigDict(extra="forbid")
    id: int
    title: str
    status: Literal["open", "done"]
    needs: list[int] = []

    @field_validator("title")
    @classmethod
    def long_enough(cls, title: str) -> str:
        """At least three characters."""
        if len(title) < 3:
            raise ValueError("a title has at least three characters")
        return title


class Plan(BaseModel):
    """What is asked for."""

    model_config = ConfigDict(extra="forbid")
    goal: str
    tasks: list[Task]


TASKS = [{"id": n, "title": f"Part {n}", "status": "open", "needs": [n - 1] if n > 1 else []} for n in range(1, 6)]
GOOD = json.dumps({"goal": "Ship it", "tasks": TASKS})
BAD = GOOD.replace('"open"', '"waiting"', 1).replace('"id": 2', '"id": "two"')


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


def bare(replies: list[str]) -> Callable[[], Any]:
    """The floor: validate, put pydantic's errors into the next message, try again."""

    def run() -> Any:
        messages = [{"role": "user", "content": "Make a plan"}]
        for reply in replies:
            try:
                return Plan.model_validate_json(reply)
            except ValidationError as error:
                found = error.errors(include_url=False, include_context=False)
                lines = [f"- {'.'.join(map(str, e['loc']))}: {e['msg']} (got {e['input']!r})" for e in found]
                messages.append({"role": "assistant", "content": reply})
                messages.append({"role": "user", "content": "Fix these errors:\n" + "\n".join(lines)})
        raise AssertionError("no reply is valid")

    return run


def best_s(runs: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """CPU seconds of one call of each, the best of many rounds in which they take turns."""
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(ROUNDS):
        gc.collect()
        gc.disable()
        for name, run in runs.items():
            start = time.process_time()
            for _ in range(CALLS):
                run()
            best[name] = min(best[name], (time.process_time() - start) / CALLS)
        gc.enable()
    return best


def main() -> None:
    """Measure and print."""
    contract = Contract(Plan)
    best = best_s(
        {
            "bare 1": bare([GOOD]),
            "ours 1": factory(Plan, [GOOD]),
            "bare 2": bare([BAD, GOOD]),
            "ours 2": factory(Plan, [BAD, GOOD]),
            "parse and validate": lambda: Plan.model_validate(json.loads(GOOD)),
            "check": lambda: contract.check(GOOD),
        }
    )
    rows = [
        ("converge at once / bare loop", best["ours 1"] / best["bare 1"], "told, not bounded"),
        ("converge in two attempts / bare loop", best["ours 2"] / best["bare 2"], "at most 30"),
        (
            "check a valid answer / json.loads + model_validate",
            best["check"] / best["parse and validate"],
            "at most 2.5",
        ),
    ]
    for name, ratio, wanted in rows:
        print(f"{name:<50} {ratio:>7.2f}   ({wanted})")


if __name__ == "__main__":
    main()
