"""The steps that no small model can answer: a simulated one, labelled as such.

It is a seeded draw and no model: what it answers says nothing about any. The probabilities are these.

- A strategy holds all phases with probability 0.4. Each failure of the plan that the step is told closes 30 % of the
  gap to 1. Otherwise it lacks the last phase, and no guard sees that: the goal of every plan on it is out of reach.
- A plan has one step for each phase of its strategy. With probability 0.2 its JSON is cut off.
"""

from __future__ import annotations

import json
import random

from pytest_planguard import StepContext

SEED = "planning"
SOUND = 0.4
CLOSES = 0.3
CUT_OFF = 0.2
PHASES = ("reproduce", "change", "verify")


def ask_strategy(context: StepContext) -> str:
    """Draw a strategy."""
    chance = 1 - (1 - SOUND) * (1 - CLOSES) ** len(context.downstream)
    phases = PHASES if _draw(context) < chance else PHASES[:-1]
    return json.dumps({"approach": f"Approach {context.attempt} in {len(phases)} phases.", "phases": phases})


def ask_plan(context: StepContext) -> str:
    """Write the plan of a strategy."""
    phases = json.loads(context.path[-1].answer)["phases"]
    states = ["start", *(f"{phase} done" for phase in phases)]
    steps = [
        {
            "step_id": phase,
            "name": phase.capitalize(),
            "guard": "review",
            "retry_budget": 2,
            "preconditions": [before],
            "effects": [after],
            "dependencies": [] if before == "start" else [phases[place - 1]],
        }
        for place, (phase, before, after) in enumerate(zip(phases, states, states[1:], strict=False))
    ]
    plan = {
        "plan_id": f"plan-{context.attempt}",
        "initial_state": ["start"],
        "goal_state": [f"{PHASES[-1]} done"],
        "total_retry_budget": 2 * len(steps),
        "steps": steps,
    }
    text = json.dumps(plan)
    return text[: len(text) // 2] if _draw(context) < CUT_OFF else text


def _draw(context: StepContext) -> float:
    """A number from 0 to 1 that is a function of the seed, the step, the answers before it and the attempt."""
    return random.Random(f"{SEED} {context.step} {context.key.prefix} {context.attempt}").random()
