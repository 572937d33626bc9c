"""The plan for planning: a pipeline as a step plan, which the plan rules judge like any other."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..model.config import SearchConfig

if TYPE_CHECKING:
    from ..model.step import Step


def pipeline_plan(steps: Sequence[Step], config: SearchConfig | None = None) -> str:
    """Return a pipeline as a step plan in JSON: each step needs what the one before gives, the last gives the goal.

    `level_guards()["medium"].check(pipeline_plan(steps))` finds, for example, budgets of steps that are larger than
    the calls in all.

    Raises:
        UsageError: a budget for a step that is not there.
    """
    config = config or SearchConfig()
    given = ["start", *(f"{step.name} passed" for step in steps)]
    listed = [
        {
            "step_id": step.name,
            "name": step.name,
            "guard": step.name,
            "retry_budget": budget.rmax,
            "preconditions": [given[place]],
            "effects": [given[place + 1]],
            "dependencies": [steps[place - 1].name] if place else [],
        }
        for place, (step, budget) in enumerate(zip(steps, config.budgets(steps), strict=True))
    ]
    plan = {
        "plan_id": "pipeline",
        "initial_state": given[:1],
        "goal_state": given[-1:],
        "total_retry_budget": config.max_total_calls,
        "steps": listed,
    }
    return json.dumps(plan, ensure_ascii=False)
