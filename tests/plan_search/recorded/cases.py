"""Recorded searches: one for each reason to end, each row of the blame table and each budget.

`python -m tests.plan_search.recorded.cases` records them again into `fixtures/search/recorded`. A script
answered; the guards are those of the replay, for plans the real levels.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pytest_planguard.contract.verdict import Verdict
from pytest_planguard.plan_search.blame import BlameRule
from pytest_planguard.plan_search.call_tape import CallTape
from pytest_planguard.plan_search.context import Artifact
from pytest_planguard.plan_search.loop import search
from pytest_planguard.plan_search.plan_guards import level_guards
from pytest_planguard.plan_search.step import SearchConfig, Step, StepBudget

from ...support.paths import ROOT
from ...support.plans import text_of
from ..pipelines import BUDGETS, NAMES, Scripted, verdict

FOLDER = Path(ROOT) / "fixtures" / "search" / "recorded"
ONE = (StepBudget(1, 0),) * 4
FAILS = {"g_plan": ["x"]}
UNBOUND = SearchConfig(max_total_calls=1_000, escalates=False)
PLAN: dict[str, Any] = json.loads(text_of("atomicguard")[1])


@dataclass(frozen=True)
class Case:
    """A recorded search: who answered, who judges, and how it has to end."""

    reason: str
    calls: int
    asked: str
    """First letters of the steps, in the order of the calls."""
    bound: tuple[str, ...] = ()
    live: Callable[[], Sequence[Step]] = lambda: Scripted({}).steps
    """The pipeline that was recorded."""
    judged: Callable[[], Sequence[Step]] | None = None
    """The pipeline of the replay; None for the one that was recorded."""
    config: SearchConfig = field(default_factory=SearchConfig)
    recorded_with: SearchConfig | None = None
    """The configuration of the recorded search; None for that of the replay."""

    def record(self) -> CallTape:
        """Search live."""
        return CallTape.of([search(self.live(), self.recorded_with or self.config).tree])

    def steps(self) -> Sequence[Step]:
        """The pipeline of the replay."""
        return (self.judged or self.live)()


def scripted(script: dict[str, list[str]], budgets: Sequence[StepBudget] = BUDGETS) -> Callable[[], Sequence[Step]]:
    """A pipeline that answers by a script."""
    return lambda: Scripted(script, budgets).steps


def planner(*plans: str, **limits: int) -> Callable[[], Sequence[Step]]:
    """Three steps that always pass, and a planner that gives these plans, judged by the real levels."""

    def steps() -> Sequence[Step]:
        given = iter(plans)
        before = [
            Step(name, lambda context: f"{context.step} {context.key.prefix} {context.attempt}",
                 lambda path, answer: verdict(answer), StepBudget(3, 3))
            for name in NAMES[:3]
        ]  # fmt: skip
        return [*before, Step(NAMES[3], lambda context: next(given), level_guards(**limits), StepBudget(3, 0))]

    return steps


def plan(**changes: Any) -> str:
    """The sound plan with other fields."""
    return json.dumps({**PLAN, **changes})


def with_steps(change: Callable[[int, dict[str, Any]], dict[str, Any]]) -> str:
    """The sound plan with other steps."""
    return plan(steps=[change(place, dict(step)) for place, step in enumerate(PLAN["steps"])])


def racing() -> str:
    """A plan whose goal one order of its steps never reaches: the last step deletes what another one needs."""
    steps = [
        {"step_id": "a", "name": "A", "guard": "g", "retry_budget": 1, "preconditions": ["start"], "effects": ["x"]},
        {"step_id": "b", "name": "B", "guard": "g", "retry_budget": 1, "preconditions": ["start"], "effects": ["y"],
         "delete_effects": ["x"]},
        {"step_id": "c", "name": "C", "guard": "g", "retry_budget": 1, "preconditions": ["x", "y"],
         "effects": ["done"]},
    ]  # fmt: skip
    return json.dumps(
        {"plan_id": "p", "initial_state": ["start"], "goal_state": ["done"], "total_retry_budget": 3, "steps": steps}
    )


def with_broken_guard() -> Sequence[Step]:
    """A pipeline whose second guard raises, whatever the answer is."""

    def guard(path: Sequence[Artifact], answer: str) -> Verdict:
        raise ValueError("broken guard")

    steps = Scripted({}).steps
    return [steps[0], replace(steps[1], guard=guard), *steps[2:]]


SOUND = plan()
NOT_JSON = SOUND.replace('":', '"=', 1)
TINY = json.dumps({
    "plan_id": "p", "initial_state": ["start"], "goal_state": ["done"], "total_retry_budget": 1,
    "steps": [{"step_id": "a", "name": "A", "guard": "g", "retry_budget": 1, "preconditions": ["start"],
               "effects": ["done"]}],
})  # fmt: skip
EXPANSIVE = SearchConfig(target_guard_level="expansive")

REASONS = {
    "success": Case("success", 4, "arsp"),
    "error": Case("error", 2, "a", judged=with_broken_guard, live=scripted({})),
    "censored": Case(
        "censored", 4, "arsp", live=scripted({"g_plan": ["x", "ok"]}), recorded_with=SearchConfig(max_total_calls=4)
    ),
    "budget_exhausted": Case("budget_exhausted", 30, "", ("max_total_calls",), scripted(FAILS)),
    "backtrack_ceiling": Case(
        "backtrack_ceiling", 4, "arsp", ("backtrack_budget of g_analysis",),
        scripted(FAILS, (StepBudget(2, 0), *ONE[1:])), config=UNBOUND,
    ),
    "step_ceiling": Case(
        "step_ceiling", 5, "arspp", ("calls of g_plan",),
        scripted(FAILS, (*ONE[:3], StepBudget(5, 0, calls=2))), config=UNBOUND,
    ),
    "all_pruned": Case("all_pruned", 4, "arsp", (), scripted(FAILS, ONE), config=UNBOUND),
    "gave_up": Case(
        "gave_up", 4, "arsp", (), scripted(FAILS), config=SearchConfig(blame=(BlameRule("x", -1),))
    ),
}  # fmt: skip
"""One for each `TerminationReason`."""

BLAME = {
    "not parseable": Case("success", 5, "arspp", live=planner(NOT_JSON, SOUND)),
    "retry_budget": Case(
        "success", 5, "arspp",
        live=planner(with_steps(lambda place, step: {**step, "retry_budget": 0} if place == 0 else step), SOUND),
    ),
    "not satisfiable": Case(
        "success", 6, "arspsp",
        live=planner(
            with_steps(lambda place, step: {**step, "preconditions": ["unheard of"]} if place == 0 else step), SOUND
        ),
    ),
    "goal unreachable": Case("success", 6, "arspsp", live=planner(plan(goal_state=["unheard of"]), SOUND)),
    "total budget": Case(
        "success", 6, "arspsp", live=planner(plan(total_retry_budget=99), SOUND, r_max=PLAN["total_retry_budget"])
    ),
    "dead end": Case("success", 7, "arsprsp", live=planner(racing(), SOUND), config=EXPANSIVE),
    "too complex": Case("success", 6, "arspsp", live=planner(SOUND, TINY, max_explorations=2), config=EXPANSIVE),
    "repeated": Case("success", 8, "arspprsp", live=planner(NOT_JSON, NOT_JSON + " ,", SOUND)),
}  # fmt: skip
"""One for each row of the blame table."""

BUDGET = {
    "rmax": Case("all_pruned", 6, "arsppp", (), scripted(FAILS, (*ONE[:3], StepBudget(3, 0))), config=UNBOUND),
    "backtrack_budget": Case(
        "backtrack_ceiling", 6, "arspsp", ("backtrack_budget of g_strategy",),
        scripted(FAILS, (*ONE[:2], StepBudget(3, 1), ONE[3])), config=UNBOUND,
    ),
    "calls": Case(
        "step_ceiling", 5, "arspp", ("calls of g_plan",),
        scripted(FAILS, (*ONE[:3], StepBudget(9, 0, calls=2))), config=UNBOUND,
    ),
    "max_total_calls": Case(
        "budget_exhausted", 7, "arsppps", ("max_total_calls",), scripted(FAILS),
        config=replace(UNBOUND, max_total_calls=7),
    ),
}  # fmt: skip
"""One for each budget."""

CASES = {
    **{f"reason {name}": case for name, case in REASONS.items()},
    **{f"blame {name}": case for name, case in BLAME.items()},
    **{f"budget {name}": case for name, case in BUDGET.items()},
}


def path_of(name: str) -> Path:
    """The file of a case."""
    return FOLDER / f"{name.replace(' ', '-')}.json"


def main() -> None:
    """Record every case."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, case in CASES.items():
        path_of(name).write_text(json.dumps(case.record().data(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
