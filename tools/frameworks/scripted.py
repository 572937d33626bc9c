"""Run the retry loops of instructor and pydantic-ai against scripted models: `python -m tools.frameworks.scripted`.

`RetryLoopMachine` runs each loop and must find no fault; without its feedback it must find that. Then one conversation
of each behaviour is recorded into `cassettes/scripted-loops/LOOP.BEHAVIOUR.yaml`, and `results.json` gets versions and
outcomes. Exits with 1 after any other result.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from pytest_planguard.replay.files.cassette_text import render
from pytest_planguard.replay.files.interaction import Interaction
from pytest_planguard.testing import RetryLoopMachine, ScriptedModel
from pytest_planguard.testing.loops.strategy import simplest_of
from pytest_planguard.wire.exchange import Exchange

from .task import TICKET, Ticket

PACKAGES = ["instructor[anthropic]", "pydantic-ai-slim[openai,anthropic]", "hypothesis"]
SHOWN = ["instructor", "pydantic-ai-slim", "openai", "anthropic"]
KEPT = Path(__file__).parents[2] / "cassettes" / "scripted-loops"
ATTEMPTS = 3
EXAMPLES = 30
SETTINGS = settings(
    max_examples=EXAMPLES,
    stateful_step_count=12,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
Run = Callable[[ScriptedModel, str, int], Ticket]
"""Takes the model, the task, and the total number of requests that the framework may send."""


def instructor_chat(mode: str) -> Run:
    def run(model: ScriptedModel, task: str, attempts: int) -> Ticket:
        import instructor
        import openai

        plain = openai.OpenAI(base_url=model.base_url, api_key="unused", max_retries=0)
        return _instructor(instructor.from_openai(plain, mode=instructor.Mode[mode]), task, attempts)

    return run


def instructor_anthropic(model: ScriptedModel, task: str, attempts: int) -> Ticket:
    import anthropic
    import instructor

    plain = anthropic.Anthropic(base_url=model.anthropic_url, api_key="unused", max_retries=0)
    client = instructor.from_anthropic(plain, mode=instructor.Mode.ANTHROPIC_TOOLS)
    return _instructor(client, task, attempts, max_tokens=500)


def _instructor(client: Any, task: str, attempts: int, **limit: Any) -> Ticket:
    messages = [{"role": "user", "content": f"Write a ticket for the printer. {task}"}]
    ticket: Ticket = client.create(
        model="m", response_model=Ticket, messages=messages, max_retries=attempts - 1, **limit
    )
    return ticket


def pydantic_ai(kind: str) -> Run:
    def run(model: ScriptedModel, task: str, attempts: int) -> Ticket:
        from pydantic_ai import Agent, NativeOutput

        output: Any = NativeOutput(Ticket) if kind == "native" else Ticket
        agent = Agent(_pydantic_ai_model(kind, model), output_type=output, retries=attempts - 1)
        return agent.run_sync(f"Write a ticket for the printer. {task}").output

    return run


def _pydantic_ai_model(kind: str, model: ScriptedModel) -> Any:
    if kind == "anthropic":
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        return AnthropicModel("m", provider=AnthropicProvider(api_key="unused", base_url=model.anthropic_url))
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    made = OpenAIResponsesModel if kind == "responses" else OpenAIChatModel
    return made("m", provider=OpenAIProvider(base_url=model.base_url, api_key="unused"))


LOOPS: dict[str, Run] = {
    "instructor-tools": instructor_chat("TOOLS"),
    "instructor-json": instructor_chat("JSON"),
    "instructor-anthropic": instructor_anthropic,
    "pydantic-ai-tool": pydantic_ai("tool"),
    "pydantic-ai-native": pydantic_ai("native"),
    "pydantic-ai-responses": pydantic_ai("responses"),
    "pydantic-ai-anthropic": pydantic_ai("anthropic"),
}


def blind(run: Run) -> Run:
    """Return the loop without its feedback: each attempt is a separate run."""

    def again(model: ScriptedModel, task: str, attempts: int) -> Ticket:
        for _ in range(attempts - 1):
            with suppress(Exception):
                return run(model, task, 1)
        return run(model, task, 1)

    return again


def fault_of(run: Run) -> str | None:
    """Return the machine's report of a fault; None if it finds nothing."""

    class Loop(RetryLoopMachine):
        contract = TICKET
        max_attempts = ATTEMPTS

        def run_loop(self, model: ScriptedModel, task: str) -> Ticket:
            return run(model, task, ATTEMPTS)

    try:
        run_state_machine_as_test(Loop, settings=SETTINGS)
    except AssertionError as error:
        return "\n".join([str(error), *getattr(error, "__notes__", ())])
    return None


def record(name: str, run: Run) -> list[dict[str, Any]]:
    """Keep one conversation of each behaviour and return how each ended."""
    kept = []
    for script in simplest_of(TICKET, None, {}):
        with ScriptedModel(TICKET, script) as model:
            with suppress(Exception):  # a loop that gives up raises, each in its own way
                run(model, "Task 1", ATTEMPTS)
            exchanges = [turn.exchange for turn in model.turns()]
            outcome, attempts = model.judge().outcome.value, len(model.judge().attempts)
        (KEPT / f"{name}.{script.behaviour}.yaml").write_text(render(map(_interaction, exchanges)), encoding="utf-8")
        kept.append({"loop": name, "behaviour": script.behaviour, "outcome": outcome, "attempts": attempts})
    return kept


def _interaction(exchange: Exchange) -> Interaction:
    asked, answered = exchange.raw_request.encode(), exchange.raw_response.encode()
    plain = (("content-type", ("application/json",)),)
    return Interaction("POST", exchange.url, plain, asked, exchange.status, "OK", plain, answered)


def main() -> int:
    """Run every loop, or the named ones."""
    logging.disable()  # frameworks log each failed attempt
    KEPT.mkdir(parents=True, exist_ok=True)
    cases: list[dict[str, Any]] = []
    wrong = 0
    for name in sys.argv[1:] or LOOPS:
        start = time.monotonic()
        found, control = fault_of(LOOPS[name]), fault_of(blind(LOOPS[name]))
        right = found is None and control is not None and control.startswith("the loop drops feedback")
        wrong += not right
        print("ok   " if right else "WRONG", name, f"{EXAMPLES} examples, {time.monotonic() - start:.0f} s", flush=True)
        if not right:
            print(found or f"without its feedback: {control}")
        cases += record(name, LOOPS[name])
    if not sys.argv[1:]:
        results = {"versions": {name: version(name) for name in SHOWN}, "cases": cases}
        (KEPT / "results.json").write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
