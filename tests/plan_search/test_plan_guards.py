"""Guards for the last step of a planning pipeline, and the pipeline itself as a plan."""

import json
from pathlib import Path

import pytest

from pytest_planguard.plan_search.blame import BlameTable
from pytest_planguard.plan_search.loop import search
from pytest_planguard.plan_search.plan_guards import level_guards
from pytest_planguard.plan_search.step import SearchConfig, Step

from ..support.plans import text_of
from .pipelines import NAMES, Scripted, verdict

PLAN = json.loads(text_of("atomicguard")[1])
DEFECTS = {
    "cycle": "g_plan",
    "missing_guard": "g_plan",
    "zero_retry": "g_plan",
    "unreachable_goal": "g_strategy",
    "unsatisfiable_precond": "g_strategy",
    "missing_initial": "g_strategy",
    "budget_overflow": "g_strategy",
}


def pipeline(plans: list[str], catalogue: set[str] | None = None) -> list[Step]:
    """Three steps that always pass, and a planner that gives these plans one after the other."""
    calls = iter(plans)
    before = [
        Step(name, lambda context: f"{context.step} {context.attempt}", lambda path, answer: verdict(answer))
        for name in NAMES[:3]
    ]
    return [*before, Step(NAMES[3], lambda context: next(calls), level_guards(catalogue))]


@pytest.mark.parametrize("plan", ["simple", "sdlc_v2"])
@pytest.mark.parametrize(("defect", "blamed"), DEFECTS.items())
def test_each_defect_leads_back_to_its_step(shared_data: Path, plan: str, defect: str, blamed: str) -> None:
    """The next call after a plan with a defect goes to the step that is to blame, and the sound plan ends it."""
    folder = shared_data / "atomicguard" / "plans"
    sound = (folder / f"{plan}.json").read_text(encoding="utf-8")
    broken = (folder / f"{plan}__{defect}.json").read_text(encoding="utf-8")
    catalogue = {step["guard"] for step in json.loads(sound)["steps"]}
    result = search(pipeline([broken, sound], catalogue))
    assert result.succeeded
    assert result.tree.nodes[4].step == blamed
    assert NAMES[result.tree.nodes[3].blamed or 0] == blamed


def test_the_target_level_decides() -> None:
    """A goal that nothing gives passes the level minimal, and no other."""
    text = json.dumps({**PLAN, "goal_state": ["unheard of"]})
    for level, passes in (("minimal", True), ("medium", False), ("expansive", False)):
        config = SearchConfig(target_guard_level=level, max_total_calls=4)
        assert search(pipeline([text]), config).succeeded is passes


def test_a_plan_too_complex_to_verify_does_not_pass() -> None:
    """The exploration cap is a failure of the search, and blames the step before."""
    guard = level_guards(max_explorations=1)["expansive"]
    judged = guard.check(PLAN)
    assert [(finding.code, finding.severity.value) for finding in judged.errors] == [("exploration-cap", "retry")]
    assert BlameTable().levels("g_plan", judged.findings) == 1
    assert level_guards()["expansive"].check(PLAN).ok


def test_the_two_budget_errors_are_told_apart() -> None:
    """A step without retries is a formatting error, a total above the limit a strategy that wants too much."""
    steps = [{**PLAN["steps"][0], "retry_budget": 0}, *PLAN["steps"][1:]]
    guard = level_guards(r_max=PLAN["total_retry_budget"])["medium"]
    assert BlameTable().levels("g_plan", guard.check({**PLAN, "steps": steps}).findings) == 0
    assert BlameTable().levels("g_plan", guard.check({**PLAN, "total_retry_budget": 99}).findings) == 1


def test_a_context_is_not_needed() -> None:
    """The guard judges the answer alone, fence and all."""
    step = Step("plan", lambda context: f"```json\n{json.dumps(PLAN)}\n```", level_guards())
    assert search([step]).succeeded


# A pipeline as a plan that the plan rules judge.


@pytest.mark.parametrize("level", ["minimal", "medium", "expansive"])
def test_a_pipeline_is_a_sound_plan(level: str) -> None:
    """On every level, with its own steps as the catalogue."""
    assert level_guards(NAMES)[level].check(SearchConfig().plan(Scripted({}).steps)).findings == ()


def test_budgets_that_do_not_fit() -> None:
    """Nine answers, one to each prefix at its budget, do not fit into eight calls; nine do."""
    guard = level_guards()["medium"]
    eight, nine = (SearchConfig(max_total_calls=n).plan(Scripted({}).steps) for n in (8, 9))
    assert [finding.code for finding in guard.check(eight).errors] == ["budget-sum"]
    assert guard.check(nine).ok


def test_steps_of_one_name() -> None:
    """The rule about ids finds what a search refuses."""
    steps = Scripted({}).steps
    plan = SearchConfig().plan([steps[0], steps[0]])
    assert "id-unique" in [f.code for f in level_guards()["minimal"].check(plan).errors]
